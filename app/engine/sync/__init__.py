"""Sync of one account: listing newest first, fetching, polling the history, rebuilding after an expired cursor."""
