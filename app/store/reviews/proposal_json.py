"""Drafts, red flags, sources, tool steps and artifacts as JSON text.

Written by hand because the window reads them too and must not import heavy packages.
"""

import json
from typing import Any

from app.domain.drafting.draft import Draft, Source, SourceKind, Span, SpanKind
from app.domain.drafting.review import FlagKind, RedFlag, ToolStep
from app.domain.ids import MessageId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Address

_encode = json.JSONEncoder(separators=(",", ":")).encode


def draft_to_json(draft: Draft | None) -> str:
    """Empty text for None."""
    if draft is None:
        return ""
    fields = {
        "to": _addresses(draft.to),
        "cc": _addresses(draft.cc),
        "bcc": _addresses(draft.bcc),
        "subject": draft.subject,
        "body": draft.body,
        "maker": draft.maker,
        "reply_to": draft.reply_to,
        "spans": [[one.start, one.end, one.kind, one.note, one.source_message_id] for one in draft.spans],
    }
    if draft.attachments:
        fields["attachments"] = _files(draft.attachments)
    return _encode(fields)


def draft_from_json(text: str) -> Draft | None:
    if not text:
        return None
    found = json.loads(text)
    spans = tuple(Span(start, end, SpanKind(kind), note, MessageId(source)) for start, end, kind, note, source in found["spans"])
    return Draft(
        to=_people(found["to"]),
        cc=_people(found["cc"]),
        bcc=_people(found["bcc"]),
        subject=found["subject"],
        body=found["body"],
        maker=found["maker"],
        reply_to=MessageId(found["reply_to"]),
        spans=spans,
        attachments=tuple(ArtifactHandle(*row) for row in found.get("attachments", ())),
    )


def flags_to_json(flags: tuple[RedFlag, ...]) -> str:
    """Empty text for no flags."""
    return _encode([[one.kind, one.about] for one in flags]) if flags else ""


def flags_from_json(text: str) -> tuple[RedFlag, ...]:
    return tuple(RedFlag(FlagKind(kind), about) for kind, about in _listed(text))


def sources_to_json(sources: tuple[Source, ...]) -> str:
    """Empty text for no sources."""
    rows = [[one.kind, one.title, one.excerpt, one.message_id, sorted(one.readers), one.score] for one in sources]
    return _encode(rows) if rows else ""


def sources_from_json(text: str) -> tuple[Source, ...]:
    return tuple(
        Source(SourceKind(kind), title, excerpt, MessageId(message_id), frozenset(readers), score)
        for kind, title, excerpt, message_id, readers, score in _listed(text)
    )


def handles_to_json(handles: tuple[ArtifactHandle, ...]) -> str:
    """Artifacts as JSON; empty text for none."""
    return _encode(_files(handles)) if handles else ""


def handles_from_json(text: str) -> tuple[ArtifactHandle, ...]:
    return tuple(ArtifactHandle(*row) for row in _listed(text))


def tools_to_json(tools: tuple[ToolStep, ...]) -> str:
    """Empty text for no tool steps."""
    rows = [[one.name, one.arguments, one.result, one.error, one.latency_ms] for one in tools]
    return _encode(rows) if rows else ""


def tools_from_json(text: str) -> tuple[ToolStep, ...]:
    return tuple(ToolStep(*row) for row in _listed(text))


def _addresses(addresses: tuple[Address, ...]) -> list[list[str]]:
    return [[one.email, one.name] for one in addresses]


def _files(handles: tuple[ArtifactHandle, ...]) -> list[list[str | int]]:
    return [[one.id, one.name, one.sha256, one.size] for one in handles]


def _people(rows: list[list[str]]) -> tuple[Address, ...]:
    return tuple(Address(email, name) for email, name in rows)


def _listed(text: str) -> list[list[Any]]:
    rows: list[list[Any]] = json.loads(text) if text else []
    return rows
