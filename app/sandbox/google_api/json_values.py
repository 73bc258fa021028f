"""JSON objects and the encodings of Google's APIs."""

import base64
import binascii
import json
from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]


def encode(value: object) -> bytes:
    """Compact UTF-8 JSON. Characters that cannot be encoded become question marks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


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
