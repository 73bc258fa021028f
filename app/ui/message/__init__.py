"""Showing mail: conversation, header, body, attachments, remote images, printing."""
