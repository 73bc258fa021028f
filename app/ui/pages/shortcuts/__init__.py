"""shortcuts."""
