"""A forwarded mail below the words that introduce it: who wrote it, when, about what, to whom, then the mail itself.

Refuses to send on what the reader's program disarmed: styles of the original and its inline pictures.
"""

import html
from datetime import datetime

from app.domain.mail import Address, Message
from app.mail.mime.quoting import DAYS, LONGEST_QUOTED, MONTHS, original_html

HEADING = "---------- Forwarded message ---------"


def forwarded_text(original: Message, sent: datetime) -> str:
    """Heading, head and text; times in the time zone of `sent`."""
    return "\n".join([HEADING, *(f"{name}: {value}" for name, value in _head(original, sent)), "", _text(original)])


def forwarded_html(original: Message, sent: datetime) -> str:
    """The same as HTML."""
    head = "<br>\r\n".join(html.escape(f"{name}: {value}", quote=False) for name, value in _head(original, sent))
    return (
        f'<div class="gmail_quote"><div dir="ltr" class="gmail_attr">{HEADING}<br>\r\n{head}<br><br></div>'
        f"{original_html(original)}</div>"
    )


def _head(original: Message, sent: datetime) -> list[tuple[str, str]]:
    at = original.date.astimezone(sent.tzinfo)
    day = f"{DAYS[at.weekday()]}, {at.day} {MONTHS[at.month - 1]} {at.year} at {at:%H:%M}"
    lines = [("From", _people((original.sender,))), ("Date", day), ("Subject", original.subject), ("To", _people(original.to))]
    return [(name, " ".join(value.split())) for name, value in [*lines, ("Cc", _people(original.cc))] if value]


def _people(addresses: tuple[Address, ...]) -> str:
    return ", ".join(f"{one.name} <{one.email}>" if one.name else one.email for one in addresses)


def _text(original: Message) -> str:
    text = original.body_text
    return text if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]}\n[...]"
