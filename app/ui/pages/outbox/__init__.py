"""The Outbox page and its texts."""
