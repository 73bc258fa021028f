"""Mail to fill a sandbox with: the sample mailbox, mail files, and a generated drug catalogue."""
