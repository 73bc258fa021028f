"""Messages between window and engine: commands, queries with their answers, and events."""
