"""Types, rules and ports of the program: frozen dataclasses and pure functions that import only the standard library."""
