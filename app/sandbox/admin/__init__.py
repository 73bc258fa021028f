"""The admin interface under /sandbox/: what tests and the demo do to the server and its mailboxes."""
