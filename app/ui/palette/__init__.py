"""Do or find anything from one line, and the table of keys."""
