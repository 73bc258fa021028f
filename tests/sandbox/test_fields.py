"""Partial responses: the grammar of `fields` and the cut it makes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sandbox.errors import ApiError
from app.sandbox.fields import Mask, apply_fields, parse_fields

NAMES = st.from_regex(r"[a-z][A-Za-z0-9]{0,6}", fullmatch=True)
MASKS: st.SearchStrategy[Mask] = st.recursive(
    st.just({}), lambda inner: st.dictionaries(NAMES, inner, min_size=1, max_size=4), max_leaves=10
).filter(bool)


@pytest.mark.parametrize(
    ("text", "mask"),
    [
        ("id", {"id": {}}),
        ("messages(id,threadId),nextPageToken", {"messages": {"id": {}, "threadId": {}}, "nextPageToken": {}}),
        ("a/b", {"a": {"b": {}}}),
        ("a/b/c,a/d", {"a": {"b": {"c": {}}, "d": {}}}),
        ("a/b(c,d/e)", {"a": {"b": {"c": {}, "d": {"e": {}}}}}),
        ("a,a/b", {"a": {}}),
        ("*", {"*": {}}),
        ("a/*", {"a": {"*": {}}}),
    ],
)
def test_grammar(text: str, mask: Mask) -> None:
    assert parse_fields(text) == mask


@pytest.mark.parametrize("text", ["a(", "a)", ",a", "a,,b", "a(b", "a()", "a/", "/a", "a b;", "a(b)c"])
def test_nonsense_is_refused_as_google_does(text: str) -> None:
    with pytest.raises(ApiError) as caught:
        parse_fields(text)
    assert (caught.value.code, caught.value.reason) == (400, "invalidParameter")


def _written(mask: Mask) -> str:
    return ",".join(name + (f"({_written(inner)})" if inner else "") for name, inner in mask.items())


@given(MASKS)
def test_what_is_written_is_read_back(mask: Mask) -> None:
    assert parse_fields(_written(mask)) == mask


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse_fields(text)
    except ApiError as error:
        assert error.code == 400


def test_lists_are_cut_item_by_item() -> None:
    answer = {"messages": [{"id": "1", "threadId": "2", "snippet": "x"}, {"id": "3"}], "nextPageToken": "n", "other": 1}
    cut = apply_fields(parse_fields("messages(id,threadId),nextPageToken"), answer)
    assert cut == {"messages": [{"id": "1", "threadId": "2"}, {"id": "3"}], "nextPageToken": "n"}


def test_star_keeps_every_name_of_a_level() -> None:
    answer = {"a": {"x": {"id": 1, "no": 2}, "y": {"id": 3}}}
    assert apply_fields(parse_fields("a/*/id"), answer) == {"a": {"x": {"id": 1}, "y": {"id": 3}}}
