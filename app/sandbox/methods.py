"""What a served method is, and how a request finds it: verb, path template, query parameters, body, scopes, units."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote


@dataclass(frozen=True, slots=True)
class Method:
    """One method of a Google API as its discovery document describes it.

    `query` maps a parameter's name to its kind: `string`, `integer`, `boolean`, `a|b|c` (choices), with `[]` when it
    may be repeated and `!` when it is required. `units` is (new projects, grandfathered projects).
    """

    id: str
    verb: str
    path: str
    scopes: tuple[str, ...]
    query: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    max_upload_bytes: int = 0
    units: tuple[int, int] = (1, 1)

    @property
    def writes(self) -> bool:
        """Whether the method can change something."""
        return self.verb != "GET" and not self.id.endswith("freebusy.query")


@dataclass(frozen=True, slots=True)
class Match:
    """A method with the path arguments of one request and whether it came over the upload address."""

    method: Method
    arguments: Mapping[str, str]
    upload: bool


class Router:
    """Finds the method for a verb and a path."""

    def __init__(self, methods: Iterable[Method]) -> None:
        self._entries: dict[tuple[str, int], list[tuple[re.Pattern[str], Method]]] = {}
        for method in methods:
            key = (method.verb, method.path.count("/"))
            self._entries.setdefault(key, []).append((_pattern(method.path), method))
        for entries in self._entries.values():
            entries.sort(key=lambda entry: entry[1].path.count("{"))

    def find(self, verb: str, path: str) -> Match | None:
        """The match for an undecoded path, or None."""
        upload = path.startswith(("/upload/", "/resumable/upload/"))
        if upload:
            path = path[path.index("/upload/") + len("/upload") :]
        for pattern, method in self._entries.get((verb, path.count("/")), ()):
            found = pattern.fullmatch(path)
            if found and (not upload or method.max_upload_bytes):
                arguments = {name: unquote(value) for name, value in found.groupdict().items()}
                return Match(method, arguments, upload)
        return None


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    text = "".join(re.escape(part) if index % 2 == 0 else f"(?P<{part}>[^/]+?)" for index, part in enumerate(parts))
    return re.compile(text)
