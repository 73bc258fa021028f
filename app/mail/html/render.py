"""Renders the chosen body parts as text and as clean HTML, within limits; a note says what was cut.

Never raises because of content: an unreadable part becomes a line in brackets that names it. Joins `format=flowed` lines (RFC
3676) within their quote depth.
"""

import html
import re
from collections.abc import Sequence
from typing import NamedTuple

from app.mail.html.bounds import TimeBudget, TooSlow, bounded
from app.mail.html.clean import LONGEST_HTML, clean_html
from app.mail.html.visible import visible_text
from app.mail.mime.calendar_parts import calendar_summary
from app.mail.mime.headers import decode_words
from app.mail.mime.parts import BodyParts, MimePart, choose, subtree
from app.mail.mime.text import decode_body, unescaped, visible_only

FLOWED = re.compile(r"format\s*=\s*\"?flowed", re.IGNORECASE)
DELETED_SPACE = re.compile(r"delsp\s*=\s*\"?yes", re.IGNORECASE)
SIGNATURE = "-- "


def unflowed(text: str, content_type: str) -> str:
    r"""Joins flowed lines if `content_type` says that `text` is flowed. Line ends are `\n`."""
    if not FLOWED.search(content_type) or " \n" not in text:
        return text
    deleted = DELETED_SPACE.search(content_type) is not None
    lines: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        words = line[depth:].removeprefix(" ")
        joins = depth == open_depth and words != SIGNATURE
        if joins:
            lines[-1] += words
        else:
            lines.append(f"{'>' * depth} {words}" if depth else words)
        open_depth = -1
        if words.endswith(" ") and words != SIGNATURE:
            open_depth = depth
            if deleted:
                lines[-1] = lines[-1][:-1]
    return "\n".join(lines)


LONGEST_TEXT = 1_000_000
MOST_BYTES = 4 * LONGEST_TEXT + 8
"""Bytes of a part that are read: enough for the longest text in any charset."""
MOST_BODY_PARTS = 200
DEEPEST_NESTED = 3
CALENDAR = frozenset({"text/calendar", "application/ics"})
REPORT = frozenset({"message/delivery-status", "message/disposition-notification", "message/feedback-report"})
WRAPPED = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted", "application/ms-tnef"})
MOST_NESTED = 30


class RenderedBody(NamedTuple):
    """A rendered body.

    `text` is what a reader sees; `html` is clean and empty for a message without HTML; `source` is HTML that is not cleaned yet.
    `too_slow`: the HTML needed more time than a mail has, so there is only text.
    """

    text: str
    html: str
    source: str = ""
    too_slow: bool = False


def render(parts: Sequence[MimePart], chosen: BodyParts, *, clean: bool = True) -> RenderedBody:
    """Returns text and HTML of the chosen body.

    A body without text gets a summary. Without `clean` the HTML of a single part is left uncleaned in `source`, because cleaning
    costs more than all the rest. Several parts are always cleaned and joined.
    """
    budget = TimeBudget()
    try:
        shown = [_render_one(part, budget) for part in chosen.body[:MOST_BODY_PARTS]]
        text = "\n\n".join(each.text for each in shown if each.text)
        if len(chosen.body) > MOST_BODY_PARTS:
            text += f"\n\n[{len(chosen.body) - MOST_BODY_PARTS} further text parts are not shown]"
        text = text or _without_text(parts, chosen, DEEPEST_NESTED, budget)
    except TooSlow:
        return RenderedBody(_capped(_plain(parts, chosen)), "", too_slow=True)
    text = _capped(text.strip("\n"))
    if len(shown) == 1 and not clean:
        return RenderedBody(text, "", shown[0].source)
    try:
        return RenderedBody(text, _joined_html(shown, budget))
    except TooSlow:
        return RenderedBody(text, "", too_slow=True)


SILENT = re.compile(r"<(/?)(?:style|script|title)\b[^<>]*>", re.IGNORECASE)
TAG = re.compile(r"<[^<>]*>")


def _plain(parts: Sequence[MimePart], chosen: BodyParts) -> str:
    """The plain text of a mail whose HTML is too slow to read: its own, or else that between the tags."""
    own = [part for part in parts if part.mime_type == "text/plain" and not part.is_attachment][:MOST_BODY_PARTS]
    texts = [decode_body(part.beginning(MOST_BYTES), part.header("Content-Type"))[:LONGEST_TEXT] for part in own or chosen.body]
    return _trimmed(visible_only("\n\n".join(texts if own else map(_between_tags, texts)))[: LONGEST_TEXT + 1])


