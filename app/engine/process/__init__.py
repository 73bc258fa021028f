"""Start, restart and end of the engine process."""
