"""google_api."""
