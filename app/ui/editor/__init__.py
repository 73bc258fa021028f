"""Editing parts of letters and drafts: recipients, slots, spelling, growing fields, the offer to ask the assistant."""
