"""google."""
