"""Span arithmetic of drafts put together piece by piece."""

from hypothesis import given
from hypothesis import strategies as st

from app.agent.local.assembly import Assembly
from app.domain.draft import Draft, SpanKind, fill_slots
from app.domain.ids import MessageId

PIECES = st.lists(st.tuples(st.sampled_from(["text", "taken", "slot", "paragraph"]), st.text(max_size=12)), max_size=12)


def built(pieces: list[tuple[str, str]]) -> Draft:
    """A draft of these pieces."""
    made = Assembly()
    for kind, text in pieces:
        if kind == "text":
            made.text(text)
        elif kind == "taken":
            made.taken(text, MessageId(7))
        elif kind == "slot":
            made.slot(text)
        else:
            made.paragraph()
    body, spans = made.finish()
    return Draft((), (), (), "", body, "template", MessageId(1), spans)


@given(PIECES)
def test_each_taken_piece_is_marked_exactly(pieces: list[tuple[str, str]]) -> None:
    draft = built(pieces)
    taken = [text for kind, text in pieces if kind == "taken" and text]
    marked = [draft.body[span.start : span.end] for span in draft.spans if span.kind is SpanKind.FROM_SOURCE]
    assert marked == taken


@given(PIECES)
def test_slots_are_zero_wide_and_in_order(pieces: list[tuple[str, str]]) -> None:
    draft = built(pieces)
    assert draft.open_slots == tuple(text for kind, text in pieces if kind == "slot")
    assert all(span.start == span.end <= len(draft.body) for span in draft.spans if span.kind is SpanKind.OPEN_SLOT)


@given(PIECES, st.text(max_size=5))
def test_filling_the_slots_keeps_the_marks_on_their_words(pieces: list[tuple[str, str]], answer: str) -> None:
    draft = built(pieces)
    filled = fill_slots(draft, (answer,) * len(draft.open_slots))
    assert not filled.open_slots
    taken = [text for kind, text in pieces if kind == "taken" and text]
    assert [filled.body[span.start : span.end] for span in filled.spans if span.kind is SpanKind.FROM_SOURCE] == taken


def test_a_paragraph_at_the_start_adds_nothing() -> None:
    assert Assembly().paragraph().text("a").paragraph().text("b").finish()[0] == "a\n\nb"
