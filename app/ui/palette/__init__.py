"""The command palette (Ctrl+K)."""
