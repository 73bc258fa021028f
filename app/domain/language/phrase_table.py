"""Tables of phrases over folded text."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

_PATTERN_SIGN = re.compile(r"\\.|\[(?:\\.|[^\]])*\]|[()|]", re.DOTALL)
_NEVER = "(?!)"

_PART = r"\w*"
"""Before a phrase that also stands inside of words."""

MANY = 30
"""Phrases from which it pays to sort them by their first letter: a sentence is read in a third of the time."""

LONGEST_COPIES = 500
"""Characters that may be added so that a choice of beginnings is sorted too."""

_REPEATS = ("?", "*", "+", "{")


class PhraseTable:
    """Patterns of phrases over folded text, tried only where a word begins, or with `^` where the text does."""

    def __init__(self, *parts: "str | PhraseTable") -> None:
        """`parts` are patterns, or tables whose phrases this one has too."""
        self._told: list[str] = [one for part in parts for one in (_split(part) if isinstance(part, str) else part._told)]
        anywhere = [one.removeprefix(r"\b") for one in self._told if not one.startswith("^")]
        begun = [one for one in anywhere if not one.startswith(_PART)]
        words = _joined(_by_letter(begun)) if len(begun) > MANY else "|".join(begun)
        inner = [one.removeprefix(_PART).removeprefix("-?") for one in anywhere if one.startswith(_PART)]
        first = _joined(_by_lead(one[1:] for one in self._told if one.startswith("^")))
        self._first = re.compile(first) if first else None
        self._anywhere = re.compile("|".join([rf"\W(?:{words or _NEVER})", *inner]))

    def within(self, folded: str) -> bool:
        """Whether the text contains one of the phrases."""
        if self._first is not None and self._first.match(folded) is not None:
            return True
        return self._anywhere.search(f"\n{folded}") is not None


def _by_letter(phrases: Iterable[str]) -> Mapping[str, list[str]]:
    """What follows each first letter of phrases. What begins with none, or would be copied often, stands under an empty one."""
    found: dict[str, list[str]] = defaultdict(list)
    for one in phrases:
        group = next(_split(one, ")"))
        rest = one[len(group) + 1 :]
        inner = _by_letter(_split(group[3:])) if group.startswith("(?:") and not rest.startswith(_REPEATS) else {}
        if inner and len(inner) * len(rest) < LONGEST_COPIES:
            for letter, tails in inner.items():
                found[letter].append(f"(?:{'|'.join(tails)}){rest}")
        elif one[:1].isalpha() and not one[1:].startswith(_REPEATS):
            found[one[0]].append(one[1:])
        else:
            found[""].append(one)
    return found


def _by_lead(phrases: Iterable[str]) -> Mapping[str, list[str]]:
    """Phrases by what may stand before them up to twice, so that it is tried once for all."""
    found: dict[str, list[str]] = defaultdict(list)
    for one in phrases:
        lead = next(_split(one, ")")) + "){0,2}"
        found[lead if one.startswith(lead) else ""].append(one.removeprefix(lead))
    return found


def _joined(begun: Mapping[str, list[str]]) -> str:
    return "|".join(f"{beginning}(?:{'|'.join(rest)})" for beginning, rest in begun.items())


def _split(pattern: str, sign: str = "|") -> Iterator[str]:
    """Splits a pattern at the signs outside of all brackets."""
    depth, begin = 0, 0
    for hit in _PATTERN_SIGN.finditer(pattern):
        depth += (hit.group() == "(") - (hit.group() == ")")
        if hit.group() == sign and depth == 0:
            yield pattern[begin : hit.start()]
            begin = hit.end()
    yield pattern[begin:]
