"""The outbox in words: what leaves, when, and what is held."""
