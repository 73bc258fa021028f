"""Writing mail by hand."""
