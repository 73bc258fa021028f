"""Other words in a draft's body, with its marks kept in place. Refuses to lose an open slot."""

from dataclasses import replace

from app.domain.draft import Draft, Span, SpanKind


def splice(draft: Draft, start: int, end: int, words: str) -> Draft:
    """`draft` with `words` in place of the characters from `start` to `end`.

    Marks after the place move with their text; marks that reach into it are cut off there, and dropped when nothing is left.
    An open slot inside moves to the place's beginning.
    """
    body = draft.body[:start] + words + draft.body[end:]
    moved = (_moved(span, start, end, len(words)) for span in draft.spans)
    return replace(draft, body=body, spans=tuple(span for span in moved if span is not None))


def _moved(span: Span, start: int, end: int, length: int) -> Span | None:
    """One mark after the change, None when the text it was about is gone."""
    by = length - (end - start)
    if span.kind is SpanKind.OPEN_SLOT:
        at = span.start if span.start <= start else start if span.start < end else span.start + by
        return replace(span, start=at, end=at)
    if span.end <= start:
        return span
    if span.start >= end:
        return replace(span, start=span.start + by, end=span.end + by)
    if span.start < start:
        return replace(span, end=start)
    return replace(span, start=start + length, end=span.end + by) if span.end > end else None
