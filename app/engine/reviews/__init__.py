"""reviews."""
