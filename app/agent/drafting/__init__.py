"""From mail to a draft worth approving: sources, prompts, slots, and the check of what the draft claims."""
