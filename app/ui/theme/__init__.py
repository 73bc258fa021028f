"""theme."""
