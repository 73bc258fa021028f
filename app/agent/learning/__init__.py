"""Learns from what the user does with drafts and verdicts: lessons by rule, and lessons proposed by a language model."""
