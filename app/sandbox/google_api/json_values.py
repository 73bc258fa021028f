"""Typed access to JSON values."""

import base64
import binascii
import json
from collections.abc import Iterator
from typing import TypeAlias

JsonObject: TypeAlias = dict[str, object]


def encode(value: object) -> bytes:
    """Compact UTF-8 JSON. Characters that cannot be encoded become question marks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def text_of(body: JsonObject, name: str) -> str | None:
    value = body.get(name)
    return value if isinstance(value, str) else None


def texts_of(body: JsonObject, name: str) -> list[str]:
    """The list of strings called `name`; empty if absent."""
    value = body.get(name)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def int_of(body: JsonObject, name: str) -> int | None:
    """The integer called `name`, or None."""
    value = body.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def number_of(body: JsonObject, name: str) -> float | None:
    value = body.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def flag_of(body: JsonObject, name: str) -> bool | None:
    """The boolean called `name`, or None."""
    value = body.get(name)
    return value if isinstance(value, bool) else None


def object_of(body: JsonObject, name: str) -> JsonObject:
    """The object called `name`; empty if absent."""
    value = body.get(name)
    return value if isinstance(value, dict) else {}


def objects_of(body: JsonObject, name: str) -> Iterator[JsonObject]:
    """The objects in the list called `name`."""
    value = body.get(name)
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def to_base64url(data: bytes) -> str:
    """URL-safe base64 with padding, as Gmail writes `raw` and `body.data`."""
    return base64.urlsafe_b64encode(data).decode("ascii")


def from_base64url(text: str) -> bytes | None:
    """Decodes URL-safe or plain base64, with or without padding; None if it is not base64."""
    plain = text.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
