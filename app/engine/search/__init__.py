"""Indexing, and search by words and by meaning."""
