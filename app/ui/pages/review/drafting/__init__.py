"""Editing a draft on the Review page: text, attachments, comparison and the feedback bar."""
