"""The whole program on a local Gmail-compatible server, by hand or as a scripted session with a report."""
