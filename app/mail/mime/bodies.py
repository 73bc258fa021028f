"""Decides which parts of a message are its body and which are attachments.

Of alternatives only the richest readable one is used, so text hidden in another alternative is never read.
"""

from collections.abc import Sequence
from typing import NamedTuple

from app.mail.mime.parts import MimePart

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
    if (simple := _simple(parts)) is not None:
        return simple
    closed = _inside_nested(parts)
    body, passed_over = _walk(parts, closed, _views(parts, closed))
    taken = {*body, *passed_over, *closed}
    leaves = [number for number, part in enumerate(parts) if not _is_frame(part) and number not in taken]
    nested = tuple(parts[number] for number in leaves if is_message(parts[number]))
    attachments = tuple(parts[number] for number in leaves if _worth_listing(parts[number]))
    return BodyParts(tuple(parts[number] for number in body), attachments, nested)


def subtree(parts: Sequence[MimePart], part: MimePart) -> tuple[MimePart, ...]:
    """The parts below `part` as a flattened tree of its own."""
    order: list[int] = []
    waiting = list(reversed(part.children))
    while waiting:
        number = waiting.pop()
        order.append(number)
        waiting += reversed(parts[number].children)
    places = {number: place for place, number in enumerate(order)}
    return tuple(_moved(parts[number], places) for number in order)


def _simple(parts: Sequence[MimePart]) -> BodyParts | None:
    """The result for the two most common shapes.

    These are a single text, and plain text with an HTML alternative.
    """
    if len(parts) == 1 and parts[0].mime_type in SHOWN and _readable(parts[0]):
        return BodyParts((parts[0],), (), ())
    kinds = [part.mime_type for part in parts] if len(parts) == 3 else []
    if kinds == ["multipart/alternative", "text/plain", "text/html"] and _readable(parts[1]) and _readable(parts[2]):
        return BodyParts((parts[2],), (), ()) if parts[0].children == [1, 2] else None
    return None


def _moved(part: MimePart, places: dict[int, int]) -> MimePart:
    children = [places[child] for child in part.children]
    return MimePart(part.part_id, part.mime_type, part.filename, part.headers, part.raw, part.size, part.attachment_id, children)


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
    """Whether the part is a message inside a message."""
    return part.mime_type in {"message/rfc822", "message/global"}


def _is_frame(part: MimePart) -> bool:
    return part.mime_type.startswith("multipart/")


def _worth_listing(part: MimePart) -> bool:
    """Whether it is more than an empty text part."""
    return bool(part.filename or part.attachment_id or part.raw or part.size or is_message(part))
