"""Types for mail: messages, letters, files, the outbox, triage, recipients."""
