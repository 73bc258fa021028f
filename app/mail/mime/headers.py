"""Reads header values: encoded words (RFC 2047), fields by name, address lists as they occur in mail.

Never raises: an invalid encoded word stays as it is.
"""

import base64
import binascii
import re

from app.domain.mail.message import Address
from app.domain.mail.text_cache import remembered
from app.mail.mime.text import LAST, known_charset, one_line

WORD = re.compile(r"=\?([A-Za-z0-9_.:+-]{1,40})(?:\*[A-Za-z0-9-]{1,40})?\?([bBqQ])\?([^?\r\n]{0,8000})\?=")
"""Spaces are not allowed in an encoded word, but some mailers write them and every reader decodes it."""
BETWEEN = re.compile(r"(\?=)\s+(=\?)")
HEX = re.compile(rb"=([0-9A-Fa-f]{2})")
LATIN = frozenset({"ascii", "iso8859_1"})
"""Mailers that say latin-1 mean windows-1252, in headers as in bodies."""


def decode_words(value: str) -> str:
    """Decodes the encoded words of `value`, on one line, without invisible characters."""
    if value.isascii() and value.isprintable() and "=?" not in value and "  " not in value:
        return value.strip()  # nearly every header value
    if "=?" in value and "?=" in value:
        value = _decoded(value)
    return one_line(value)


def _decoded(value: str) -> str:
    """Decodes encoded words. Neighbours of one charset are joined as bytes first, since some mailers split characters."""
    value = BETWEEN.sub(r"\1\2", value)
    out: list[str] = []
    pending, charset, at = b"", "", 0
    for found in WORD.finditer(value):
        name = _charset_for(found[3], known_charset(found[1]))
        data = _bytes(found[2], found[3], name) if name else None
        if data is None:
            continue
        if found.start() > at or name != charset:
            out += [_text(pending, charset), value[at : found.start()]]
            pending = b""
        pending, charset, at = pending + data, name, found.end()
    return "".join([*out, _text(pending, charset), value[at:]])


def _charset_for(text: str, declared: str) -> str:
    """The charset of an encoded word; UTF-8 where it holds raw letters that the declared one lacks."""
    charset = LAST if declared in LATIN else declared
    if not charset or text.isascii():
        return charset
    try:
        text.encode(charset)
    except UnicodeError:
        return "utf_8"
    return charset


def _bytes(encoding: str, text: str, charset: str) -> bytes | None:
    raw = text.encode(charset if not text.isascii() else "ascii", "replace")
    if encoding in "qQ":
        return HEX.sub(lambda found: bytes((int(found[1], 16),)), raw.replace(b"_", b" "))
    try:
        return base64.b64decode(raw + b"=" * (-len(raw) % 4))
    except (binascii.Error, ValueError):
        return None


def _text(data: bytes, charset: str) -> str:
    return data.decode(charset, "replace") if data else ""


Headers = tuple[tuple[str, str], ...]


class HeaderFields:
    """The header fields of a message, given as the server sent them."""

    def __init__(self, headers: Headers) -> None:
        self._headers = headers
        self._values: dict[str, list[str]] = {}
        for name, value in headers:
            self._values.setdefault(name.lower(), []).append(value)

    def first(self, name: str) -> str:
        """Returns the first value of a lower-case name, or an empty string."""
        return next(iter(self.all(name)), "")

    def all(self, name: str) -> list[str]:
        """Returns every value of a lower-case name, in order."""
        return self._values.get(name, [])

    def shown(self) -> Headers:
        """Names and values in order, each decoded on one line without invisible characters."""
        return tuple([(decode_words(name), decode_words(value)) for name, value in self._headers])


