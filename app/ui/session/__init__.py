"""What survives a restart of the window: page positions, unfinished input, window.ini."""
