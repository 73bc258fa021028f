"""JSON schemas: what is wrong with one, and how providers of language models take them."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jsonschema

SENT_KEYWORDS = frozenset({"type", "properties", "required", "enum", "items", "additionalProperties", "description", "anyOf"})
"""What providers take in a schema; the rest is checked here alone."""


MOST_REMEMBERED = 512
"""Schemas whose check is remembered: a check takes milliseconds, and an agent's tools are put together at each of its steps."""


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


def sent_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """`schema` with the keywords that every provider takes."""
    kept = {key: value for key, value in schema.items() if key in SENT_KEYWORDS}
    if "properties" in kept:
        kept["properties"] = {name: sent_schema(one) for name, one in kept["properties"].items()}
    if isinstance(kept.get("items"), Mapping):
        kept["items"] = sent_schema(kept["items"])
    if isinstance(kept.get("anyOf"), list):
        kept["anyOf"] = [sent_schema(one) for one in kept["anyOf"]]
    return kept
