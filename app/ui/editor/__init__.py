"""Parts for editing letters and drafts. Recipients, slots, spelling, growing fields, the offer to ask the assistant."""
