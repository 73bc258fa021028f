"""Tables of phrases over folded text, tried only at words with which one of their phrases may begin."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from operator import or_

_PATTERN_SIGN = re.compile(r"\\.|\[(?:\\.|[^\]])*\]|[()|]", re.DOTALL)
_NEVER = "(?!)"
_WORD = re.compile(r"\w+")
_SIGNS = frozenset({" ", "'", "-", ",", ":", r"\b", r"\s", r"\W", r"\."})
_PLAIN_CLASS = re.compile(r"\[[a-z0-9]+\]")
_QUANTIFIER = re.compile(r"(?:[?*+]|\{[\d,]+\})?")
_LEAD = "{0,2}"
"""Behind a group of small words, each with a sign after it, that may stand before a phrase at the beginning of a text."""

_PART = r"\w*"
"""Before a phrase that also stands inside of words."""

LONG = 300
"""Characters of a text from which it is quicker to look up each word than to search once."""

REMEMBERED_WORDS = 16_384
COMPARED = 6
"""Letters of a phrase's first word that are compared."""

_tables_by_beginning: dict[str, int] = defaultdict(int)
"""Which tables have phrases that begin with these letters, as bits. With a space after them, a phrase has this whole word."""


class PhraseTable:
    """Patterns of phrases over folded text, tried only where a word begins, or with `^` where the text does.

    All tables share one pass over a text, which finds the words that may begin their phrases. Most tables have none there.
    """

    _known = 0

    def __init__(self, *parts: "str | PhraseTable") -> None:
        """`parts` are patterns, or tables whose phrases this one has too."""
        self._told: list[str] = [one for part in parts for one in (_alternatives(part) if isinstance(part, str) else part._told)]
        self._inside, self._at_start = 1 << PhraseTable._known, 2 << PhraseTable._known
        PhraseTable._known += 2
        anywhere = [one.removeprefix(r"\b") for one in self._told if not one.startswith("^")]
        inner = [one for one in anywhere if one.startswith(_PART)]
        signs = [one for one in anywhere if one not in inner and not _note(one, self._inside)]
        begun = _by_letter(one for one in anywhere if one not in [*inner, *signs])
        self._words = re.compile(rf"\W(?:{begun or _NEVER})")
        others = [*(one.removeprefix(_PART).removeprefix("-?") for one in inner), *(rf"\W(?:{one})" for one in signs)]
        self._others = re.compile("|".join(others)) if others else None
        first = [_led(one) for one in self._told if one.startswith("^")]
        self._first = re.compile(_by_lead(first) or _NEVER)
        self._always_first = not min([_note(one, self._at_start) for _lead, one in first], default=True)
        _tables_with.clear()
        _tables_of.cache_clear()
        _places.cache_clear()

    def within(self, folded: str) -> bool:
        """Whether the text contains one of the phrases."""
        there = _tables_of(folded)
        if (there & self._at_start or self._always_first) and self._first.match(folded):
            return True
        padded = f"\n{folded}"
        if there & self._inside:
            if len(folded) < LONG:
                if self._words.search(padded):
                    return True
            elif any(tables & self._inside and self._words.match(padded, at) for at, tables in _places(folded)):
                return True
        return self._others is not None and self._others.search(padded) is not None


class _TablesOfWords(dict[str, int]):
    """The tables with phrases that may begin in what stands between two spaces, as bits. Mails share most words."""

    def __missing__(self, written: str) -> int:
        found = 0
        for word in _WORD.findall(written):
            found |= _tables_by_beginning.get(f"{word} ", 0)
            for length in range(min(len(word), COMPARED) + 1):
                found |= _tables_by_beginning.get(word[:length], 0)
        if len(self) >= REMEMBERED_WORDS:
            self.clear()
        self[written] = found
        return found


_tables_with = _TablesOfWords()


@lru_cache(maxsize=256)
def _tables_of(folded: str) -> int:
    """The tables that a text may have phrases of."""
    return reduce(or_, map(_tables_with.__getitem__, folded.split()), 0)


@lru_cache(maxsize=64)
def _places(folded: str) -> tuple[tuple[int, int], ...]:
    """Where the words of a text begin, with the tables that have phrases with such a word."""
    found = ((hit.start(), _tables_with[hit.group()]) for hit in _WORD.finditer(folded))
    return tuple(one for one in found if one[1])


