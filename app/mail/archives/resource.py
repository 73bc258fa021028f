"""Converts a message's source to the resource Gmail would return, so that one parser reads both.

Never raises because of content. The bytes of files are left out; they are read from the archive on demand. A file that was
already cut is known by its placeholder.
"""

import base64
import re
from collections.abc import Sequence
from email import policy
from email.message import Message
from email.parser import BytesFeedParser

from app.mail.archives.reduced import MARK, CutFile

MOST_PARTS = 5000
DEEPEST = 30
LONGEST_TEXT = 4_000_000
_BITE = 1 << 16
IN_ARCHIVE = "archive"
"""Used as the attachment id of files in an archive."""

Json = dict[str, object]
_MARK = re.compile(MARK + r"[0-9a-f]{32}")
_COMMENT = re.compile(r"[\s(]")


def resource_of(raw: bytes, gmail_id: str, thread_id: str, labels: list[str], cuts: Sequence[CutFile] = ()) -> Json:
    """Returns the resource; source that cannot be parsed as MIME becomes one plain text."""
    try:
        message = _parsed(raw)
        payload = _Reader(cuts).part(message, "", 0)
    except (RecursionError, ValueError, LookupError, AttributeError, TypeError, AssertionError):
        text = {"size": len(raw), "data": _packed(raw[:LONGEST_TEXT])}
        payload = {"partId": "", "mimeType": "text/plain", "filename": "", "headers": [], "body": text}
    return {"id": gmail_id, "threadId": thread_id, "labelIds": labels, "sizeEstimate": len(raw), "payload": payload}


class _Reader:
    """Converts one message and counts its parts."""

    def __init__(self, cuts: Sequence[CutFile]) -> None:
        self._count = 0
        self._cuts = cuts

    def part(self, message: Message, part_id: str, depth: int) -> Json:
        """Converts one part with those below it."""
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
                size = sum(self._whole(child.as_string()) for child in inner[:1])
                shape["body"] = {"size": size, "attachmentId": IN_ARCHIVE}
        else:
            shape["body"] = _body(message, self._cuts)
        return shape

    def _whole(self, text: str) -> int:
        """The length of a nested message including what was cut from it."""
        return len(text) + sum(cut.end - cut.start - len(cut.mark) for cut in self._cuts if cut.mark in text)


def cut_in(data: bytes, cuts: Sequence[CutFile]) -> CutFile | None:
    """Returns the cut whose placeholder is exactly these bytes."""
    found = data.strip() if cuts else b""
    return next((cut for cut in cuts if cut.mark.encode() == found), None)


def part_of(raw: bytes, part_id: str) -> bytes | None:
    """Returns the decoded bytes of a part, or its placeholder.

    None if there is no such part.
    """
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
    """Parses the message in pieces.

    Given all at once, the standard library holds it four more times.
    """
    parser = BytesFeedParser(policy=policy.compat32)
    for at in range(0, len(raw), _BITE):
        parser.feed(raw[at : at + _BITE])
    return parser.close()


def _nests(message: Message) -> bool:
    """Whether what is below are parts; the blocks of a delivery report are not."""
    return message.get_content_maintype() == "multipart" or _kind(message) in ("message/rfc822", "message/global")


def _body(message: Message, cuts: Sequence[CutFile]) -> Json:
    text = message.get_payload()
    cut = cut_in(text.encode("utf-8", "surrogateescape"), cuts) if isinstance(text, str) and cuts and len(text) < 100 else None
    if cut is not None:
        return {"size": cut.size, "attachmentId": IN_ARCHIVE}
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
    text = message.get_payload()
    if isinstance(text, str) and _MARK.fullmatch(text.strip()):  # it is not encoded, whatever the header says
        return text.encode("ascii")
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
