"""The mailbox, the work and the decisions in one SQLite file, and their vectors in Chroma; other rooms never see a database."""
