"""Writing letters: the Compose page and the Drafts page."""
