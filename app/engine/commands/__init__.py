"""Dispatch of the window's commands and queries to the services."""
