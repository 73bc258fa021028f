"""The settings page, one file a section. A change is applied when it is made; the engine alone writes the file."""
