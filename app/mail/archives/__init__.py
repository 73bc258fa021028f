"""archives."""
