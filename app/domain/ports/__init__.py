"""Ports: protocols that adapters implement and `app.main` or the engine injects."""
