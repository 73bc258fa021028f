"""Converts a message's source to the resource Gmail would return, so that one parser reads both.

Never raises because of content. The bytes of files are left out; they are read from the archive on demand.
"""

import base64
import re
from email import policy
from email.message import Message
from email.parser import BytesFeedParser

MOST_PARTS = 5000
DEEPEST = 30
LONGEST_TEXT = 4_000_000
LONGEST_CONTENT_FIELD = 10_000
_CHUNK_BYTES = 1 << 16
IN_ARCHIVE = "archive"
"""Used as the attachment id of files in an archive."""

Json = dict[str, object]
_COMMENT = re.compile(r"[\s(]")


def resource_of(raw: bytes, gmail_id: str, thread_id: str, labels: list[str]) -> Json:
    """Returns the resource; source that cannot be parsed as MIME becomes one plain text."""
    try:
        message = _parsed(raw)
        payload = _Reader().part(message, "", 0)
    except (RecursionError, ValueError, LookupError, AttributeError, TypeError, AssertionError):
        text = {"size": len(raw), "data": _packed(raw[:LONGEST_TEXT])}
        payload = {"partId": "", "mimeType": "text/plain", "filename": "", "headers": [], "body": text}
    return {"id": gmail_id, "threadId": thread_id, "labelIds": labels, "sizeEstimate": len(raw), "payload": payload}


class _Reader:
    """Converts one message and counts its parts."""

    def __init__(self) -> None:
        self._count = 0

    def part(self, message: Message, part_id: str, depth: int) -> Json:
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
            inner = [child for child in below if isinstance(child, Message)]
            room = max(MOST_PARTS - self._count, 0)
            shape["parts"] = [self.part(child, f"{prefix}{number}", depth + 1) for number, child in enumerate(inner[:room])]
            if message.get_content_maintype() == "message":
                size = sum(len(child.as_string()) for child in inner[:1])
                shape["body"] = {"size": size, "attachmentId": IN_ARCHIVE}
        else:
            shape["body"] = _body(message)
        return shape


def part_of(raw: bytes, part_id: str) -> bytes | None:
    """Returns the decoded bytes of a part; None if there is no such part."""
    found = _parsed(raw)
    for step in filter(None, part_id.split(".")):
        below = found.get_payload()
        number = int(step) if step.isdecimal() else -1
        inner = below[number] if isinstance(below, list) and 0 <= number < len(below) else None
        if not isinstance(inner, Message):
            return None
        found = inner
    return _data(found)


class _BriefMessage(Message):
    """A message whose fields about its content are cut: the standard library takes quadratic time on their parameters."""

    def set_raw(self, name: str, value: str) -> None:
        super().set_raw(name, value[:LONGEST_CONTENT_FIELD] if name.lower().startswith("content-") else value)


def _parsed(raw: bytes) -> Message:
    """Parses the message in pieces. Given all at once, the standard library holds it four more times."""
    parser = BytesFeedParser(_BriefMessage, policy=policy.compat32)
    for at in range(0, len(raw), _CHUNK_BYTES):
        parser.feed(raw[at : at + _CHUNK_BYTES])
    return parser.close()


def _nests(message: Message) -> bool:
    """Whether what is below are parts; the blocks of a delivery report are not."""
    return message.get_content_maintype() == "multipart" or _kind(message) in ("message/rfc822", "message/global")


def _body(message: Message) -> Json:
    data = _data(message)
    readable = message.get_content_maintype() in ("text", "multipart", "message") and not _filename(message)
    if readable and len(data) <= LONGEST_TEXT:
        return {"size": len(data), "data": _packed(data)} if data else {"size": 0}
    return {"size": len(data), "attachmentId": IN_ARCHIVE}


def _data(message: Message) -> bytes:
    """The content, with its transfer encoding decoded as far as possible."""
    below = message.get_payload()
    if isinstance(below, list):
        return b"\n".join(child.as_bytes() for child in below if isinstance(child, Message))
    found = message.get_payload(decode=True)
    return found if isinstance(found, bytes) else b""


def _kind(message: Message) -> str:
    """The type without comments; an invalid one is text, as in mail programs."""
    return _COMMENT.split(message.get_content_type())[0]


def _filename(message: Message) -> str:
    """The file name, also if the header has raw bytes."""
    clean = Message()
    for name, value in message.raw_items():
        if name.lower() in ("content-disposition", "content-type") and name not in clean:
            clean[name] = _value(value)
    try:
        return clean.get_filename() or ""
    except (LookupError, ValueError, TypeError):
        return ""


def _value(value: object) -> str:
    """A header value as text: raw bytes are UTF-8, or else windows-1252."""
    data = str(value).encode("utf-8", "surrogateescape")
    try:
        plain = data.decode("utf-8")
    except UnicodeDecodeError:
        plain = data.decode("windows-1252", "replace")
    return plain.replace("\r", "").replace("\n", "")


def _packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode("ascii")
