"""A draft's marks in words, for a screen reader: what is to be filled in, what stands in no source, what was taken from one."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.domain.draft import Span, SpanKind


def marks_spoken(body: str, spans: Sequence[Span]) -> str:
    """One sentence a mark, the ones that hold an approval back first; empty without marks."""
    first = (SpanKind.OPEN_SLOT, SpanKind.UNSUPPORTED, SpanKind.FROM_SOURCE)
    return " ".join(_spoken(body, span) for span in sorted(spans, key=lambda one: (first.index(one.kind), one.start)))


def _spoken(body: str, span: Span) -> str:
    words = " ".join(body[span.start : span.end].split())
    if span.kind is SpanKind.OPEN_SLOT:
        return QCoreApplication.translate("Review", "To fill in: %1.").replace("%1", span.note)
    if span.kind is SpanKind.UNSUPPORTED:
        return QCoreApplication.translate("Review", "In no source: “%1”.").replace("%1", words)
    return QCoreApplication.translate("Review", "From a source: “%1”.").replace("%1", words)
