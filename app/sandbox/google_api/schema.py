"""Methods of Google's discovery documents: routing, types of bodies and query parameters, and the `fields` parameter.

Unknown or mistyped values raise `ApiError` 400. `fields` supports names at the top, such as `id,payload`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import unquote

from app.sandbox.google_api.errors import ApiError, invalid_value, unknown_field, unknown_parameter
from app.sandbox.google_api.json_values import JsonObject

STANDARD_PARAMETERS = frozenset(
    {
        "$.xgafv", "access_token", "alt", "callback", "fields", "key", "oauth_token", "prettyPrint", "quotaUser",
        "uploadType", "upload_protocol", "upload_id", "userIp",
    }
)  # fmt: skip
Described: TypeAlias = Mapping[str, Any]
"""A type or a parameter as a discovery document describes it."""
SCALARS: Mapping[str, type] = {"string": str, "boolean": bool, "object": dict, "array": list}


def check_body(method: "Method", body: JsonObject) -> None:
    """Checks names and types of a body. Raises `ApiError` 400 with the path of the bad field, as Google does."""
    _check_value(method.types, method.body, body, "")


def _check_value(types: Described, described: Described, value: object, where: str) -> None:
    described = types[described["$ref"]] if "$ref" in described else described
    kind = described["type"]
    if "enum" in described:
        if value not in described["enum"]:
            raise invalid_value(where, "enum", value)
    elif kind == "integer":
        if type(value) is not int:  # a bool is an int, too
            raise invalid_value(where, "TYPE_INT32", value)
    elif kind in SCALARS and not isinstance(value, SCALARS[kind]):
        raise invalid_value(where, f"TYPE_{kind.upper()}", value)
    for name, inner, inner_described in _parts(described, value, where):
        if inner is not None:
            _check_value(types, inner_described, inner, name)


def _parts(described: Described, value: object, where: str) -> Iterator[tuple[str, object, Described]]:
    """What a list or an object holds, with its place and description. Raises `ApiError` 400 for an unknown field."""
    if isinstance(value, list):
        yield from ((f"{where}[{index}]", item, described["items"]) for index, item in enumerate(value))
    elif isinstance(value, dict) and "properties" in described:
        for key, inner in value.items():
            if key not in described["properties"]:
                raise unknown_field(key, where)
            yield f"{where}.{key}" if where else key, inner, described["properties"][key]


class Arguments:
    """The checked query parameters of one request."""

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self._values = values

    def text(self, name: str) -> str | None:
        """The last value given, or None."""
        given = self._values.get(name)
        return given[-1] if given else None

    def texts(self, name: str) -> list[str]:
        """Every value given, in order."""
        return list(self._values.get(name, ()))

    def flag(self, name: str) -> bool:
        return (self.text(name) or "").lower() in {"true", "1"}

    def count(self, name: str, default: int, most: int) -> int:
        """A page size: the default if absent or 0, never above `most`. Raises `ApiError` 400 if negative."""
        wanted = int(self.text(name) or 0) or default
        if wanted < 0:
            raise ApiError(400, f"Invalid {name}: {wanted}", "invalidArgument")
        return min(wanted, most)


def check_query(query: Mapping[str, Sequence[str]], known: Mapping[str, Described]) -> Arguments:
    """Checks the query parameters. Raises `ApiError` 400 for unknown, repeated and mistyped ones."""
    for name, values in query.items():
        if name in STANDARD_PARAMETERS:
            continue
        if name not in known:
            raise unknown_parameter(name)
        if len(values) > 1 and not known[name].get("repeated"):
            raise ApiError(400, f"Parameter '{name}' is not repeated.", "invalid")
        for value in values:
            _check_parameter(name, known[name], value)
    return Arguments(query)


def _check_parameter(name: str, described: Described, value: str) -> None:
    if "enum" in described:
        if value not in described["enum"]:
            raise invalid_value(name, "enum", value)
    elif described["type"] == "integer":
        if not value.lstrip("-").isdecimal() or len(value) > 10:
            raise invalid_value(name, "TYPE_INT32", value)
    elif described["type"] == "boolean" and value.lower() not in {"true", "false", "1", "0"}:
        raise invalid_value(name, "TYPE_BOOL", value)


FIELD = re.compile(r"[A-Za-z0-9_]+")


def reduced_to(fields: str, answer: JsonObject) -> JsonObject:
    """The fields of an answer that the parameter `fields` names, such as `id,payload`. Raises `ApiError` 400."""
    names = [name.strip() for name in fields.split(",")]
    if not all(FIELD.fullmatch(name) for name in names):
        raise ApiError(400, f"Invalid field selection {fields}", "invalidParameter", location=("fields", "parameter"))
    return {name: value for name, value in answer.items() if name in names}


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a Google API as in its discovery document, whose `types` its body refers to.

    `query` maps a parameter's name to its description, `body` is empty for a method without one.
    """

    id: str
    verb: str
    path: str
    scopes: tuple[str, ...]
    query: Mapping[str, Described]
    body: Described
    types: Described
    max_upload_bytes: int
    units: int


@dataclass(frozen=True, slots=True)
class MethodMatch:
    """A method with the path arguments of a request. `upload`: it came to the upload address."""

    method: Method
    arguments: Mapping[str, str]
    upload: bool


class MethodRouter:
    """Finds methods by verb and path."""

    def __init__(self, methods: Iterable[Method]) -> None:
        self._entries: dict[tuple[str, int], list[tuple[re.Pattern[str], Method]]] = {}
        for method in methods:
            key = (method.verb, method.path.count("/"))
            self._entries.setdefault(key, []).append((_pattern(method.path), method))
        for entries in self._entries.values():
            entries.sort(key=lambda entry: entry[1].path.count("{"))

    def find(self, verb: str, path: str) -> MethodMatch | None:
        """The match for an undecoded path, or None."""
        upload = path.startswith(("/upload/", "/resumable/upload/"))
        if upload:
            path = path[path.index("/upload/") + len("/upload") :]
        for pattern, method in self._entries.get((verb, path.count("/")), ()):
            found = pattern.fullmatch(path)
            if found and (not upload or method.max_upload_bytes):
                arguments = {name: unquote(value) for name, value in found.groupdict().items()}
                return MethodMatch(method, arguments, upload)
        return None


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    text = "".join(re.escape(part) if index % 2 == 0 else f"(?P<{part}>[^/]+?)" for index, part in enumerate(parts))
    return re.compile(text)
