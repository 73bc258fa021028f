"""Types, rules and ports of the program: records and pure functions that import only msgspec and the standard library."""
