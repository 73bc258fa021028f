"""Read-only access for the window: imports sqlite3, the domain and row readers only."""
