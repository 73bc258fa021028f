"""Measurements on mail with known answers."""
