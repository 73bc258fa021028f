"""A draft's body put together piece by piece, with its marks: text, stretches taken from a source, open slots.

Refuses to count offsets anywhere else: every span of a local draft is made here.
"""

from dataclasses import dataclass, field

from app.domain.draft import Span, SpanKind
from app.domain.ids import MessageId


@dataclass(slots=True)
class Assembly:
    """Grows a body. Each method returns the assembly, so that pieces read as a sentence."""

    _parts: list[str] = field(default_factory=list)
    _spans: list[Span] = field(default_factory=list)
    _length: int = 0

    def text(self, text: str) -> "Assembly":
        """Plain words of ours."""
        self._parts.append(text)
        self._length += len(text)
        return self

    def taken(self, text: str, source: MessageId) -> "Assembly":
        """Words taken from the mail `source`."""
        start = self._length
        self.text(text)
        if text:
            self._spans.append(Span(start, self._length, SpanKind.FROM_SOURCE, "", source))
        return self

    def slot(self, prompt: str) -> "Assembly":
        """An open slot here: no characters, only the prompt."""
        self._spans.append(Span(self._length, self._length, SpanKind.OPEN_SLOT, prompt))
        return self

    def paragraph(self) -> "Assembly":
        """An empty line before what follows, unless nothing stands before it."""
        return self.text("\n\n") if self._length else self

    def finish(self) -> tuple[str, tuple[Span, ...]]:
        """Body and spans."""
        return "".join(self._parts), tuple(self._spans)
