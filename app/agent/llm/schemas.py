"""JSON schemas: validates schemas and values, and reduces a schema to what providers of language models accept.

A schema may come from a stranger (an MCP server). Nothing is ever fetched for a `$ref`.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

import jsonschema
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

from app.config.patterns import compile_pattern

SENT_KEYWORDS = frozenset({"type", "properties", "required", "enum", "items", "additionalProperties", "description", "anyOf"})
"""Keywords that all providers accept in the form of an answer. The others are only checked here."""

LOCAL_KEYWORDS = SENT_KEYWORDS | {"maxLength", "maxItems"}
"""Keywords that llama.cpp turns into its grammar, so that a small model cannot go on and on in a field."""

MOST_REPEATED = 500
"""A larger limit makes its grammar slow, and an even larger one fails. Then the number of tokens is the limit."""

TOOL_KEYWORDS = SENT_KEYWORDS | {"default", "minimum", "maximum"}
"""Keywords that all providers accept in the arguments of a tool."""


MOST_REMEMBERED = 512
"""Cached schema checks. A check takes milliseconds, and an agent's tools are assembled at each of its steps."""

MOST_INLINED = 200
"""References of one schema that are inlined."""
_SCHEMAS = frozenset({"items", "additionalProperties"})
"""Keywords whose value may be a schema."""
MOST_FAULTS = 5
LONGEST_FAULT = 200
REFERENCES = frozenset({"$ref", "$dynamicRef"})
"""Keywords that refer to another schema."""


def schema_errors(schema: Mapping[str, Any], value: object, whole: str) -> tuple[str, ...]:
    """Why a value does not fit, each with its place (`whole` for the value itself). Empty where it fits.

    Nothing fits a schema whose references cannot be resolved or recurse without end.
    """
    checker = _CHECKER(schema, registry=Registry())
    try:
        found = sorted(checker.iter_errors(value), key=lambda one: list(map(str, one.path)))
        return tuple(f"{'/'.join(map(str, one.path)) or whole}: {one.message[:LONGEST_FAULT]}" for one in found[:MOST_FAULTS])
    except (Unresolvable, RecursionError):
        return (f"{whole}: the schema refers to what is not there, or to itself.",)


def _pattern(_checker: object, pattern: str, value: object, _schema: object) -> Iterator[jsonschema.ValidationError]:
    """Checks `pattern` with a time limit."""
    try:
        found = not isinstance(value, str) or compile_pattern(pattern, exact=True)(value)
    except ValueError:  # it takes too long
        found = False
    if not found:
        yield jsonschema.ValidationError(f"{value!r} does not match {pattern!r}")


_extend: Callable[[type[jsonschema.Draft202012Validator], Mapping[str, object]], type[jsonschema.Draft202012Validator]] = extend
_CHECKER = _extend(jsonschema.Draft202012Validator, {"pattern": _pattern})


def schema_error(schema: Mapping[str, Any]) -> str:
    """Why this is not a JSON schema; empty where it is one."""
    try:
        return _fault(json.dumps(schema))
    except (TypeError, ValueError) as error:
        return f"it is no JSON ({error})"


@lru_cache(MOST_REMEMBERED)
def _fault(text: str) -> str:
    try:
        jsonschema.Draft202012Validator.check_schema(json.loads(text))
    except jsonschema.SchemaError as error:
        return error.message
    return ""


def foreign_schema_error(schema: Mapping[str, Any]) -> str:
    """Why a schema from outside cannot be used; empty where it can.

    Rejected are invalid schemas, references to other documents, and `patternProperties`, whose patterns have no time limit.
    """
    if fault := schema_error(schema):
        return fault
    inside = [schema]
    while inside:
        part: Any = inside.pop()
        if isinstance(part, Mapping):
            if "patternProperties" in part:
                return "it has patterns for names"
            if any(not str(part[key]).startswith("#") for key in REFERENCES & part.keys()):
                return "it refers to a schema elsewhere"
            inside += part.values()
        elif isinstance(part, list):
            inside += part
    return ""


def sent_schema(schema: Mapping[str, Any], keywords: frozenset[str] = SENT_KEYWORDS) -> dict[str, Any]:
    """`schema` reduced to `keywords`, with internal references inlined because not every provider follows them.

    A recursive reference, and every one beyond `MOST_INLINED`, becomes a schema that accepts any value.
    """
    return _Sending(schema, keywords).part(schema, ())


class _Sending:
    def __init__(self, whole: Mapping[str, Any], keywords: frozenset[str]) -> None:
        self._whole, self._keywords = whole, keywords
        self._left = MOST_INLINED

    def part(self, schema: object, inside: tuple[str, ...]) -> dict[str, Any]:
        """Converts a part of the schema; `inside` are the references that lead to it."""
        if not isinstance(schema, Mapping):
            return {}  # `true` and `false` are schemas too
        if "$ref" in schema:
            place = str(schema["$ref"])
            self._left -= 1
            met = {} if place in inside or self._left < 0 else self.part(_at(self._whole, place), (*inside, place))
            return met | self.part({key: value for key, value in schema.items() if key != "$ref"}, inside)
        kept = {key: value for key, value in schema.items() if key in self._keywords}
        if kept.get("maxLength", 0) > MOST_REPEATED:
            del kept["maxLength"]
        if "anyOf" not in kept and isinstance(schema.get("oneOf"), list):
            kept["anyOf"] = schema["oneOf"]
        if isinstance(kept.get("properties"), Mapping):
            kept["properties"] = {name: self.part(one, inside) for name, one in kept["properties"].items()}
        for key in _SCHEMAS & kept.keys():
            if isinstance(kept[key], Mapping):
                kept[key] = self.part(kept[key], inside)
        if isinstance(kept.get("anyOf"), list):
            kept["anyOf"] = [self.part(one, inside) for one in kept["anyOf"]]
        if "enum" not in kept and "const" in schema:
            kept["enum"] = [schema["const"]]
        return kept


def _at(whole: object, place: str) -> object:
    """The value at a JSON pointer (`#/$defs/name`), None where it does not exist."""
    steps = unquote(place.removeprefix("#")).split("/")
    if not place.startswith("#") or steps[0]:
        return None
    for step in steps[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(whole, Mapping) and name in whole:
            whole = whole[name]
        elif isinstance(whole, list) and name.isdecimal() and int(name) < len(whole):
            whole = whole[int(name)]
        else:
            return None
    return whole
