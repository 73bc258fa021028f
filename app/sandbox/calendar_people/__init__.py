"""calendar_people."""
