"""Gmail's message resources (`format=full`) as typed structs: what is wanted of an answer's JSON, decoded in one go.

Strict: an answer with a field of another type, or with headers without name, without measure or without number, is refused,
and the tolerant reading of plain objects has the word.
"""

from typing import Annotated

import msgspec

from app.mail.mime.parts import LONGEST_HEADER, MOST_HEADERS, MOST_PARTS, MimePart, MimeTree


class Header(msgspec.Struct, gc=False):
    """One header line."""

    name: Annotated[str, msgspec.Meta(min_length=1)]
    value: Annotated[str, msgspec.Meta(max_length=LONGEST_HEADER)] = ""


class Body(msgspec.Struct, rename="camel", gc=False):
    """What a part holds: base64url text, or where to get it."""

    data: str = ""
    size: int = 0
    attachment_id: str = ""


class Entity(msgspec.Struct, rename="camel"):
    """One MIME part with those inside it."""

    part_id: str = ""
    mime_type: str = ""
    filename: str = ""
    headers: Annotated[list[Header], msgspec.Meta(max_length=MOST_HEADERS)] = []
    body: Body = msgspec.field(default_factory=Body)
    parts: list["Entity"] = []


class Resource(msgspec.Struct, rename="camel"):
    """A message. Numbers come as numbers or as text."""

    id: str = ""
    thread_id: str = ""
    label_ids: list[str] = []
    snippet: str = ""
    history_id: str | int = 0
    internal_date: str | int = 0
    size_estimate: str | int = 0
    payload: Entity = msgspec.field(default_factory=Entity)


class ThreadResource(msgspec.Struct):
    """A thread's messages in Gmail's order."""

    messages: list[Resource] = []


def message_resource(body: bytes) -> Resource | None:
    """The message in an answer; None where it is not as it should be. Raises `msgspec.DecodeError` for what is no JSON."""
    try:
        return msgspec.json.decode(body, type=Resource)
    except (msgspec.ValidationError, RecursionError):
        return None


def thread_resource(body: bytes) -> ThreadResource | None:
    """The thread in an answer; None where it is not as it should be. Raises `msgspec.DecodeError` for what is no JSON."""
    try:
        return msgspec.json.decode(body, type=ThreadResource)
    except (msgspec.ValidationError, RecursionError):
        return None


def entities(payload: Entity) -> MimeTree:
    """The flattened tree of a payload, the same as `parts_of` makes of plain objects."""
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
        tuple([(one.name, one.value) for one in source.headers]),
        body.data,
        body.size,
        body.attachment_id,
    )
