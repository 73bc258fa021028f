"""The Profiles section: agents of the owner's making, their tool servers and a trial."""
