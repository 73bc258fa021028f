"""The command line: arguments, chores, doctor and self-test."""
