"""pharmacy."""
