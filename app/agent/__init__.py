"""The graphs and models: triage, pipeline, drafting."""
