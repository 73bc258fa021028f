"""Decides whether the user typed an argument in this request or it came from a text the agent read. Pure functions.

A value counts as typed if it occurs in the request as a whole word or phrase.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

SHORTEST = 3
"""Shorter values occur in any text by chance and never count as typed (characters)."""

BEFORE = r"(?<![\w@+\-/.:])"
AFTER = r"(?![\w@+\-/]|[.:?&=#%][\w@])"
SPACE = re.compile(r"\s+")


def leaves(value: object) -> tuple[object, ...]:
    """Every single value in a JSON value, without keys."""
    if isinstance(value, Mapping):
        return tuple(leaf for inner in value.values() for leaf in leaves(inner))
    if isinstance(value, list | tuple):
        return tuple(leaf for inner in value for leaf in leaves(inner))
    return (value,)


def significant_values(arguments: Mapping[str, Any], parameters: Mapping[str, Any]) -> tuple[object, ...]:
    """The values of a call that matter: neither empty nor the schema's defaults."""
    properties = parameters.get("properties", {})
    defaults = {name: one["default"] for name, one in properties.items() if isinstance(one, Mapping) and "default" in one}
    given = (value for name, value in arguments.items() if name not in defaults or defaults[name] != value)
    return tuple(leaf for value in given for leaf in leaves(value) if leaf is not None and leaf not in ("", False))


def said_in(value: object, text: str, shortest: int = SHORTEST) -> bool:
    """Whether `text` contains `value` as a whole, ignoring case and white space."""
    words = _plain(str(value))
    if isinstance(value, bool) or len(words) < shortest:
        return False
    return re.search(BEFORE + re.escape(words) + AFTER, _plain(text)) is not None


def typed_by_user(arguments: Mapping[str, Any], parameters: Mapping[str, Any], request: str) -> bool:
    """Whether the user typed every argument that matters. False for a call without such arguments."""
    values = significant_values(arguments, parameters)
    return bool(values) and all(said_in(value, request) for value in values)


def from_strangers(
    arguments: Mapping[str, Any], parameters: Mapping[str, Any], request: str, seen: Iterable[str]
) -> tuple[str, ...]:
    """The values that occur in texts the agent read but not in the request.

    Short values count too: a number may name the message to delete.
    """
    texts = tuple(seen)
    values = (
        one for one in significant_values(arguments, parameters) if isinstance(one, str | int) and not said_in(one, request)
    )
    return tuple(dict.fromkeys(str(value) for value in values if any(said_in(value, text, shortest=1) for text in texts)))


def _plain(text: str) -> str:
    return SPACE.sub(" ", text).strip().casefold()
