"""Accounts: their table, their sync state and their deletion."""