def _note(pattern: str, table: int) -> bool:
    """Notes with which words a phrase of a table begins. False where it may begin with a sign."""
    begins = _beginnings(pattern, COMPARED)
    if " " in begins:
        return False
    for one in begins:
        _tables_by_beginning[one] |= table
    return True


def _beginnings(pattern: str, most: int) -> set[str]:
    """The letters that the matches of a pattern begin with, and a space where a word ends there. A space alone is a sign."""
    part = _first_part(pattern)
    if not part or not most:
        return {""}
    hit = _QUANTIFIER.match(pattern, len(part))
    quantifier = hit.group() if hit else ""
    rest = pattern[len(part) + len(quantifier) :]
    if part.startswith(("(?!", "(?=", "(?<!", "(?<=")) or (part == r"\b" and most == COMPARED):
        return _beginnings(rest, most)
    after = rest if quantifier in {"", "?"} else r"\w"
    if part.startswith("(?:"):
        found = {told for one in _alternatives(part[3:-1]) for told in _beginnings(one + after, most)}
    elif part.isalnum() or part == r"\d" or _PLAIN_CLASS.fullmatch(part):
        letters = "0123456789" if part == r"\d" else part.strip("[]")
        found = {letter + told for letter in letters for told in _beginnings(after, most - 1)}
    else:
        found = {" " if (most == COMPARED and part != r"\w") or part in _SIGNS else ""}
    return found | _beginnings(rest, most) if quantifier.startswith(("?", "*", "{0")) else found


def _first_part(pattern: str) -> str:
    """The first character, class or group of a pattern."""
    depth = 0
    if pattern[:1] not in {"\\", "[", "("}:
        return pattern[:1]
    for hit in _PATTERN_SIGN.finditer(pattern):
        depth += (hit.group() == "(") - (hit.group() == ")")
        if not depth:
            break
    return pattern[: hit.end()]


def _led(pattern: str) -> tuple[str, str]:
    """A pattern for the beginning of a text as what may stand before it, and the rest."""
    lead = _first_part(pattern[1:]) + _LEAD
    return ("^" + lead, pattern[1 + len(lead) :]) if pattern.startswith("^" + lead) else ("^", pattern[1:])


def _by_lead(patterns: Iterable[tuple[str, str]]) -> str:
    """One pattern that tries each lead once."""
    led: dict[str, list[str]] = defaultdict(list)
    for lead, rest in patterns:
        led[lead].append(rest)
    return "|".join(f"{lead}(?:{_by_letter(rests)})" for lead, rests in led.items())


_LETTER = re.compile(r"[a-z](?![?*+{])")
_LONGEST_CHOICE = 300
"""Characters that a choice may take once its end is written after each of its parts."""


def _by_letter(alternatives: Iterable[str]) -> str:
    """One pattern that tries each letter once: `by|but|(?:in|on) time` as `b(?:y|ut)|i(?:n time)|o(?:n time)`.

    Otherwise each of a table's sixty phrases is tried at each word. Those with the same beginning keep their order.
    """
    begun: dict[str, list[str]] = defaultdict(list)
    others: list[str] = []
    for one in (choice for pattern in alternatives for choice in _choices(pattern)):
        if _LETTER.match(one):
            begun[one[0]].append(one[1:])
        else:
            others.append(one)
    return "|".join([*(f"{letter}(?:{_by_letter(rest)})" for letter, rest in begun.items()), *others])


def _choices(pattern: str) -> list[str]:
    """A pattern that begins with a choice, once for each of its parts; itself where it does not or that would be long."""
    if not pattern.startswith("(?:"):
        return [pattern]
    part = _first_part(pattern)
    told, rest = list(_alternatives(part[3:-1])), pattern[len(part) :]
    if rest.startswith(("?", "*", "+", "{")) or len(told) * len(rest) > _LONGEST_CHOICE:
        return [pattern]
    return [choice for one in told for choice in _choices(f"{one}{rest}")]


def _alternatives(pattern: str) -> Iterator[str]:
    """Splits a pattern at the bars outside of all brackets."""
    depth, begin = 0, 0
    for hit in _PATTERN_SIGN.finditer(pattern):
        sign = hit.group()
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            yield pattern[begin : hit.start()]
            begin = hit.end()
    yield pattern[begin:]
