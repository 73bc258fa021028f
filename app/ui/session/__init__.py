"""What survives a restart of the window: page states, typed text, window.ini."""
