"""builtin_tools."""
