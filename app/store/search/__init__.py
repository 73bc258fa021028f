"""Search by words and Gmail's operators, search by meaning, and read access for agents."""
