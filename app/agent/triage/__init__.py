"""Triage without a language model: header rules, a local classifier and the sentence that explains a verdict."""