_QUOTED = r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)'
"""Matches to the closing quote or to the end of the value; otherwise each further quote would search the whole rest."""
_PLAIN = r'<[^<>]*>|[(),;:<>"]|[^(),;:<>"]+'
QUOTED = re.compile(f"({_QUOTED})", re.DOTALL)
UNQUOTED = re.compile(_PLAIN)
TOKEN = re.compile(f"{_QUOTED}|{_PLAIN}", re.DOTALL)
CLOSED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_EDGE = r"\s<>\"(),;:"
ADDRESS = re.compile(rf"(?<![^{_EDGE}])(?:[^@{_EDGE}]{{1,200}}|\"[^\"\s]{{1,200}}\")@[^@{_EDGE}]{{1,255}}(?![^{_EDGE}])")
MOST_COMMAS = 6
"""Bare commas that a display name may have before its entry is given up."""
MOST = 2000
LONGEST_VALUE = 200_000
USUAL = 200
"""Values up to this length are cached, as the same addresses come again and again."""


@remembered(4096, USUAL)
def parse_addresses(value: str) -> tuple[Address, ...]:
    """The addresses of a header value in order, at most 2,000; duplicates stay."""
    reader = _Reader()
    for piece in _pieces(value[:LONGEST_VALUE]):
        reader.take(piece)
    reader.finish()
    return tuple(reader.found[:MOST])


def _pieces(value: str) -> list[str]:
    """Quoted strings, angle addresses, single characters and the text between.

    A quote that is never closed is an ordinary character.
    """
    pieces: list[str] = TOKEN.findall(value)
    if pieces and pieces[-1][0] == '"' and not CLOSED.fullmatch(pieces[-1]):
        pieces[-1:] = UNQUOTED.findall(pieces[-1][1:])
    return pieces


class _Reader:
    """Collects entries: the words of a name, comments, the angle address."""

    def __init__(self) -> None:
        self.found: list[Address] = []
        self._words: list[str] = []
        self._comment: list[str] = []
        self._angle = ""
        self._commas = 0
        self._depth = 0
        self._at = False

    def take(self, piece: str) -> None:
        if self._depth or piece == "(":
            self._take_comment(piece)
        elif piece == ":" and not self._at:
            self._clear()  # what came before was a group's name
        elif piece in ",;":
            self._end(piece == ",")
        elif piece[0] == "<" and len(piece) > 1:
            self._angle = self._angle or piece[1:-1].strip()
        elif piece not in '<>"':
            self._words.append(piece)
            self._at = self._at or "@" in piece

    def finish(self) -> None:
        self._end(more_may_follow=False)

    def _take_comment(self, piece: str) -> None:
        if piece == "(":
            self._depth += 1
        elif piece == ")":
            self._depth -= 1
        else:
            self._comment.append(piece)

    def _end(self, more_may_follow: bool) -> None:
        name = "".join(self._words)
        email = _address_in(self._angle) if self._angle else _address_in(name)
        if not email and more_may_follow and not self._angle and name.strip() and self._commas < MOST_COMMAS:
            self._words.append(", ")  # a bare comma inside a name: Novak, Jan <jan@...>
            self._commas += 1
            return
        if email:
            shown = name if self._angle else "".join(self._comment)
            self.found.append(Address(email, _name(shown, email)))
        self._clear()

    def _clear(self) -> None:
        self._words, self._comment, self._angle, self._commas, self._at = [], [], "", 0, False


def _address_in(text: str) -> str:
    """The last address in `text`, in lower case; some mailers write text before it."""
    found = ADDRESS.findall(decode_words(text) if "=?" in text else text)
    return found[-1].lower() if found else ""


def _name(shown: str, email: str) -> str:
    """A display name without quotes; empty if it only repeats the address."""
    parts = [_unquoted(part) for part in QUOTED.split(shown)]
    name = decode_words("".join(parts)).strip(" '\"")
    return "" if name.lower() == email else name[:300]


def _unquoted(part: str) -> str:
    return ESCAPED.sub(r"\1", part[1:-1]) if len(part) > 1 and part[0] == part[-1] == '"' else part
