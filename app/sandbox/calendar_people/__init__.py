"""Calendar events and contacts of an account."""
