"""Carries out outbox items: mail, label changes and meetings."""
