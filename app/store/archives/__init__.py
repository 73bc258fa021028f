"""Imported mail archives and files downloaded from messages."""
