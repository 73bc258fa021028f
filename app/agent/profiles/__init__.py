"""Agent profiles: a model with instructions and a list of tools, one call at a time, for mail that a rule sends here."""
