"""Composes the exact bytes of outgoing mail and of calendar events."""
