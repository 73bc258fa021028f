"""Starts the window: first frame, assembly, page registry, single instance."""
