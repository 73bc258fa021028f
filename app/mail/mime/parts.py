"""The MIME parts of a `format=full` payload as a flat list in document order, built without recursion."""

import base64
import binascii
from dataclasses import dataclass, field
from typing import NamedTuple

import pybase64

MOST_PARTS = 20_000
MOST_HEADERS = 1000
LONGEST_HEADER = 100_000


@dataclass(slots=True)
class MimePart:
    """One MIME part.

    `mime_type` is lower-case, `raw` is base64url text, `children` are indexes into the flat list.
    """

    part_id: str
    mime_type: str
    filename: str
    headers: tuple[tuple[str, str], ...]
    raw: str
    size: int
    attachment_id: str
    children: list[int] = field(default_factory=list)

    @property
    def data(self) -> bytes:
        """The decoded bytes; empty if they are not base64."""
        try:
            return unpacked(self.raw)
        except (binascii.Error, ValueError):
            return b""

    def beginning(self, most_bytes: int) -> bytes:
        """Decodes about `most_bytes` from the start, and does not end within a UTF-8 character."""
        most_signs = most_bytes // 3 * 4
        if len(self.raw) <= most_signs:
            return self.data
        try:
            start = unpacked(self.raw[:most_signs])
        except (binascii.Error, ValueError):
            return b""
        whole = len(start)
        while whole and start[whole - 1] & 0xC0 == 0x80 and len(start) - whole < 4:
            whole -= 1
        return start[: whole - 1] if whole and start[whole - 1] >= 0xC0 else start

    def header(self, name: str) -> str:
        """Returns the first header of that name, in any case."""
        wanted, length = name.lower(), len(name)
        for key, value in self.headers:
            if len(key) == length and key.lower() == wanted:
                return value
        return ""

    @property
    def is_attachment(self) -> bool:
        """Whether the sender marked the part as a file."""
        return bool(self.filename) or self.header("Content-Disposition").strip().lower().startswith("attachment")


class MimeTree(NamedTuple):
    """All parts, the root first, parents before children; `left_out` counts those over the limit."""

    parts: tuple[MimePart, ...]
    left_out: int


def parts_of(payload: dict[str, object]) -> MimeTree:
    """Flattens a payload. Fields of a wrong type count as missing."""
    flat: list[MimePart] = []
    left_out = 0
    waiting: list[tuple[dict[str, object], int]] = [(payload, -1)]
    while waiting:
        source, parent = waiting.pop()
        if len(flat) >= MOST_PARTS:
            left_out += 1
            continue
        if parent >= 0:
            flat[parent].children.append(len(flat))
        own = len(flat)
        flat.append(_part(source))
        below = source.get("parts")
        if isinstance(below, list):
            waiting += [(each, own) for each in reversed(below) if isinstance(each, dict)]
    return MimeTree(tuple(flat), left_out)


def _part(source: dict[str, object]) -> MimePart:
    body = source.get("body")
    body = body if isinstance(body, dict) else {}
    size = body.get("size")
    return MimePart(
        part_id=_text(source, "partId"),
        mime_type=_text(source, "mimeType").strip().lower(),
        filename=_text(source, "filename"),
        headers=headers_of(source),
        raw=_text(body, "data"),
        size=size if isinstance(size, int) else 0,
        attachment_id=_text(body, "attachmentId"),
    )


def headers_of(source: dict[str, object]) -> tuple[tuple[str, str], ...]:
    """Name and value of each header as the server sent them, at most 1,000."""
    found = source.get("headers")
    if not isinstance(found, list):
        return ()
    pairs = [(each.get("name"), each.get("value")) for each in found[:MOST_HEADERS] if isinstance(each, dict)]
    return tuple(
        (name, value[:LONGEST_HEADER] if isinstance(value, str) else "")
        for name, value in pairs
        if isinstance(name, str) and name
    )


def _text(source: dict[str, object], key: str) -> str:
    value = source.get(key)
    return value if isinstance(value, str) else ""


def unpacked(data: str) -> bytes:
    """Decodes Gmail's base64url, padded or not. Raises `ValueError`."""
    padded = data + "=" * (-len(data) % 4)
    try:
        return pybase64.b64decode(padded, b"-_", validate=True)
    except binascii.Error:  # the lenient decoder skips characters outside the alphabet
        return base64.urlsafe_b64decode(padded)
