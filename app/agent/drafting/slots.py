"""Open slots: places where only the owner knows what to say.

A model is told to write `[[what is needed]]`; common placeholders such as `[Your Name]` count as slots as well, so that none is
ever sent. Marks become spans; the body keeps no trace of them.
"""

import re
from dataclasses import replace

from app.domain.draft import Draft, Span, SpanKind

MARKED = re.compile(
    r"\[\[(?P<slot>[^\[\]]{1,300})\]\]"
    r"|\[\s*(?P<blank>(?:your|insert|enter|add|name|date|time|day|company|phone|address|amount|link|placeholder|tbd|xx+)\b[^\[\]]{0,80}?)\s*\]",
    re.IGNORECASE,
)


def with_slots(draft: Draft, text: str) -> Draft:
    """`draft` with `text` as its body, marks turned into open slots."""
    body = ""
    spans: list[Span] = []
    last = 0
    for found in MARKED.finditer(text):
        body += text[last : found.start()]
        spans.append(Span(len(body), len(body), SpanKind.OPEN_SLOT, (found.group("slot") or found.group("blank")).strip() or "…"))
        last = found.end()
    return replace(draft, body=body + text[last:], spans=tuple(spans))


def add_slot(draft: Draft, note: str) -> Draft:
    """`draft` with one more open slot at its end, so that `note` is answered before it is approved; unchanged without a note."""
    if not note.strip():
        return draft
    end = len(draft.body)
    return replace(draft, spans=(*draft.spans, Span(end, end, SpanKind.OPEN_SLOT, note.strip())))


def below(edited: Draft, fresh: Draft) -> Draft:
    """`fresh` with the user's words of `edited` above its own; an open slot between them, so that it is looked at."""
    above = f"{edited.body.rstrip()}\n\n"
    kept = tuple(span for span in edited.spans if span.end <= len(above) - 2)
    moved = tuple(replace(span, start=span.start + len(above), end=span.end + len(above)) for span in fresh.spans)
    between = Span(len(above), len(above), SpanKind.OPEN_SLOT, fresh.subject)
    return replace(fresh, body=above + fresh.body, spans=(*kept, between, *moved))
