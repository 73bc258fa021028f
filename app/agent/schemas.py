"""JSON schemas as providers of language models take them."""

from collections.abc import Mapping
from typing import Any

SENT_KEYWORDS = frozenset({"type", "properties", "required", "enum", "items", "additionalProperties", "description", "anyOf"})
"""What providers take in a schema; the rest is checked here alone."""


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
