"""Spans stay on their text when slots are filled; a draft with an open slot is not complete."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.domain.drafting.draft import Draft, Span, SpanKind, fill_slots
from app.domain.mail.message import Address

EMPTY = Draft(to=(Address("a@x.example"),), cc=(), bcc=(), subject="Re: x", body="", maker="template")


def _slot(at: int, prompt: str) -> Span:
    return Span(at, at, SpanKind.OPEN_SLOT, prompt)


def test_complete_needs_text_and_no_open_slot() -> None:
    assert not EMPTY.complete
    assert replace(EMPTY, body="Hello").complete
    slotted = replace(EMPTY, body="Price: ", spans=(_slot(7, "the price"),))
    assert not slotted.complete
    assert slotted.open_slots == ("the price",)
    assert fill_slots(slotted, ("500",)) == replace(EMPTY, body="Price: 500")


def test_filling_moves_later_marks_and_leaves_earlier_ones() -> None:
    body = "from mail, then: ; kept line"
    source = Span(body.index("kept"), len(body), SpanKind.FROM_SOURCE, "seen")
    before = Span(0, 9, SpanKind.FROM_SOURCE, "seen")
    draft = replace(EMPTY, body=body, spans=(before, _slot(body.index(";"), "answer"), source))
    filled = fill_slots(draft, ("on Monday",))
    first, second = filled.spans
    assert filled.body[first.start : first.end] == "from mail"
    assert filled.body[second.start : second.end] == "kept line"


def test_fewer_answers_leave_the_rest_open() -> None:
    draft = replace(EMPTY, body="AB", spans=(_slot(1, "one"), _slot(2, "two")))
    half = fill_slots(draft, ("x",))
    assert half.body == "AxB"
    assert half.open_slots == ("two",)
    assert fill_slots(half, ("y",)).body == "AxBy"


@given(
    st.text(max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4),
    st.integers(0, 30),
    st.text(min_size=1, max_size=9),
)
def test_marked_text_never_changes(body: str, pairs: list[tuple[int, int]], at: int, answer: str) -> None:
    at = min(at, len(body))
    marks = [Span(min(a, b, len(body)), min(max(a, b), len(body)), SpanKind.FROM_SOURCE) for a, b in pairs]
    marks = [m for m in marks if m.start < m.end and not m.start < at < m.end]
    draft = replace(EMPTY, body=body, spans=(*marks, _slot(at, "?")))
    filled = fill_slots(draft, (answer,))
    assert filled.body == body[:at] + answer + body[at:]
    assert [filled.body[m.start : m.end] for m in filled.spans] == [body[m.start : m.end] for m in marks]
