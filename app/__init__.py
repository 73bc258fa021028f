"""Replyroom: a desktop mail assistant. `app/README.md` describes the packages."""
