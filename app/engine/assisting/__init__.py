"""The engine's side of the assistant: what the owner types is kept, planned, run, stopped, and settled once its mail has left."""
