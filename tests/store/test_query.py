"""What a search line means, and that no line breaks it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import ExpectedError, Refused
from app.store.query import COLUMNS, EVERYTHING, MAX_DEPTH, MAX_LENGTH, parse_query
from app.store.query_tree import AllOf, AnyOf, Filename, HasAttachment, Labelled, Not, OfAccount, SearchExpression, When, Words

A, B, C = Words("a"), Words("b"), Words("c")


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
        ("-from:a", Not(Words("a", COLUMNS["from"]))),
        ('"a b"', Words("a b", quoted=True)),
        ('"a b', Words("a b", quoted=True)),
        ('-"a b"', Not(Words("a b", quoted=True))),
        ("order ANDROID ORB", AllOf((Words("order"), Words("ANDROID"), Words("ORB")))),
        ("foo-bar", Words("foo-bar")),
        ("deliv*", Words("deliv", (), True)),
        ("de*", Words("de")),
        ("From:ana@x.org", Words("ana@x.org", COLUMNS["from"])),
        ("from: ana", Words("ana", COLUMNS["from"])),
        ("from:(a OR b)", AnyOf((Words("a", COLUMNS["from"]), Words("b", COLUMNS["from"])))),
        ('subject:"a b"', Words("a b", COLUMNS["subject"], quoted=True)),
        ("subject:(a -b)", AllOf((Words("a", COLUMNS["subject"]), Not(Words("b", COLUMNS["subject"]))))),
        ("to:a cc:b bcc:c", AllOf((Words("a", COLUMNS["to"]), Words("b", COLUMNS["cc"]), Words("c", COLUMNS["bcc"])))),
        ("label:my-label", Labelled("my-label")),
        ("in:anywhere", Labelled("")),
        ("is:unread", Labelled("unread")),
        ("is:read", Not(Labelled("unread"))),
        ("has:attachment", HasAttachment()),
        ("filename:pdf", Filename("pdf")),
        ("account:mia@x.org", OfAccount("mia@x.org")),
        ("before:2026/03/31", When("before", "2026/03/31")),
        ("older:2026-3-1", When("before", "2026-3-1")),
        ("newer:1770000000", When("after", "1770000000")),
        ("newer_than:7d", When("newer_than", "7d")),
        ("http://x.org/a?b=c", Words("http://x.org/a?b=c")),
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
    "line", ["is:purple", "has:cheese", "before:yesterday", "newer_than:7", "older_than:xd", "a OR", "after:2026", "is:unread |"]
)
def test_what_cannot_be_meant(line: str) -> None:
    """A clear refusal with a remedy."""
    with pytest.raises(Refused) as caught:
        parse_query(line)
    assert caught.value.detail
    assert caught.value.remedy


def test_limits() -> None:
    """Too long and too deep."""
    assert parse_query("(" * MAX_DEPTH + "a") == A
    for line in ("a" * (MAX_LENGTH + 1), "(" * (MAX_DEPTH + 1)):
        with pytest.raises(Refused):
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
