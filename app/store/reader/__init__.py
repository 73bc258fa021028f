"""reader."""
