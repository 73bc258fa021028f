"""Learning from what the user does with drafts and verdicts: lessons by rule, and proposals of a language model."""
