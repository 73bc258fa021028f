"""The tools that come with the program, for profiles and the assistant."""
