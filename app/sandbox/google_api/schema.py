"""Methods as Google's discovery documents have them: routing, types of bodies and query parameters, the `fields` parameter.

Unknown or mistyped values raise `ApiError` 400. `fields` supports names at the top, such as `id,payload`.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from app.domain.record import Record
from app.sandbox.google_api.errors import ApiError, bad_field, invalid_argument, invalid_value
from app.sandbox.google_api.json_values import JsonObject

STANDARD_PARAMETERS = frozenset(
    {
        "$.xgafv", "access_token", "alt", "callback", "fields", "key", "oauth_token", "prettyPrint", "quotaUser",
        "uploadType", "upload_protocol", "upload_id", "userIp",
    }
)  # fmt: skip
SCALARS: Mapping[str, type] = {"string": str, "boolean": bool, "object": dict}
UNITS: Mapping[str, int] = {
    "history.list": 2, "messages.list": 5, "messages.get": 20, "messages.send": 100, "messages.insert": 25,
    "messages.import": 25, "messages.modify": 5, "messages.batchModify": 50, "messages.batchDelete": 50, "messages.trash": 20,
    "messages.untrash": 20, "messages.delete": 10, "messages.attachments.get": 20, "threads.list": 10, "threads.get": 40,
    "threads.modify": 10, "threads.trash": 20, "threads.untrash": 20, "threads.delete": 20, "drafts.list": 5, "drafts.get": 20,
    "drafts.create": 10, "drafts.update": 15, "drafts.send": 100, "drafts.delete": 10, "settings.sendAs.patch": 100,
    "settings.updateVacation": 5,
}  # fmt: skip
"""Quota units of Gmail's methods, 1 where none are named. Discovery documents have none."""


@cache
def _document(api: str) -> Mapping[str, Any]:
    """A discovery document that Google's client library brings. The library itself is not imported."""
    library = find_spec("googleapiclient")
    assert library is not None and library.submodule_search_locations, "it is a dependency"
    path = Path(library.submodule_search_locations[0], "discovery_cache", "documents", f"{api}.json")
    document: Mapping[str, Any] = json.loads(path.read_bytes())
    return document


@cache
def _types() -> Mapping[str, Mapping[str, str]]:
    """The fields of each message type of Gmail and Calendar: name to kind."""
    found: dict[str, dict[str, str]] = {}
    for api in ("gmail.v1", "calendar.v3"):
        for name, described in _document(api)["schemas"].items():
            _add_type(name, described, found)
    return found


def _add_type(name: str, described: Mapping[str, Any], found: dict[str, dict[str, str]]) -> str:
    """Adds a type and those described within it. Returns its name."""
    fields = described.get("properties", {})
    found[name] = {field: _kind(one, f"{name}.{field}", found) for field, one in fields.items()}
    return name


def _kind(described: Mapping[str, Any], name: str, found: dict[str, dict[str, str]]) -> str:
    if "$ref" in described:
        return str(described["$ref"])
    if described.get("type") == "array":
        return _kind(described["items"], name, found) + "[]"
    if "properties" in described:
        return _add_type(name, described, found)
    kind = "|".join(described["enum"]) if "enum" in described else str(described["type"])
    return kind + ("[]" if described.get("repeated") else "")


def check_body(name: str, body: JsonObject, where: str = "") -> None:
    """Checks names and types of a body. Raises `ApiError` 400 with the path of the bad field, as Google does."""
    known = _types()[name]
    for key, value in body.items():
        if key not in known:
            place = f" at '{where}'" if where else ""
            raise bad_field(f'Invalid JSON payload received. Unknown name "{key}"{place}: Cannot find field.', where)
        if value is not None:
            _check_value(known[key], value, f"{where}.{key}" if where else key)


def _check_value(kind: str, value: object, where: str) -> None:
    if kind.endswith("[]") and isinstance(value, list):
        for index, item in enumerate(value):
            _check_value(kind[:-2], item, f"{where}[{index}]")
    elif kind in _types():
        if not isinstance(value, dict):
            raise invalid_value(where, kind, value)
        check_body(kind, value, where)
    elif kind == "integer":
        if type(value) is not int:  # a bool is an int, too
            raise invalid_value(where, "TYPE_INT32", value)
    elif kind in SCALARS:
        if not isinstance(value, SCALARS[kind]):
            raise invalid_value(where, f"TYPE_{kind.upper()}", value)
    elif value not in kind.split("|"):
        raise invalid_value(where, "enum", value)


