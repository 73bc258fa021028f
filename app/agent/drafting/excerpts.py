"""A mail as a model sees it: headers that matter and the newest part of the visible text, cut to a length."""

from app.domain.mail import Address, Message
from app.domain.quotes import newest_part

BODY_LIMIT = 6000
"""Characters of the newest part that a model sees."""


def message_text(message: Message, limit: int = BODY_LIMIT) -> str:
    """Who, to whom, when, subject, names of attachments, and the words; `limit` in characters of the body."""
    body = newest_part(message.body_text) or message.body_text
    cut = body if len(body) <= limit else f"{body[:limit]}\n[cut: {len(body) - limit} more characters]"
    names = ", ".join(one.filename for one in message.attachments if one.filename and not one.inline)
    lines = [
        f"From: {_written(message.sender)}",
        f"To: {', '.join(map(_written, message.to + message.cc))}",
        f"Date: {message.date:%A %Y-%m-%d %H:%M %Z}",
        f"Subject: {message.subject}",
        *([f"Attachments: {names}"] if names else []),
    ]
    return "\n".join(lines) + f"\n\n{cut}"


def _written(address: Address) -> str:
    """An address with its name."""
    return f"{address.name} <{address.email}>" if address.name else address.email
