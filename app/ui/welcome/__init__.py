"""First run: sample mailbox, connecting Gmail, choosing a model, and the preview before anything starts."""