def check_query(query: Mapping[str, Sequence[str]], known: Mapping[str, str]) -> JsonObject:
    """The query parameters as strings, integers, booleans and lists. Raises `ApiError` 400 for bad ones."""
    arguments: JsonObject = {}
    for name, values in query.items():
        if name not in known and name not in STANDARD_PARAMETERS:
            text = f'Invalid JSON payload received. Unknown name "{name}": Cannot bind query parameter. '
            raise bad_field(f"{text}Field '{name}' could not be found in request message.")
        kind = known.get(name, "string")
        if kind.endswith("[]"):
            arguments[name] = [_parameter(name, kind[:-2], value) for value in values]
        elif len(values) > 1 and name in known:
            raise ApiError(400, f"Parameter '{name}' is not repeated.", "invalid")
        else:
            arguments[name] = _parameter(name, kind, values[-1])
    return arguments


def _parameter(name: str, kind: str, value: str) -> str | int | bool:
    if kind == "integer":
        if not value.lstrip("-").isdecimal() or len(value) > 10:
            raise invalid_value(name, "TYPE_INT32", value)
        return int(value)
    if kind == "boolean":
        if value.lower() not in {"true", "false", "1", "0"}:
            raise invalid_value(name, "TYPE_BOOL", value)
        return value.lower() in {"true", "1"}
    if kind != "string" and value not in kind.split("|"):
        raise invalid_value(name, "enum", value)
    return value


def page_size(arguments: JsonObject, name: str, default: int, most: int) -> int:
    """The default if absent or 0, never above `most`. Raises `ApiError` 400 if negative."""
    wanted = int(arguments.get(name) or default)
    if wanted < 0:
        raise invalid_argument(f"Invalid {name}: {wanted}")
    return min(wanted, most)


FIELD = re.compile(r"[A-Za-z0-9_]+")


def reduced_to(fields: str, answer: JsonObject) -> JsonObject:
    """The fields of an answer that the parameter `fields` names, such as `id,payload`. Raises `ApiError` 400."""
    names = [name.strip() for name in fields.split(",")]
    if not all(FIELD.fullmatch(name) for name in names):
        raise ApiError(400, f"Invalid field selection {fields}", "invalidParameter", location=("fields", "parameter"))
    return {name: value for name, value in answer.items() if name in names}


class Method(Record):
    """A method of a Google API as in its discovery document.

    `query` maps a parameter's name to its kind: `string`, `integer`, `boolean` or `a|b|c` (choices), with `[]` if it may be
    repeated.
    """

    id: str
    verb: str
    path: str
    scopes: tuple[str, ...]
    query: Mapping[str, str]
    body: str
    max_upload_bytes: int
    units: int

    @classmethod
    def named(cls, method_id: str) -> "Method":
        """The method of this id. Raises `KeyError` for one that Google does not have."""
        api, *places, name = method_id.split(".")
        node = document = _document({"gmail": "gmail.v1", "calendar": "calendar.v3", "people": "people.v1"}[api])
        for place in places:
            node = node["resources"][place]
        described = node["methods"][name]
        parameters = described.get("parameters", {}).items()
        return cls(
            id=method_id,
            verb=described["httpMethod"],
            path="/" + document["servicePath"] + described.get("flatPath", described["path"]),
            scopes=tuple(described["scopes"]),
            query={one: _kind(given, one, {}) for one, given in parameters if given["location"] == "query"},
            body=described.get("request", {}).get("$ref", ""),
            max_upload_bytes=int(described.get("mediaUpload", {}).get("maxSize", 0)),
            units=UNITS.get(method_id.removeprefix("gmail.users."), 1),
        )


class MethodMatch(Record):
    """A method with the path arguments of a request. `upload`: it came to the upload address."""

    method: Method
    arguments: Mapping[str, str]
    upload: bool


class MethodRouter:
    """Finds methods by verb and path; fixed paths go before those with arguments."""

    def __init__(self, methods: Iterable[Method]) -> None:
        self._entries: list[tuple[re.Pattern[str], Method]] = []
        for method in sorted(methods, key=lambda one: one.path.count("{")):
            parts = re.split(r"\{(\w+)\}", method.path)
            text = "".join(f"(?P<{part}>[^/]+?)" if index % 2 else re.escape(part) for index, part in enumerate(parts))
            self._entries.append((re.compile(text), method))

    def find(self, verb: str, path: str) -> MethodMatch | None:
        """The match for an undecoded path, or None."""
        upload = path.startswith(("/upload/", "/resumable/upload/"))
        if upload:
            path = path[path.index("/upload/") + len("/upload") :]
        for pattern, method in self._entries:
            found = pattern.fullmatch(path) if method.verb == verb else None
            if found and (not upload or method.max_upload_bytes):
                arguments = {name: unquote(value) for name, value in found.groupdict().items()}
                return MethodMatch(method, arguments, upload)
        return None
