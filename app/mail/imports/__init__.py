"""Mail archives: mbox files, Maildir folders and Google Takeout, read one mail at a time."""
