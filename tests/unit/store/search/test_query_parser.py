"""What a search line means, and that no line breaks it.

Which words of a search are asked by meaning, and what stays a condition.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import ExpectedError, NotAllowed
from app.store.search.query_parser import MAX_DEPTH, MAX_LENGTH, by_meaning, parse_query
from app.store.search.query_tree import (
    EVERYTHING,
    AllOf,
    AnyOf,
    DateCondition,
    Filename,
    HasAttachment,
    HasLabel,
    Not,
    OfAccount,
    Phrase,
    SearchExpression,
)
from app.store.search.query_values import COLUMNS

A, B, C = Phrase("a"), Phrase("b"), Phrase("c")


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("", EVERYTHING),
        ("   ", EVERYTHING),
        ("a", A),
        ("a b", AllOf((A, B))),
        ("a AND b", AllOf((A, B))),
        ("a OR b c", AllOf((AnyOf((A, B)), C))),
        ("a | b", AnyOf((A, B))),
        ("{a b}", AnyOf((A, B))),
        ("(a b) OR c", AnyOf((AllOf((A, B)), C))),
        ("-a", Not(A)),
        ("-(a b)", Not(AllOf((A, B)))),
        ("-from:a", Not(Phrase("a", COLUMNS["from"]))),
        ('"a b"', Phrase("a b", quoted=True)),
        ('"a b', Phrase("a b", quoted=True)),
        ('-"a b"', Not(Phrase("a b", quoted=True))),
        ("order ANDROID ORB", AllOf((Phrase("order"), Phrase("ANDROID"), Phrase("ORB")))),
        ("foo-bar", Phrase("foo-bar")),
        ("deliv*", Phrase("deliv", (), True)),
        ("de*", Phrase("de", (), True)),
        ("From:ana@x.org", Phrase("ana@x.org", COLUMNS["from"])),
        ("from: ana", Phrase("ana", COLUMNS["from"])),
        ("from:(a OR b)", AnyOf((Phrase("a", COLUMNS["from"]), Phrase("b", COLUMNS["from"])))),
        ('subject:"a b"', Phrase("a b", COLUMNS["subject"], quoted=True)),
        ("subject:(a -b)", AllOf((Phrase("a", COLUMNS["subject"]), Not(Phrase("b", COLUMNS["subject"]))))),
        ("to:a cc:b bcc:c", AllOf((Phrase("a", COLUMNS["to"]), Phrase("b", COLUMNS["cc"]), Phrase("c", COLUMNS["bcc"])))),
        ("label:my-label", HasLabel("my-label")),
        ("in:anywhere", HasLabel("")),
        ("is:unread", HasLabel("unread")),
        ("is:read", Not(HasLabel("unread"))),
        ("has:attachment", HasAttachment()),
        ("filename:pdf", Filename("pdf")),
        ("account:mia@x.org", OfAccount("mia@x.org")),
        ("before:2026/03/31", DateCondition("before", "2026/03/31")),
        ("older:2026-3-1", DateCondition("before", "2026-3-1")),
        ("newer:1770000000", DateCondition("after", "1770000000")),
        ("newer_than:7d", DateCondition("newer_than", "7d")),
        ("http://x.org/a?b=c", Phrase("http://x.org/a?b=c")),
        ("a) b", AllOf((A, B))),
        ("((a", A),
        ("--a", A),
        ("from:", EVERYTHING),
    ],
)
def test_meaning(line: str, meaning: SearchExpression) -> None:
    """Each line and its tree."""
    assert parse_query(line) == meaning


@pytest.mark.parametrize(
    "line",
    ["is:purple", "has:cheese", "before:yesterday", "newer_than:7", "older_than:xd", "larger:big", "category:cats", "colour:red"],
)
def test_what_cannot_be_meant(line: str) -> None:
    """A clear refusal with a remedy."""
    with pytest.raises(NotAllowed) as caught:
        parse_query(line)
    assert caught.value.detail


def test_limits() -> None:
    """Too long and too deep."""
    assert parse_query("(" * MAX_DEPTH + "a") == A
    for line in ("a" * (MAX_LENGTH + 1), "(" * (MAX_DEPTH + 1)):
        with pytest.raises(NotAllowed):
            parse_query(line)


OPERATORS = ("from:", "to:", "is:", "in:", "label:", "before:", "newer_than:", "filename:")
VALUES = ("unread", "7d", "2026/01/01", "a", "b", "OR", "AND")
PIECES = st.sampled_from([*OPERATORS, *VALUES, *'-(){}"* ']) | st.text(max_size=4)
LINES = st.lists(PIECES, max_size=14).map("".join)


@settings(max_examples=300, deadline=None)
@given(LINES | st.text(st.characters(exclude_categories=()), max_size=40))
def test_no_line_breaks_it(line: str) -> None:
    """Any text is understood or refused; nothing else is raised."""
    try:
        parse_query(line)
    except ExpectedError as error:
        assert error.detail


FROM_ANA = Phrase("ana", ("sender",))


@pytest.mark.parametrize(
    ("line", "words", "rest"),
    [
        ("", "", EVERYTHING),
        ("late parcel", "late parcel", EVERYTHING),
        ("from:ana", "", FROM_ANA),
        ("late from:ana parcel", "late parcel", FROM_ANA),
        ("late from:ana has:attachment", "late", AllOf((FROM_ANA, HasAttachment()))),
        ("late -from:ana", "late", Not(FROM_ANA)),
        ("late -parcel", "late", Not(Phrase("parcel"))),
        ('late "order 4411"', "late", Phrase("order 4411", quoted=True)),
        ('"order 4411"', "", Phrase("order 4411", quoted=True)),
        ("deliv*", "", Phrase("deliv", (), True)),
        ("late OR delayed", "late delayed", EVERYTHING),
        ("late OR from:ana", "late", EVERYTHING),
        ("late {from:ana in:sent}", "late", AnyOf((FROM_ANA, HasLabel("sent")))),
        ("!!! in:sent", "", HasLabel("sent")),
        ("(late (parcel in:trash))", "late parcel", HasLabel("trash")),
    ],
)
def test_parted(line: str, words: str, rest: SearchExpression) -> None:
    assert by_meaning(parse_query(line)) == (words, rest)


@given(st.text(st.sampled_from('ab"():- {}*') | st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_line_is_parted_once_and_for_all(line: str) -> None:
    try:
        expression = parse_query(line)
    except NotAllowed:
        return
    _, rest = by_meaning(expression)
    assert by_meaning(rest) == ("", rest)
