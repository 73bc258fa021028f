"""The memory in words: what was learned, from which decision, and the user's hand on it."""
