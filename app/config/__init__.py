"""Paths, settings, rules files, secrets and logs. Opens nothing at import."""
