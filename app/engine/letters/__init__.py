"""Mail written by hand: letters, their drafts in Gmail, templates and nudges."""