def _between_tags(source: str) -> str:
    kept, at, opened = [], 0, False
    for found in SILENT.finditer(source):
        kept += [] if opened else [source[at : found.start()]]
        at, opened = found.end(), not found[1]
    return unescaped(TAG.sub(" ", "".join([*kept, "" if opened else source[at:]])))


def _render_one(part: MimePart, budget: TimeBudget) -> RenderedBody:
    source = decode_body(part.beginning(MOST_BYTES), part.header("Content-Type"))
    if part.raw and not source:
        return RenderedBody(f"[part {part.part_id} ({part.mime_type}) cannot be decoded]", "")
    if part.mime_type == "text/html":
        return _render_html(source, budget)
    text = unflowed(visible_only(source[: LONGEST_TEXT + 1]), part.header("Content-Type"))
    return RenderedBody(_trimmed(text), "")


def _render_html(source: str, budget: TimeBudget) -> RenderedBody:
    cut = len(source) > LONGEST_HTML
    source = bounded(source[:LONGEST_HTML])
    text = visible_text(source, budget)
    if cut:
        text += "\n\n[the rest of this part is not shown: it is too long]"
    return RenderedBody(text, "", source)


def _joined_html(shown: Sequence[RenderedBody], budget: TimeBudget) -> str:
    """One clean HTML body; plain parts are added as escaped text. Raises `TooSlow`."""
    cleaned: list[str] = []
    for each in shown:
        budget.check()
        cleaned.append(clean_html(each.source))
    if not any(cleaned):
        return ""
    pieces = [
        safe or html.escape(each.text, quote=False).replace("\n", "<br>")
        for safe, each in zip(cleaned, shown, strict=True)
        if safe or each.text
    ]
    return pieces[0] if len(pieces) == 1 else clean_html("".join(f"<div>{piece}</div>" for piece in pieces))


def _without_text(parts: Sequence[MimePart], chosen: BodyParts, levels: int, budget: TimeBudget) -> str:
    """A summary of a message without readable text.

    It holds an invitation, a report, a forwarded message or something encrypted.
    """
    for part in parts:
        if part.mime_type in CALENDAR and (summary := calendar_summary(decode_body(part.data, part.header("Content-Type")))):
            return summary
    reports = [_trimmed(visible_only(decode_body(part.data, "")[:20_000])) for part in parts if part.mime_type in REPORT]
    if any(reports):
        return "\n\n".join(filter(None, reports))
    if chosen.nested and levels:
        shown = chosen.nested[:MOST_NESTED]
        left_out = len(chosen.nested) - len(shown)
        more = [f"[{left_out} further mails are not shown]"] if left_out else []
        return "\n\n".join([*(_nested(parts, each, levels, budget) for each in shown), *more])
    return _named_only(parts)


def _named_only(parts: Sequence[MimePart]) -> str:
    """A note for content that is not text and was not included."""
    secret = next((part for part in parts if part.mime_type in WRAPPED), None)
    if secret is not None:
        return f"[this mail is encrypted or wrapped ({secret.mime_type}); part {secret.part_id or '0'} holds it]"
    report = next((part for part in parts if part.mime_type in REPORT), None)
    return f"[this mail is a report ({report.mime_type}); part {report.part_id or '0'} holds it]" if report else ""


def _nested(parts: Sequence[MimePart], part: MimePart, levels: int, budget: TimeBudget) -> str:
    """A nested message: sender, date, subject and its text."""
    inner = subtree(parts, part)
    # The inner message's headers are on the part below, or on the message part, which may also hold those of the outer message.
    sources = [*inner[:1], part]
    head = [f"{name}: {value}" for name in ("From", "Date", "Subject") if (value := _first(sources, name))]
    chosen = choose(inner) if inner else BodyParts((), (), ())
    body = "\n\n".join(filter(None, (_render_one(each, budget).text for each in chosen.body[:MOST_BODY_PARTS])))
    if not body and inner:
        body = _without_text(inner, chosen, levels - 1, budget)
    if not inner and part.raw:
        body = _trimmed(visible_only(decode_body(part.data, "")[:20_000]))
    return "\n".join(["---------- Forwarded message ----------", *head, "", body]).strip()


def _first(parts: Sequence[MimePart], name: str) -> str:
    return next((decode_words(value) for part in parts if (value := part.header(name))), "")


def _trimmed(text: str) -> str:
    """Text without white space at line ends and without empty lines at both ends."""
    if " \n" in text or "\t\n" in text:
        text = "\n".join(line.rstrip() for line in text.split("\n"))
    return text.strip("\n").rstrip()


def _capped(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    return text[:LONGEST_TEXT] + "\n\n[the rest of this mail is not shown: it is too long]"
