"""The line that says why a mail was found begins close before what was searched for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.finding import FoundMail, Match, Where
from app.domain.ids import MessageId, ThreadId
from app.ui.search.words import LEAD, nearer, why_line

LINE = Match(Where.BODY, "…Mia, when will order 4411 arrive?", 16, 21)


@pytest.mark.parametrize(
    ("others", "line"),
    [
        ((), "…Mia, when will »order« 4411 arrive?"),
        ((Match(Where.SUBJECT, "Order", 0, 5),), "…will »order« 4411 arrive?"),
    ],
)
def test_beside_several_chips_the_line_begins_later(others: tuple[Match, ...], line: str) -> None:
    assert why_line(FoundMail(ThreadId(1), MessageId(2), (*others, LINE))) == line


@given(st.text(max_size=40), st.text(min_size=1, max_size=10), st.text(max_size=20))
def test_nothing_but_the_lead_is_lost(before: str, inside: str, after: str) -> None:
    given_line = Match(Where.BODY, before + inside + after, len(before), len(before) + len(inside))
    found = nearer(given_line)
    assert found.text[found.start : found.end] == inside
    assert found.text[found.end :] == after
    assert found.start <= LEAD + 1
    assert before.endswith(found.text[: found.start].removeprefix("…")) or before == found.text[: found.start]
