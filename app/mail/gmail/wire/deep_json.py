"""JSON of any depth. msgspec stops at about 500 nested objects; a mail of a thousand nested parts must still be read.

The second decoder walks without recursion and is used only when the first one gives up on depth.
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
    """The decoded value. Raises `ValueError` (msgspec's errors are some)."""
    try:
        return msgspec.json.decode(body)
    except RecursionError:
        return _Walk(body.decode("utf-8")).value()


class _Walk:
    """One walk over a text, with the open containers on a stack of its own."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._open: list[list[object] | dict[str, object]] = []
        self._keys: list[str] = []

    def value(self) -> object:
        """The whole text's value."""
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
        """Read what follows in the innermost open container: its end, or its next element."""
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
        """Read one value into the innermost container; a container is put in empty and opened."""
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
        """A number or a literal."""
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
