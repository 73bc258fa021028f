"""The review queue: what waits for the user's word, and the desk where it is given."""
