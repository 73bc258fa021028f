"""The SQLite file: schema, migrations, connections, job queue, value encodings."""
