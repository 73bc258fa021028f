"""The assistant: plans a typed request and runs its steps."""
