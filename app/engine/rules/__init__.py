"""Routing rules, agent profiles and tool servers in force."""
