"""Mail archives (mbox, Maildir, .eml, zip, tar, Google Takeout) as parsed messages."""
