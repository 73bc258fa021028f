"""The connection between window and engine: frames, codec, and both ends of it."""
