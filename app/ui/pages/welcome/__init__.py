"""welcome."""
