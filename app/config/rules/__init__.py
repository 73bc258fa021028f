"""Routing rules and agent profiles: read from `routing.yaml`, checked, and written back with the user's comments kept."""
