"""What is sent of a schema: the keywords that every provider takes, at every depth, and the properties whatever their names."""

import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.llm.schemas import SENT_KEYWORDS, TOOL_KEYWORDS, foreign_schema_error, schema_error, schema_errors, sent_schema

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
    assert sent_schema(given_schema, TOOL_KEYWORDS) == given_schema
    assert given_schema["properties"]["size"] == {"type": "integer", "minimum": 1}


LINE = {"type": "object", "properties": {"drug": {"type": "string", "minLength": 1}, "packs": {"type": "integer"}}}


def test_nested_arguments_are_sent_whole() -> None:
    """As pydantic writes them: a shape of its own below `$defs`, named where it is used."""
    schema = {
        "type": "object",
        "$defs": {"Line": {**LINE, "title": "Line"}, "Unit": {"enum": ["box", "pill"]}},
        "properties": {
            "first": {"$ref": "#/$defs/Line", "description": "What comes first."},
            "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
            "by_name": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Line"}},
            "unit": {"oneOf": [{"$ref": "#/$defs/Unit"}, {"const": "gram"}]},
            "any": True,
            "gone": {"$ref": "#/$defs/None"},
        },
    }
    line = {"type": "object", "properties": {"drug": {"type": "string"}, "packs": {"type": "integer"}}}
    assert sent_schema(schema)["properties"] == {
        "first": {**line, "description": "What comes first."},
        "lines": {"type": "array", "items": line},
        "by_name": {"type": "object", "additionalProperties": line},
        "unit": {"anyOf": [{"enum": ["box", "pill"]}, {"enum": ["gram"]}]},
        "any": {},
        "gone": {},
    }


def test_references_that_go_round_or_multiply_come_to_an_end() -> None:
    node: dict[str, Any] = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "name": {"type": "string"}}}
    sent = sent_schema(an_object(head={"$ref": "#/$defs/node"}) | {"$defs": {"node": node}})
    assert sent["properties"]["head"]["properties"] == {"next": {}, "name": {"type": "string"}}
    twice = {f"d{at}": an_object(a={"$ref": f"#/$defs/d{at + 1}"}, b={"$ref": f"#/$defs/d{at + 1}"}) for at in range(40)}
    assert len(str(sent_schema({"$ref": "#/$defs/d0", "$defs": twice}))) < 20_000


def test_what_is_no_schema_is_named_each_time() -> None:
    for _ in range(2):
        assert "not valid under any of the given schemas" in schema_error({"type": "text"})
        assert schema_error({"type": "string"}) == ""
    assert schema_error({"const": object()}).startswith("it is no JSON")


def an_object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("schema", "value", "fits"),
    [
        (an_object(a={"type": "string", "pattern": "^[a-z]+$"}), {"a": "abc"}, True),
        (an_object(a={"type": "string", "pattern": "^[a-z]+$"}), {"a": "ABC"}, False),
        (an_object(a={"type": "string", "pattern": "^(a+)+$"}), {"a": "a" * 5000 + "!"}, False),
        (an_object(a={"$ref": "#/$defs/b"}) | {"$defs": {"b": {"type": "integer"}}}, {"a": 1}, True),
        (an_object(a={"$ref": "#/$defs/b"}) | {"$defs": {"b": {"type": "integer"}}}, {"a": "x"}, False),
        (an_object(a={"$ref": "#/nowhere"}), {"a": 1}, False),
        (an_object(a={"$ref": "#/properties/a"}), {"a": 1}, False),
    ],
)
def test_what_does_not_fit_is_said_in_time(schema: dict[str, Any], value: object, fits: bool) -> None:
    assert (schema_errors(schema, value, "arguments") == ()) is fits


def test_nothing_is_fetched_for_a_schema(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        (tmp_path / "b.json").write_text('{"type": "integer"}')
        for there in (f"http://127.0.0.1:{listener.getsockname()[1]}/b.json", (tmp_path / "b.json").as_uri()):
            assert schema_errors(an_object(a={"$ref": there}), {"a": 1}, "arguments") != ()
        with pytest.raises(BlockingIOError):
            listener.accept()


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        (an_object(a={"$ref": "https://evil.example/x"}), "elsewhere"),
        (an_object(a={"anyOf": [{"items": {"$ref": "file:///etc/passwd"}}]}), "elsewhere"),
        (an_object() | {"patternProperties": {"(a+)+$": {}}}, "patterns for names"),
        ({"type": "text"}, "not valid"),
        (an_object(a={"$ref": "#/$defs/b"}) | {"$defs": {"b": {"type": "integer"}}}, ""),
    ],
)
def test_a_strangers_schema_keeps_to_itself(schema: dict[str, Any], fault: str) -> None:
    assert fault in foreign_schema_error(schema)
    assert bool(foreign_schema_error(schema)) is bool(fault)
