"""gmail."""
