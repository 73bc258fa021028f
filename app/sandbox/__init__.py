"""A local Gmail-compatible server: Google's shapes and rules on 127.0.0.1, sharing no code with the client side."""
