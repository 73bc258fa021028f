"""Replyroom: a desktop mail assistant. Floors and rules are described in `app/README.md`."""
