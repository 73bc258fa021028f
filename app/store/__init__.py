"""SQLite and Chroma. The only room that writes files of the mailbox."""
