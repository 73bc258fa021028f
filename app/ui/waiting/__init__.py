"""Sent mail that waits for an answer."""
