"""Which parts of a mail are its body, and which are attachments: what a reader would see.

Of alternatives the richest that can be shown is the body, and the others are not looked at, so that a text hidden in an
unseen alternative reaches nobody. Refuses to decode; it only chooses.
"""

from collections.abc import Sequence
from typing import NamedTuple

from app.mail.mime.parts import Part

SHOWN = frozenset({"text/plain", "text/html"})
TEXTUAL = SHOWN | {"text/enriched", "text/richtext", "text/watch-html", "text/x-amp-html", ""}
UNSHOWN_ALTERNATIVES = frozenset({"text/x-amp-html", "text/watch-html"})
"""Versions of the body for other devices; nobody reads them here."""


class Chosen(NamedTuple):
    """`body` parts in reading order; `attachments`; `nested` are whole messages inside (also among the attachments)."""

    body: tuple[Part, ...]
    attachments: tuple[Part, ...]
    nested: tuple[Part, ...]


def choose(parts: Sequence[Part]) -> Chosen:
    """Body and attachments of a flattened tree (children stand after their parents)."""
    if (simple := _simple(parts)) is not None:
        return simple
    closed = _inside_nested(parts)
    views: list[list[int]] = [[] for _ in parts]
    passed_over: set[int] = set()
    for number in range(len(parts) - 1, -1, -1):
        if number not in closed:
            views[number] = _view(parts, number, views, passed_over)
    body = views[0] if parts else []
    taken = {*body, *passed_over, *closed}
    leaves = [number for number, part in enumerate(parts) if not _is_frame(part) and number not in taken]
    nested = tuple(parts[number] for number in leaves if is_message(parts[number]))
    attachments = tuple(parts[number] for number in leaves if _worth_listing(parts[number]))
    return Chosen(tuple(parts[number] for number in body), attachments, nested)


def subtree(parts: Sequence[Part], part: Part) -> tuple[Part, ...]:
    """The parts below `part` as a flattened tree of its own."""
    order: list[int] = []
    waiting = list(reversed(part.children))
    while waiting:
        number = waiting.pop()
        order.append(number)
        waiting += reversed(parts[number].children)
    places = {number: place for place, number in enumerate(order)}
    return tuple(_moved(parts[number], places) for number in order)


def _simple(parts: Sequence[Part]) -> Chosen | None:
    """The choice in the two shapes that nearly all mail has: one text, or a plain and an HTML version of it."""
    if len(parts) == 1 and parts[0].mime_type in SHOWN and _readable(parts[0]):
        return Chosen((parts[0],), (), ())
    kinds = [part.mime_type for part in parts] if len(parts) == 3 else []
    if kinds == ["multipart/alternative", "text/plain", "text/html"] and _readable(parts[1]) and _readable(parts[2]):
        return Chosen((parts[2],), (), ()) if parts[0].children == [1, 2] else None
    return None


def _moved(part: Part, places: dict[int, int]) -> Part:
    children = [places[child] for child in part.children]
    return Part(part.part_id, part.mime_type, part.filename, part.headers, part.raw, part.size, part.attachment_id, children)


def _view(parts: Sequence[Part], number: int, views: list[list[int]], passed_over: set[int]) -> list[int]:
    """The body parts that this part contributes."""
    part = parts[number]
    if not part.mime_type.startswith("multipart/"):
        return [number] if _readable(part) else []
    if not part.children:
        return [number] if part.raw else []  # no boundary was found in it: better its source than nothing
    if part.mime_type == "multipart/alternative":
        return _best(parts, part, views, passed_over)
    if part.mime_type in {"multipart/related", "multipart/signed"}:
        return next((views[child] for child in part.children if views[child]), [])
    return [found for child in part.children for found in views[child]]


def _best(parts: Sequence[Part], part: Part, views: list[list[int]], passed_over: set[int]) -> list[int]:
    """The last alternative with HTML, else the last with text; the others are passed over."""
    able = [child for child in part.children if views[child] and parts[child].mime_type not in UNSHOWN_ALTERNATIVES]
    rich = [child for child in able if any(parts[leaf].mime_type == "text/html" for leaf in views[child])]
    best = (rich or able)[-1:]
    for child in part.children:
        if child not in best:
            passed_over.update(views[child])
            if parts[child].mime_type in UNSHOWN_ALTERNATIVES:
                passed_over.add(child)
    return views[best[0]] if best else []


def _readable(part: Part) -> bool:
    return part.mime_type in TEXTUAL and not part.is_attachment and bool(part.raw or not part.attachment_id)


def _inside_nested(parts: Sequence[Part]) -> set[int]:
    """All parts below a nested message: they are that message's, not this one's."""
    closed: set[int] = set()
    for number, part in enumerate(parts):
        if is_message(part) or number in closed:
            closed.update(part.children)
    return closed


def is_message(part: Part) -> bool:
    """Whether it is a mail inside a mail."""
    return part.mime_type in {"message/rfc822", "message/global"}


def _is_frame(part: Part) -> bool:
    return part.mime_type.startswith("multipart/")


def _worth_listing(part: Part) -> bool:
    """Not an empty text part that nobody would miss."""
    return bool(part.filename or part.attachment_id or part.raw or part.size or is_message(part))
