"""Handlers of the Gmail, Calendar and People methods."""
