"""Makes drafts: sources, prompts, templates, open slots, and the check of a draft's claims."""
