"""Triage and drafting without a language model: rules, a small classifier, the owner's own replies, templates."""
