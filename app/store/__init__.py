"""SQLite for mail, work and decisions; Chroma for vectors. No other package opens a database."""
