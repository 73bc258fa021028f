"""A mail's source as the resource that Gmail would give for it, so that one parser reads both.

Never raises on content. Leaves the bytes of files out: they are cut from the archive when they are asked for.
"""

import base64
import re
from email import policy
from email.message import Message
from email.parser import BytesFeedParser

MOST_PARTS = 5000
DEEPEST = 30
LONGEST_TEXT = 4_000_000
_BITE = 1 << 16
IN_ARCHIVE = "archive"
"""Stands in the place of Gmail's attachment ids."""

Json = dict[str, object]
_COMMENT = re.compile(r"[\s(]")


def resource_of(raw: bytes, gmail_id: str, thread_id: str, labels: list[str]) -> Json:
    """The resource; what cannot be parsed as MIME is one plain text."""
    try:
        message = _parsed(raw)
        payload = _Reader().part(message, "", 0)
    except (RecursionError, ValueError, LookupError, AttributeError, TypeError, AssertionError):
        text = {"size": len(raw), "data": _packed(raw[:LONGEST_TEXT])}
        payload = {"partId": "", "mimeType": "text/plain", "filename": "", "headers": [], "body": text}
    return {"id": gmail_id, "threadId": thread_id, "labelIds": labels, "sizeEstimate": len(raw), "payload": payload}


class _Reader:
    """Walks one mail and counts its parts."""

    def __init__(self) -> None:
        self._count = 0

    def part(self, message: Message, part_id: str, depth: int) -> Json:
        """One part with those below it."""
        self._count += 1
        headers = [{"name": name, "value": _value(value)} for name, value in message.raw_items()]
        shape: Json = {
            "partId": part_id,
            "mimeType": _kind(message),
            "filename": _filename(message),
            "headers": headers,
            "body": {"size": 0},
        }
        below = message.get_payload()
        if isinstance(below, list) and depth < DEEPEST and (message.is_multipart() and _nests(message)):
            prefix = f"{part_id}." if part_id else ""
            inner = [one for one in below if isinstance(one, Message)]
            room = max(MOST_PARTS - self._count, 0)
            shape["parts"] = [self.part(one, f"{prefix}{number}", depth + 1) for number, one in enumerate(inner[:room])]
            if message.get_content_maintype() == "message":
                shape["body"] = {"size": sum(len(one.as_string()) for one in inner[:1]), "attachmentId": IN_ARCHIVE}
        else:
            shape["body"] = _body(message)
        return shape


def part_of(raw: bytes, part_id: str) -> bytes | None:
    """The decoded bytes of one part; None if there is none of that id."""
    found = _parsed(raw)
    for step in filter(None, part_id.split(".")):
        below = found.get_payload()
        number = int(step) if step.isdecimal() else -1
        inner = below[number] if isinstance(below, list) and 0 <= number < len(below) else None
        if not isinstance(inner, Message):
            return None
        found = inner
    return _data(found)


def _parsed(raw: bytes) -> Message:
    """The mail, bite by bite: given in one piece, the standard library's parser holds it four more times."""
    parser = BytesFeedParser(policy=policy.compat32)
    for at in range(0, len(raw), _BITE):
        parser.feed(raw[at : at + _BITE])
    return parser.close()


def _nests(message: Message) -> bool:
    """Whether what is below are parts; the blocks of a delivery report are none."""
    return message.get_content_maintype() == "multipart" or _kind(message) in ("message/rfc822", "message/global")


def _body(message: Message) -> Json:
    data = _data(message)
    readable = message.get_content_maintype() in ("text", "multipart", "message") and not _filename(message)
    if readable and len(data) <= LONGEST_TEXT:
        return {"size": len(data), "data": _packed(data)} if data else {"size": 0}
    return {"size": len(data), "attachmentId": IN_ARCHIVE}


def _data(message: Message) -> bytes:
    """The content with its transfer encoding undone, as far as it can be."""
    below = message.get_payload()
    if isinstance(below, list):
        return b"\n".join(one.as_bytes() for one in below if isinstance(one, Message))
    found = message.get_payload(decode=True)
    return found if isinstance(found, bytes) else b""


def _kind(message: Message) -> str:
    """The type without comments; a nonsensical one is text, as mail readers have it."""
    return _COMMENT.split(message.get_content_type())[0]


def _filename(message: Message) -> str:
    """The name, also one that stands there in raw bytes."""
    clean = Message()
    for name, value in message.raw_items():
        if name.lower() in ("content-disposition", "content-type") and name not in clean:
            clean[name] = _value(value)
    try:
        return clean.get_filename() or ""
    except (LookupError, ValueError, TypeError):
        return ""


def _value(value: object) -> str:
    """A header's value as text: raw bytes are UTF-8, or else read as in the west."""
    data = str(value).encode("utf-8", "surrogateescape")
    try:
        plain = data.decode("utf-8")
    except UnicodeDecodeError:
        plain = data.decode("windows-1252", "replace")
    return plain.replace("\r", "").replace("\n", "")


def _packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode("ascii")
