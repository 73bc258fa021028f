"""Measurements of triage, drafting and search on mail with known answers."""
