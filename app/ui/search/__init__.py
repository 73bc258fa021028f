"""Search results with their reasons."""
