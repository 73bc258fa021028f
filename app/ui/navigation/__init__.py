"""navigation."""
