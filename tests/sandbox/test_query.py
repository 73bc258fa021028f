"""The search language: what it means, and that nothing typed into it ever fails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sandbox.query import All, Either, Node, Not, Term, parse_query, terms_of

WORDS = st.from_regex(r"[a-z]{1,8}", fullmatch=True).filter(lambda word: word not in {"or", "and"})
TERMS = st.one_of(
    st.builds(Term, st.sampled_from(["from", "subject", "label", "is"]), WORDS), st.builds(Term, st.just("text"), WORDS)
)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", All(())),
        ("hello", Term("text", "hello")),
        ("from:ann subject:bike", All((Term("from", "ann"), Term("subject", "bike")))),
        ('"two words"', Term("text", "two words")),
        ('subject:"two words"', Term("subject", "two words")),
        ("-is:unread", Not(Term("is", "unread"))),
        ("a OR b c", All((Either((Term("text", "a"), Term("text", "b"))), Term("text", "c")))),
        ("{from:a from:b}", Either((Term("from", "a"), Term("from", "b")))),
        ("from:(a OR b)", Either((Term("from", "a"), Term("from", "b")))),
        ("subject:{a b}", Either((Term("subject", "a"), Term("subject", "b")))),
        ("-(a b)", Not(All((Term("text", "a"), Term("text", "b"))))),
        ("rfc822msgid:<x@y.z>", Term("rfc822msgid", "<x@y.z>")),
        ("http://example.com", Term("text", "http://example.com")),
        ("AND a AND b", All((Term("text", "a"), Term("text", "b")))),
        ("a-b", Term("text", "a-b")),
    ],
)
def test_meaning(text: str, tree: Node) -> None:
    assert parse_query(text) == tree


@given(st.text(max_size=60))
def test_anything_can_be_typed(text: str) -> None:
    terms_of(parse_query(text))


@given(st.text(alphabet='(){}-"OR :ab', max_size=400))
def test_unbalanced_marks_do_no_harm(text: str) -> None:
    terms_of(parse_query(text))


def _written(node: Node) -> str:
    if isinstance(node, Term):
        return node.value if node.operator == "text" else f"{node.operator}:{node.value}"
    if isinstance(node, Not):
        return f"-{_written(node.item)}"
    if isinstance(node, Either):
        return "{" + " ".join(_written(item) for item in node.items) + "}"
    return "(" + " ".join(_written(item) for item in node.items) + ")"


def _groups(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(inner, min_size=2, max_size=4).map(tuple)
    return st.one_of(st.builds(Either, several), st.builds(All, several))


@given(st.recursive(st.one_of(TERMS, st.builds(Not, TERMS)), _groups, max_leaves=12))
def test_what_is_written_is_read_back(tree: Node) -> None:
    assert parse_query(_written(tree)) == tree
