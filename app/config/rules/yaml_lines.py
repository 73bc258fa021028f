"""Reads YAML with the line numbers of its keys, for error messages."""

import re
from collections.abc import Sequence
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.constructor import ConstructorError, RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import Node
from ruamel.yaml.reader import ReaderError

from app.config.user_files import deepest_line
from app.domain.error_texts import Cause
from app.domain.errors import BadFile

ODD = (YAMLError, ValueError, RecursionError, LookupError, AttributeError, TypeError, AssertionError)
"""Errors that ruamel raises for unusual tags, numbers and merges."""
MANY_BRACKETS = re.compile(r"(?:[\[{]\s*){100}")
"""ruamel would read thousands of them for 8 s before it gives up."""


class LineConstructor(RoundTripConstructor):
    """Names the line of a value that cannot be made, such as the date 2026-02-31."""

    def construct_object(self, node: Node, deep: bool = False) -> object:
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError) as error:
            raise ConstructorError(None, None, str(error), node.start_mark) from error


def parse_yaml(text: str, path: Path) -> "YamlSection | None":
    """The document as the contents of `path`, None for an empty one. Raises `BadFile`."""
    if MANY_BRACKETS.search(text):
        raise BadFile(str(path), deepest_line(text), Cause.YAML_ODD)
    try:
        yaml = YAML(typ="rt")
        yaml.Constructor = LineConstructor
        document = yaml.load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark is not None else 0
        raise BadFile(str(path), line, Cause.NOT_YAML, error.problem or error.context) from error
    except ODD as error:
        if isinstance(error, YAMLError | ValueError):
            line = text.count("\n", 0, error.position) + 1 if isinstance(error, ReaderError) else 0
            raise BadFile(str(path), line, Cause.YAML_UNREADABLE, error) from error
        raise BadFile(str(path), deepest_line(text), Cause.YAML_ODD) from error
    return None if document is None else as_section(document, path, "", 1)


def as_section(value: object, path: Path, what: str, line: int) -> "YamlSection":
    """`value` where it is a mapping; `what` is empty for the whole file. Raises `BadFile`."""
    if not isinstance(value, CommentedMap):
        raise BadFile(str(path), line, Cause.NOT_MAPPING if what else Cause.FILE_NOT_MAPPING, what)
    return YamlSection(path, value, what)


class YamlSection:
    """A mapping of the document; `what` names it in errors. Its methods raise `BadFile`."""

    def __init__(self, path: Path, entry: CommentedMap, what: str) -> None:
        self.path, self.entry, self.what = path, entry, what

    def __contains__(self, key: str) -> bool:
        return key in self.entry

    @property
    def names(self) -> list[str]:
        """The keys in order, as text."""
        return [str(key) for key in self.entry]

    def line(self, key: object = None) -> int:
        """The 1-based line of a key, or of the mapping itself."""
        if key in (self.entry.lc.data or {}):
            return int(self.entry.lc.key(key)[0]) + 1
        return int(self.entry.lc.line) + 1

    def error(self, key: object, cause: Cause, *values: object) -> BadFile:
        """An error at a key, or at the mapping itself for None. Returned, not raised."""
        return BadFile(str(self.path), self.line(key), cause, *values)

    def known(self, keys: Sequence[str]) -> None:
        """Raises `BadFile` for unknown keys."""
        for key in self.entry:
            if key not in keys:
                raise self.error(key, Cause.UNKNOWN_KEY, key, ", ".join(keys))

    def section(self, key: str) -> "YamlSection | None":
        """The mapping under a key, None where it is missing or empty."""
        value = self.entry.get(key)
        return None if value is None else as_section(value, self.path, key, self.line(key))

    def sequence(self, key: str, example: str, what: str = "") -> CommentedSeq | None:
        """The list under a key, None where it is missing or empty."""
        value = self.entry.get(key)
        if value is None or isinstance(value, CommentedSeq):
            return value
        raise self.error(key, Cause.NOT_LIST, what or key, example)

    def texts(self, key: str, example: str) -> tuple[str, ...]:
        listed = self.sequence(key, example) or CommentedSeq()
        for index, value in enumerate(listed):
            if not isinstance(value, str) or not value.strip():
                raise BadFile(str(self.path), int(listed.lc.item(index)[0]) + 1, Cause.HOLDS_NO_TEXT, key)
        return tuple(value.strip() for value in listed)

    def text(self, key: object) -> str:
        """A required, non-empty string, stripped."""
        if key not in self.entry:
            raise self.error(None, Cause.KEY_MISSING, key)
        value = self.entry[key]
        if value is None or (isinstance(value, str) and not value.strip()):
            raise self.error(key, Cause.EMPTY_TEXT, key)
        if not isinstance(value, str):
            raise self.error(key, Cause.NOT_TEXT, key)
        return value.strip()

    def switch(self, key: str, default: bool) -> bool:
        value = self.entry.get(key, default)
        if not isinstance(value, bool):
            raise self.error(key, Cause.NOT_SWITCH, key)
        return value

    def number(self, key: str, default: float, least: float, most: float) -> float:
        """A number within bounds, or the default. An int default requires a whole number."""
        if key not in self.entry:
            return default
        value = self.entry[key]
        whole = isinstance(default, int)
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or not least <= value <= most:
            cause = Cause.NOT_WHOLE_NUMBER if whole else Cause.NOT_NUMBER
            raise self.error(key, cause, key, least, most, f"{key}: {default}")
        return int(value) if whole else float(value)
