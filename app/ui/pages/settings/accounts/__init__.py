"""The Accounts section of Settings."""
