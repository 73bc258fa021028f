"""The Search page: full-text results and similar mail."""
