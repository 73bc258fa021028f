"""Handlers of the Gmail, Calendar and People methods, and the tables of what is served."""
