"""Decisions on reviews, and the outbox items that approvals make."""
