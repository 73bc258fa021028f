"""The response agent: a model with tools, one call at a time, each that leaves the machine put before the user first."""
