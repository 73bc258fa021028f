"""Marks stay with their words, and no open slot is lost."""

from hypothesis import given
from hypothesis import strategies as st

from app.agent.learning.splicing import splice
from app.domain.draft import Draft, Span, SpanKind


@st.composite
def drafts(make: st.DrawFn) -> Draft:
    """A draft with marks anywhere."""
    body = make(st.text("ab\n", max_size=30))
    spans = []
    for _ in range(make(st.integers(0, 4))):
        start = make(st.integers(0, len(body)))
        if make(st.booleans()):
            spans.append(Span(start, start, SpanKind.OPEN_SLOT, "say"))
        elif start < len(body):
            spans.append(Span(start, make(st.integers(start + 1, len(body))), SpanKind.FROM_SOURCE))
    return Draft((), (), (), "", body, "template", spans=tuple(spans))


@given(drafts(), st.data())
def test_marks_follow_their_words(draft: Draft, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(draft.body)))
    end = data.draw(st.integers(start, len(draft.body)))
    changed = splice(draft, start, end, "xyz")
    assert changed.body == draft.body[:start] + "xyz" + draft.body[end:]
    assert len(changed.open_slots) == len(draft.open_slots)
    for span in changed.spans:
        assert 0 <= span.start <= span.end <= len(changed.body)
        if span.kind is not SpanKind.OPEN_SLOT:
            assert (
                "x" not in changed.body[span.start : span.end]
                or any(one.start < start and one.end > end for one in draft.spans)
                or start == end
            )
    outside = [one for one in draft.spans if one.kind is SpanKind.FROM_SOURCE and (one.end <= start or one.start >= end)]
    kept = [changed.body[one.start : one.end] for one in changed.spans if one.kind is SpanKind.FROM_SOURCE]
    for one in outside:
        assert draft.body[one.start : one.end] in kept


def test_a_slot_inside_moves_to_the_beginning() -> None:
    draft = Draft((), (), (), "", "Hello,\nBest,\nMia", "template", spans=(Span(10, 10, SpanKind.OPEN_SLOT, "say"),))
    assert splice(draft, 7, 16, "Bye").spans[0].start == 7
