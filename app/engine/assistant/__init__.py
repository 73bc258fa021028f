"""assistant."""
