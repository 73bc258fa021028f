"""Engine process and bridge, async tasks, errors and notices, files."""
