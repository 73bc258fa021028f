"""The Settings page: one form for each section, and the writer that sends changes to the engine."""
