"""Starts the window: first frame, assembly with the pages by name, single instance."""
