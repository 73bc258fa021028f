"""The wire between window and engine: frames and codec."""
