"""A draft with its spans: offsets in characters of `Draft.body`, never characters in it."""

from enum import StrEnum

from app.domain.ids import MessageId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Address
from app.domain.record import Record, replace


class SpanKind(StrEnum):
    """What a span says about its text."""

    OPEN_SLOT = "open_slot"
    FROM_SOURCE = "from_source"
    UNSUPPORTED = "unsupported"


class Span(Record):
    """`start` and `end` in characters, equal for an open slot.

    `note` is the slot's prompt, or the claim without a source. `source_message_id` is the message the text was taken from, 0 if
    none.
    """

    start: int
    end: int
    kind: SpanKind
    note: str = ""
    source_message_id: MessageId = MessageId(0)


class SourceKind(StrEnum):
    """Where a piece of context came from."""

    MESSAGE = "message"
    OWN_REPLY = "own_reply"
    CALENDAR = "calendar"
    CONTACT = "contact"
    KNOWLEDGE = "knowledge"
    PAGE = "page"


class Source(Record):
    """A piece of context shown under Why.

    `readers` are the addresses that already have this text (lower case). `score` is similarity in 0..1, or 0. `message_id` is 0
    if the source is not a message.
    """

    kind: SourceKind
    title: str
    excerpt: str
    message_id: MessageId = MessageId(0)
    readers: frozenset[str] = frozenset()
    score: float = 0.0


BY_RULE = frozenset({"template", "own-reply"})
"""Makers of drafts that are not models."""


class Draft(Record):
    """A proposed or approved reply.

    `body` is plain text without the quoted original and without the signature, which composing adds. `maker` is `template`,
    `own-reply`, or a litellm model id. `reply_to` is the answered message, or 0. `attachments` are artifacts.
    """

    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    bcc: tuple[Address, ...]
    subject: str
    body: str
    maker: str
    reply_to: MessageId = MessageId(0)
    spans: tuple[Span, ...] = ()
    attachments: tuple[ArtifactHandle, ...] = ()

    @property
    def open_slots(self) -> tuple[str, ...]:
        return tuple(span.note for span in self.spans if span.kind is SpanKind.OPEN_SLOT)

    @property
    def complete(self) -> bool:
        """Whether it may be approved: some text and no open slot."""
        return bool(self.body.strip()) and not self.open_slots

    @property
    def by_rule(self) -> bool:
        return self.maker in BY_RULE

    @property
    def recipients(self) -> tuple[Address, ...]:
        return self.to + self.cc + self.bcc


def fill_slots(draft: Draft, answers: tuple[str, ...]) -> Draft:
    """Puts `answers` into the open slots in order; further slots stay open. Other spans move with the text."""
    body = draft.body
    spans = list(draft.spans)
    for answer in answers:
        slot = next((span for span in spans if span.kind is SpanKind.OPEN_SLOT), None)
        if slot is None:
            break
        spans.remove(slot)
        body = body[: slot.start] + answer + body[slot.start :]
        spans = [_shifted(span, slot.start, len(answer)) for span in spans]
    return replace(draft, body=body, spans=tuple(spans))


def _shifted(span: Span, at: int, by: int) -> Span:
    """`span` after `by` characters were inserted at `at`. A span that starts there moves, one that ends there does not."""
    start = span.start + by if span.start >= at else span.start
    end = span.end + by if span.end > at or span.start >= at else span.end
    return replace(span, start=start, end=end)
