"""The MIME parts of a `format=full` payload: a flat list in document order, and which of them are body or attachment.

The list is built without recursion. Of alternatives only the richest readable one is used, so text hidden in another alternative
is never read. An invalid number affects only its own message or count.
"""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pybase64

from app.domain.record import replace

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST, LATEST = datetime(1000, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
"""Beyond these, converting to another time zone may overflow."""
MOST = 2**31 - 1
"""Google counts messages and bytes with 32 bits."""
LONGEST = 40
"""Numbers with more digits are not read."""


def count_of(value: object) -> int:
    """Reads a count or a size, from 0 to `MOST`."""
    return min(max(_whole(value) or 0, 0), MOST)


def moment_of(value: object) -> datetime | None:
    """Reads milliseconds since 1970; None if invalid or out of range."""
    unix_ms = _whole(value)
    try:
        moment = EPOCH + timedelta(milliseconds=unix_ms) if unix_ms is not None else None
    except OverflowError:
        return None
    return moment if moment is not None and EARLIEST <= moment < LATEST else None


def settled(moment: datetime) -> datetime:
    """Limits a time to the range from `EARLIEST` to `LATEST`."""
    try:
        return min(max(moment.astimezone(UTC), EARLIEST), LATEST)
    except OverflowError:
        return LATEST if moment.year > EPOCH.year else EARLIEST


def _whole(value: object) -> int | None:
    if isinstance(value, int):
        return value
    if isinstance(value, str) and len(value) <= LONGEST and value.isascii():
        return int(value) if value.removeprefix("-").isdigit() else None
    return None


MOST_PARTS = 20_000
MOST_HEADERS = 1000
LONGEST_HEADER = 100_000


@dataclass(slots=True)
class MimePart:
    """One MIME part. `mime_type` is lower-case, `raw` is base64url text, `children` are indexes into the flat list."""

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
    return tuple(
        [
            (name, value[:LONGEST_HEADER] if isinstance(value := each.get("value"), str) else "")
            for each in found[:MOST_HEADERS]
            if isinstance(each, dict) and isinstance(name := each.get("name"), str) and name
        ]
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


SHOWN = frozenset({"text/plain", "text/html"})
TEXTUAL = SHOWN | {"text/enriched", "text/richtext", "text/watch-html", "text/x-amp-html", ""}
UNSHOWN_ALTERNATIVES = frozenset({"text/x-amp-html", "text/watch-html"})
"""Versions of the body for other devices; they are not shown here."""
NOTHING, TEXT, HTML = range(3)
"""What a part contributes to a body: nothing, text, or text with HTML in it."""
BODY, PASSED_OVER, BESIDE = range(3)
"""Where a part lies: in the body, in an alternative that nobody sees, or beside both."""


class BodyParts(NamedTuple):
    """`body` parts in reading order; `nested` are whole messages inside, also listed in `attachments`."""

    body: tuple[MimePart, ...]
    attachments: tuple[MimePart, ...]
    nested: tuple[MimePart, ...]


def choose(parts: Sequence[MimePart]) -> BodyParts:
    """Returns body and attachments of a flattened tree (children after their parents)."""
    closed = _inside_nested(parts)
    body, passed_over = _walk(parts, closed, _views(parts, closed))
    taken = {*body, *passed_over, *closed}
    leaves = [part for number, part in enumerate(parts) if not part.mime_type.startswith("multipart/") and number not in taken]
    nested = tuple(part for part in leaves if is_message(part))
    # An empty text part is not worth listing.
    listed = tuple(part for part in leaves if part.filename or part.attachment_id or part.raw or part.size or is_message(part))
    return BodyParts(tuple(parts[number] for number in body), listed, nested)


def subtree(parts: Sequence[MimePart], part: MimePart) -> tuple[MimePart, ...]:
    """The parts below `part` as a flattened tree of its own."""
    order: list[int] = []
    waiting = list(reversed(part.children))
    while waiting:
        number = waiting.pop()
        order.append(number)
        waiting += reversed(parts[number].children)
    places = {number: place for place, number in enumerate(order)}
    return tuple(replace(parts[number], children=[places[child] for child in parts[number].children]) for number in order)


def _views(parts: Sequence[MimePart], closed: set[int]) -> list[int]:
    """The view of each part, computed from its children.

    Only the kind is kept, not the list of parts: a message with a thousand levels and ten thousand parts would need a long list
    at each level.
    """
    views = [NOTHING] * len(parts)
    for number in range(len(parts) - 1, -1, -1):
        part = parts[number]
        if number in closed:
            continue
        if not part.mime_type.startswith("multipart/"):
            views[number] = (HTML if part.mime_type == "text/html" else TEXT) if _readable(part) else NOTHING
        elif not part.children:
            # no boundary was found in it: showing its source is better than nothing
            views[number] = TEXT if part.raw else NOTHING
        elif (only := _one_child(parts, part, views)) is not None:
            views[number] = views[only] if only >= 0 else NOTHING
        else:
            views[number] = max(views[child] for child in part.children)
    return views


def _one_child(parts: Sequence[MimePart], part: MimePart, views: Sequence[int]) -> int | None:
    """The only child of `part` that is shown.

    -1 if it has none, None if all are shown. Of alternatives it is the last only with HTML, else the last one with text.
    """
    if part.mime_type == "multipart/alternative":
        shown_children = [child for child in part.children if views[child] and parts[child].mime_type not in UNSHOWN_ALTERNATIVES]
        return ([child for child in shown_children if views[child] == HTML] or shown_children or [-1])[-1]
    if part.mime_type in {"multipart/related", "multipart/signed"}:
        return next((child for child in part.children if views[child]), -1)
    return None


def _walk(parts: Sequence[MimePart], closed: set[int], views: Sequence[int]) -> tuple[list[int], set[int]]:
    """The body parts in reading order, and the body parts of the unused alternatives."""
    body: list[int] = []
    passed_over: set[int] = set()
    waiting = [(0, BODY)] if parts else []
    while waiting:
        number, place = waiting.pop()
        part = parts[number]
        if number in closed:
            continue
        if not part.mime_type.startswith("multipart/") or not part.children:
            if views[number] and place == BODY:
                body.append(number)
            elif views[number] and place == PASSED_OVER:
                passed_over.add(number)
            continue
        only = _one_child(parts, part, views)
        alternative = part.mime_type == "multipart/alternative"
        if alternative:
            passed_over.update(each for each in part.children if each != only and parts[each].mime_type in UNSHOWN_ALTERNATIVES)
        others = PASSED_OVER if alternative else BESIDE
        waiting += [(each, place if only is None or each == only else others) for each in reversed(part.children)]
    return body, passed_over


def _readable(part: MimePart) -> bool:
    return part.mime_type in TEXTUAL and not part.is_attachment and bool(part.raw or not part.attachment_id)


def _inside_nested(parts: Sequence[MimePart]) -> set[int]:
    """All parts below a nested message; they belong to that message."""
    closed: set[int] = set()
    for number, part in enumerate(parts):
        if is_message(part) or number in closed:
            closed.update(part.children)
    return closed


def is_message(part: MimePart) -> bool:
    return part.mime_type in {"message/rfc822", "message/global"}
