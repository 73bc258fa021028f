"""The Mail page: lists of conversations and what can be done to them."""
