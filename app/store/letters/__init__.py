"""Letters, their files, their Gmail drafts, text templates and sent mail without an answer."""
