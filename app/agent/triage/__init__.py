"""What the user is merely told about: the notify review and its gate."""
