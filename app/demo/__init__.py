"""The whole program on a local Gmail-compatible server: by hand, or by itself with a report."""
