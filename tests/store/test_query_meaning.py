"""Which words of a search are asked by meaning, and what stays a condition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Refused
from app.store.query import EVERYTHING, parse_query
from app.store.query_meaning import by_meaning
from app.store.query_tree import AllOf, AnyOf, HasAttachment, Labelled, Not, SearchExpression, Words

FROM_ANA = Words("ana", ("sender",))


@pytest.mark.parametrize(
    ("line", "words", "rest"),
    [
        ("", "", EVERYTHING),
        ("late parcel", "late parcel", EVERYTHING),
        ("from:ana", "", FROM_ANA),
        ("late from:ana parcel", "late parcel", FROM_ANA),
        ("late from:ana has:attachment", "late", AllOf((FROM_ANA, HasAttachment()))),
        ("late -from:ana", "late", Not(FROM_ANA)),
        ("late -parcel", "late", Not(Words("parcel"))),
        ('late "order 4411"', "late", Words("order 4411", quoted=True)),
        ('"order 4411"', "", Words("order 4411", quoted=True)),
        ("deliv*", "", Words("deliv", (), True)),
        ("late OR delayed", "late delayed", EVERYTHING),
        ("late OR from:ana", "late", EVERYTHING),
        ("late {from:ana in:sent}", "late", AnyOf((FROM_ANA, Labelled("sent")))),
        ("!!! in:sent", "", Labelled("sent")),
        ("(late (parcel in:trash))", "late parcel", Labelled("trash")),
    ],
)
def test_parted(line: str, words: str, rest: SearchExpression) -> None:
    assert by_meaning(parse_query(line)) == (words, rest)


@given(st.text(st.sampled_from('ab"():- {}*') | st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_line_is_parted_once_and_for_all(line: str) -> None:
    try:
        expression = parse_query(line)
    except Refused:
        return
    _, rest = by_meaning(expression)
    assert by_meaning(rest) == ("", rest)
