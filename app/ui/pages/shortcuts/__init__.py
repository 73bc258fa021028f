"""Keyboard shortcuts: the key map, the page to change it and the cheat sheet."""
