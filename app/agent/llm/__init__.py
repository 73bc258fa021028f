"""Language models: the gateway over litellm, its target and errors, prompts, answers and JSON schemas."""
