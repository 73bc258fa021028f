"""What is sent of a schema: the keywords that every provider takes, at every depth, and the properties whatever their names."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.agent.schemas import SENT_KEYWORDS, schema_fault, sent_schema

NAMES = st.sampled_from(["name", "default", "minLength", "items", "format"])
LEAVES = st.fixed_dictionaries({"type": st.sampled_from(["string", "integer"])}, optional={"minLength": st.integers(0, 9)})


def nested(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects, lists and choices of schemas, each with a keyword that is not sent."""
    return st.one_of(
        st.fixed_dictionaries({"type": st.just("object"), "properties": st.dictionaries(NAMES, inner), "title": st.text()}),
        st.fixed_dictionaries({"type": st.just("array"), "items": inner, "minItems": st.integers(0, 3)}),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3), "default": st.none()}),
    )


def keywords(schema: dict[str, Any]) -> set[str]:
    """Every keyword in a schema; names of properties are none."""
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]
    return set(schema).union(*(keywords(one) for one in inner))


@given(st.recursive(LEAVES, nested, max_leaves=12))
def test_only_known_keywords_are_sent_and_no_property_is_lost(schema: dict[str, Any]) -> None:
    sent = sent_schema(schema)
    assert keywords(sent) <= SENT_KEYWORDS
    assert set(sent.get("properties", {})) == set(schema.get("properties", {}))
    assert sent_schema(sent) == sent


def test_what_was_given_is_not_changed() -> None:
    given_schema: dict[str, Any] = {
        "type": "object",
        "properties": {"size": {"type": "integer", "minimum": 1}},
        "required": ["size"],
    }
    assert sent_schema(given_schema)["properties"]["size"] == {"type": "integer"}
    assert given_schema["properties"]["size"] == {"type": "integer", "minimum": 1}


def test_what_is_no_schema_is_named_each_time() -> None:
    for _ in range(2):
        assert "not valid under any of the given schemas" in schema_fault({"type": "text"})
        assert schema_fault({"type": "string"}) == ""
    assert schema_fault({"const": object()}).startswith("it is no JSON")
