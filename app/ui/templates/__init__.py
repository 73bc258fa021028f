"""Text templates."""
