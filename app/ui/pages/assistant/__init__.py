"""The Assistant page: requests of the owner, their plans, steps and answers."""
