"""Quotes the original below a reply as Gmail does, or below a forwarded mail with its headers."""

import html
import re
from datetime import datetime

from app.domain.mail.message import Address, Message
from app.mail.html.styled import lines_as_html

LONGEST_QUOTED = 100_000
LONGEST_QUOTED_HTML = 300_000
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
STYLE_ELEMENT = re.compile(r"<style>[^<]*</style>\s*")
INLINE_PICTURE = re.compile(r'<img [^>]*?src="cid:[^>]*>', re.IGNORECASE)
QUOTE_STYLE = "margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"


def quoted_text(original: Message, sent: datetime) -> str:
    """Attribution line and the original's text, each line marked with `>`.

    Times are in the time zone of `sent`.
    """
    text = original.body_text
    if len(text) > LONGEST_QUOTED:
        text = f"{text[:LONGEST_QUOTED]}\n[...]"
    lines = [f">{line}" if line.startswith(">") else f"> {line}".rstrip() for line in text.split("\n")]
    return "\n".join([attribution(original, sent), *lines])


def quoted_html(original: Message, sent: datetime) -> str:
    """The same as HTML.

    Uses the original's cleaned HTML unless it has none or it is too long.
    """
    head = html.escape(attribution(original, sent), quote=False)
    return (
        f'<div class="gmail_quote"><div dir="ltr" class="gmail_attr">{head}<br></div>'
        f'<blockquote class="gmail_quote" style="{QUOTE_STYLE}">{original_html(original)}</blockquote></div>'
    )


def attribution(original: Message, sent: datetime) -> str:
    """Returns `On Tue, 3 Nov 2026 at 10:00, Name <address> wrote:`."""
    at = original.date.astimezone(sent.tzinfo)
    day = f"{DAYS[at.weekday()]}, {at.day} {MONTHS[at.month - 1]} {at.year} at {at:%H:%M}"
    return f"On {day}, {_shown(original.sender)} wrote:"


def original_html(original: Message) -> str:
    """The original's HTML without style elements and inline pictures.

    Its text instead if there is no HTML or it is too long.
    """
    source = original.body_html
    if not source or len(source) > LONGEST_QUOTED_HTML:
        return lines_as_html(original.body_text[:LONGEST_QUOTED])
    source = INLINE_PICTURE.sub("", STYLE_ELEMENT.sub("", source))
    return source.replace(" data-remote-src=", " src=").replace("\r\n", "\n").replace("\n", "\r\n")


def _shown(sender: Address) -> str:
    """Name and address on one line."""
    name = " ".join(sender.name.split())
    if name and sender.email:
        return f"{name} <{sender.email}>"
    return sender.email or name or "somebody"


HEADING = "---------- Forwarded message ---------"


def forwarded_text(original: Message, sent: datetime) -> str:
    """Heading, headers and text of the original.

    Times are in the time zone of `sent`.
    """
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
    return ", ".join(f"{address.name} <{address.email}>" if address.name else address.email for address in addresses)


def _text(original: Message) -> str:
    text = original.body_text
    return text if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]}\n[...]"
