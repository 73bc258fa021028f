"""responder."""
