"""The Rules section: table, editor and live test of routing rules."""
