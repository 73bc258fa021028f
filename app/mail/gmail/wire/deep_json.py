"""Decodes JSON of any depth.

msgspec stops at about 500 nested objects, but a message of a thousand nested parts must be readable. The second decoder does not
recurse; it is used only after msgspec gives up.
"""

import json
import re
from json.decoder import JSONDecodeError

import msgspec

SPACE = re.compile(r"[ \t\r\n]*")
LITERALS: dict[str, object] = {"true": True, "false": False, "null": None}
STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
LITERAL = re.compile("|".join(LITERALS))


def decode_json(body: bytes) -> object:
    """Decodes JSON. Raises `ValueError` (msgspec's errors are subclasses)."""
    try:
        return msgspec.json.decode(body)
    except RecursionError:
        return _Walk(body.decode("utf-8")).value()


class _Walk:
    """Non-recursive JSON decoder with a stack of the open containers."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._open: list[list[object] | dict[str, object]] = []
        self._keys: list[str] = []

    def value(self) -> object:
        """Decodes the whole text."""
        root: list[object] = []
        self._open.append(root)
        self._element()
        while len(self._open) > 1:
            self._step()
        self._skip()
        if self._at != len(self._text):
            raise self._error("Extra data")
        return root[0]

    def _step(self) -> None:
        """Reads the end or the next element of the innermost open container."""
        holder = self._open[-1]
        closing = "}" if isinstance(holder, dict) else "]"
        sign = self._peek()
        if sign == closing:
            self._at += 1
            self._open.pop()
            if isinstance(holder, dict):
                self._keys.pop()
            return
        if holder:
            self._expect(",")
        if isinstance(holder, dict):
            self._keys[-1] = self._name()
        self._element()

    def _name(self) -> str:
        name = self._string()
        self._expect(":")
        return name

    def _element(self) -> None:
        """Reads one value into the innermost container; a container is added empty and opened."""
        sign = self._peek()
        if sign in "{[":
            self._at += 1
            made: list[object] | dict[str, object] = {} if sign == "{" else []
            self._put(made)
            self._open.append(made)
            if isinstance(made, dict):
                self._keys.append("")
        elif sign == '"':
            self._put(self._string())
        else:
            self._put(self._plain())

    def _plain(self) -> object:
        """Reads a number or a literal."""
        literal = LITERAL.match(self._text, self._at)
        if literal:
            self._at = literal.end()
            return LITERALS[literal[0]]
        number = NUMBER.match(self._text, self._at)
        if not number:
            raise self._error("Expecting value")
        self._at = number.end()
        return float(number[0]) if number[1] or number[2] else int(number[0])

    def _string(self) -> str:
        self._skip()
        found = STRING.match(self._text, self._at)
        if not found:
            raise self._error("Expecting a string")
        self._at = found.end()
        text: str = json.loads(found[0], strict=False)
        return text

    def _put(self, value: object) -> None:
        holder = self._open[-1]
        if isinstance(holder, dict):
            holder[self._keys[-1]] = value
        else:
            holder.append(value)

    def _peek(self) -> str:
        self._skip()
        if self._at >= len(self._text):
            raise self._error("Unexpected end")
        return self._text[self._at]

    def _expect(self, sign: str) -> None:
        if self._peek() != sign:
            raise self._error(f"Expecting {sign}")
        self._at += 1

    def _skip(self) -> None:
        found = SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _error(self, words: str) -> JSONDecodeError:
        return JSONDecodeError(words, "", self._at)
