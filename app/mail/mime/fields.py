"""The header fields of a mail, by name and as they are shown.

Mail of one sender names the same fields in the same order, so names are read once for all mails alike. Refuses to judge values.
"""

from functools import lru_cache
from typing import NamedTuple

from app.mail.mime.words import decode_all, decode_words

Headers = tuple[tuple[str, str], ...]
USUAL = 80
"""Names and numbers of fields up to this are remembered."""


class _Names(NamedTuple):
    """The names of a mail's fields as they are shown, and in lower case."""

    shown: tuple[str, ...]
    lower: tuple[str, ...]


class Fields:
    """The fields of a mail, given as the server told them."""

    def __init__(self, headers: Headers) -> None:
        self._values = tuple([value for _, value in headers])
        names = tuple([name for name, _ in headers])
        usual = len(names) <= USUAL and max(map(len, names), default=0) <= USUAL
        self._names = _usual(names) if usual else _read(names)
        # Of doubles the first one stays, which is put in last.
        self._first = dict(zip(self._names.lower[::-1], self._values[::-1], strict=True))

    def first(self, name: str) -> str:
        """The first value of a name in lower case, or an empty string."""
        return self._first.get(name, "")

    def all(self, name: str) -> list[str]:
        """Every value of a name in lower case, in order."""
        if name not in self._first:
            return []
        if self._names.lower.count(name) == 1:
            return [self._first[name]]
        return [value for key, value in zip(self._names.lower, self._values, strict=True) if key == name]

    def shown(self) -> Headers:
        """Names and values in order, on one line each, decoded and without invisible characters."""
        return tuple(zip(self._names.shown, decode_all(self._values), strict=True))


@lru_cache(maxsize=512)
def _usual(names: tuple[str, ...]) -> _Names:
    return _read(names)


def _read(names: tuple[str, ...]) -> _Names:
    return _Names(tuple(map(decode_words, names)), tuple([name.lower() for name in names]))
