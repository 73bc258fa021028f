"""Gmail's message resources (`format=full`) as typed structs, decoded in one pass.

Strict: an answer with a wrong type, a nameless header, or too many or too long headers is rejected, and `app.mail.parse` reads
plain objects instead.
"""

from typing import Annotated

import msgspec

from app.mail.mime.parts import LONGEST_HEADER, MOST_HEADERS, MOST_PARTS, MimePart, MimeTree


class Header(msgspec.Struct, gc=False):
    """One header field."""

    name: Annotated[str, msgspec.Meta(min_length=1)]
    value: Annotated[str, msgspec.Meta(max_length=LONGEST_HEADER)] = ""


class Body(msgspec.Struct, rename="camel", gc=False):
    """The content of a part.

    Either base64url text, or the attachment id to fetch it by.
    """

    data: str = ""
    size: int = 0
    attachment_id: str = ""


class Entity(msgspec.Struct, rename="camel"):
    """One MIME part with its inner parts."""

    part_id: str = ""
    mime_type: str = ""
    filename: str = ""
    headers: Annotated[list[Header], msgspec.Meta(max_length=MOST_HEADERS)] = []
    body: Body = msgspec.field(default_factory=Body)
    parts: list["Entity"] = []


class Resource(msgspec.Struct, rename="camel"):
    """A message. Numbers may come as strings."""

    id: str = ""
    thread_id: str = ""
    label_ids: list[str] = []
    snippet: str = ""
    history_id: str | int = 0
    internal_date: str | int = 0
    size_estimate: str | int = 0
    payload: Entity = msgspec.field(default_factory=Entity)


class ThreadResource(msgspec.Struct):
    """The messages of a thread in Gmail's order."""

    messages: list[Resource] = []


def message_resource(body: bytes) -> Resource | None:
    """Decodes a message; None if it has another shape.

    Raises `msgspec.DecodeError` if the answer is not JSON.
    """
    try:
        return msgspec.json.decode(body, type=Resource)
    except (msgspec.ValidationError, RecursionError):
        return None


def thread_resource(body: bytes) -> ThreadResource | None:
    """Decodes a thread; None if it has another shape.

    Raises `msgspec.DecodeError` if the answer is not JSON.
    """
    try:
        return msgspec.json.decode(body, type=ThreadResource)
    except (msgspec.ValidationError, RecursionError):
        return None


def entities(payload: Entity) -> MimeTree:
    """Flattens a payload, with the same result as `parts_of`."""
    if not payload.parts:
        return MimeTree((_part(payload),), 0)
    flat: list[MimePart] = []
    left_out = 0
    waiting: list[tuple[Entity, int]] = [(payload, -1)]
    while waiting:
        source, parent = waiting.pop()
        if len(flat) >= MOST_PARTS:
            left_out += 1
            continue
        own = len(flat)
        if parent >= 0:
            flat[parent].children.append(own)
        flat.append(_part(source))
        waiting += [(each, own) for each in reversed(source.parts)]
    return MimeTree(tuple(flat), left_out)


def _part(source: Entity) -> MimePart:
    body = source.body
    return MimePart(
        source.part_id,
        source.mime_type.strip().lower(),
        source.filename,
        tuple([(header.name, header.value) for header in source.headers]),
        body.data,
        body.size,
        body.attachment_id,
    )
