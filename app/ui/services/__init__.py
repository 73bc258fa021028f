"""Services of the window: engine process and bridge, async tasks, errors and notices, files."""
