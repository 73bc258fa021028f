"""Partial responses: the `fields` parameter. It parses `a,b(c,d),e/f,*` and cuts a JSON answer down to it."""

import re

from app.sandbox.errors import ApiError
from app.sandbox.shapes import JsonObject

Mask = dict[str, "Mask"]
TOKEN = re.compile(r"[A-Za-z0-9_\-$@.]+|[*,()/]")


def parse_fields(text: str) -> Mask:
    """The tree of wanted names; an empty tree under a name means all of it. Raises ApiError 400."""
    tokens = _tokens(text)
    mask, at = _list(tokens, 0, text)
    if at != len(tokens):
        raise _bad(text)
    return mask


def apply_fields(mask: Mask, value: object) -> object:
    """The value with only the wanted names, lists mapped item by item."""
    if not mask:
        return value
    if isinstance(value, list):
        return [apply_fields(mask, item) for item in value]
    if not isinstance(value, dict):
        return value
    kept: JsonObject = {}
    for name, inner in value.items():
        wanted = mask.get(name, mask.get("*"))
        if wanted is not None:
            kept[name] = apply_fields(wanted, inner)
    return kept


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    compact = "".join(text.split())
    while at < len(compact):
        found = TOKEN.match(compact, at)
        if found is None:
            raise _bad(text)
        tokens.append(found.group())
        at = found.end()
    return tokens


def _list(tokens: list[str], at: int, text: str) -> tuple[Mask, int]:
    mask: Mask = {}
    while True:
        at = _path(tokens, at, mask, text)
        if at >= len(tokens) or tokens[at] != ",":
            return mask, at
        at += 1


def _path(tokens: list[str], at: int, mask: Mask, text: str) -> int:
    if at >= len(tokens) or tokens[at] in {",", "(", ")", "/"}:
        raise _bad(text)
    name = tokens[at]
    inner: Mask = {}
    at += 1
    if at < len(tokens) and tokens[at] == "/":
        at = _path(tokens, at + 1, inner, text)
    elif at < len(tokens) and tokens[at] == "(":
        inner, at = _list(tokens, at + 1, text)
        if at >= len(tokens) or tokens[at] != ")":
            raise _bad(text)
        at += 1
    mask[name] = _union(mask[name], inner) if name in mask else inner
    return at


def _union(one: Mask, other: Mask) -> Mask:
    if not one or not other:
        return {}
    merged = dict(one)
    for name, inner in other.items():
        merged[name] = _union(merged[name], inner) if name in merged else inner
    return merged


def _bad(text: str) -> ApiError:
    return ApiError(400, f"Invalid field selection {text}", "invalidParameter", location=("fields", "parameter"))
