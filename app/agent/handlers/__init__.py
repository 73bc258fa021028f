"""The program's own tools: what each takes, does over a real backend, and refuses. The registry is their only door."""
