"""JSON schemas: what is wrong with one, what of a value does not fit one, and how providers of language models take them.

A schema may be a stranger's (a tool server's).
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

from app.config.patterns import exact_pattern

SENT_KEYWORDS = frozenset({"type", "properties", "required", "enum", "items", "additionalProperties", "description", "anyOf"})
"""What providers take in a schema; the rest is checked here alone."""


MOST_REMEMBERED = 512
"""Schemas whose check is remembered: a check takes milliseconds, and an agent's tools are put together at each of its steps."""

MOST_INLINED = 200
"""References of one schema that are put in their places."""
_SCHEMAS = frozenset({"items", "additionalProperties"})
"""Keywords that hold one schema, or something else."""
MOST_FAULTS = 5
LONGEST_FAULT = 200
REFERENCES = frozenset({"$ref", "$dynamicRef"})
"""Keywords that name another schema."""


def misfits(schema: Mapping[str, Any], value: object, whole: str) -> tuple[str, ...]:
    """What of a value does not fit, each with its place (`whole` for the value itself); a schema that cannot be followed fits
    nothing."""
    checker = _CHECKER(schema, registry=Registry())
    try:
        found = sorted(checker.iter_errors(value), key=lambda one: list(map(str, one.path)))
        return tuple(f"{'/'.join(map(str, one.path)) or whole}: {one.message[:LONGEST_FAULT]}" for one in found[:MOST_FAULTS])
    except (Unresolvable, RecursionError):
        return (f"{whole}: the schema refers to what is not there, or to itself.",)


def _pattern(_checker: object, pattern: str, value: object, _schema: object) -> Iterator[jsonschema.ValidationError]:
    """`pattern`, within a time."""
    if isinstance(value, str) and not _finds(pattern, value):
        yield jsonschema.ValidationError(f"{value!r} does not match {pattern!r}")


def _finds(pattern: str, text: str) -> bool:
    try:
        return bool(exact_pattern(pattern)(text))
    except ValueError:
        return False


_extend: Callable[[type[jsonschema.Draft202012Validator], Mapping[str, object]], type[jsonschema.Draft202012Validator]] = extend
_CHECKER = _extend(jsonschema.Draft202012Validator, {"pattern": _pattern})


def schema_fault(schema: Mapping[str, Any]) -> str:
    """Why this is no JSON schema; empty where it is one."""
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


def stranger_fault(schema: Mapping[str, Any]) -> str:
    """Why a schema from outside cannot be used; empty where it can: it is none, it refers to what stands elsewhere, or it has
    patterns for names, which nothing bounds."""
    if fault := schema_fault(schema):
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


def sent_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """`schema` with the keywords that every provider takes. What it refers to within itself stands in the place of the reference,
    for not every provider follows one; from where that would go round or grow without end, any value is let through."""
    return _Sending(schema).part(schema, ())


class _Sending:
    """Writes one schema anew."""

    def __init__(self, whole: Mapping[str, Any]) -> None:
        self._whole = whole
        self._left = MOST_INLINED

    def part(self, schema: object, inside: tuple[str, ...]) -> dict[str, Any]:
        """A schema within the whole; `inside` are the references that lead to it."""
        if not isinstance(schema, Mapping):
            return {}  # `true` and `false` are schemas too
        if "$ref" in schema:
            place = str(schema["$ref"])
            self._left -= 1
            met = {} if place in inside or self._left < 0 else self.part(_at(self._whole, place), (*inside, place))
            return met | self.part({key: value for key, value in schema.items() if key != "$ref"}, inside)
        kept = {key: value for key, value in schema.items() if key in SENT_KEYWORDS}
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
    """What stands in a schema at a JSON pointer (`#/$defs/name`); None where nothing does."""
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
