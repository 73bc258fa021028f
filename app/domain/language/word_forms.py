"""Whether two words are forms of one: light stemming for English, Czech and German.

Words are folded: lower case without marks. Only endings of inflection are cut, so that different words stay apart.
"""

import re

SHORTEST = 4
"""Shorter words have no other forms here; most are function words."""
_VOWEL = re.compile(r"[aeiouy]")
_CZECH = re.compile("(?:ami|emi|imi|ymi|ovi|ove|ach|ech|ich|ych|eho|iho|emu|imu|ata|ete|eti|ou|am|em|im|om|um|ym|ej|[aeiouy])$")
_GERMAN = ("ern", "en", "em", "er", "es", "e", "n", "s")


def same_word(one: str, other: str) -> bool:
    """Whether both are forms of one word in any of the languages."""
    return any(stem(one) == stem(other) for stem in STEMMERS)


def beginnings(stem: str) -> tuple[str, ...]:
    """What the forms with this stem begin with; its last letter may stand for another."""
    other = {"i": "y", "k": "c", "h": "z"}.get(stem[-1:])
    return (stem, stem[:-1] + other) if other else (stem,)


def english_stem(word: str) -> str:
    """Without the endings of plural, past, gerund, `-ful` and `-ion`."""
    if len(word) < SHORTEST:
        return word
    word = _singular(word)
    for ending in ("ied", "ed", "ing", "ful"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and _VOWEL.search(rest):
            word = f"{rest}y" if ending == "ied" else _undoubled(rest)
            break
    if word.endswith(("sion", "tion")) and len(word) >= 9:
        word = word[:-3]
    if word.endswith("y") and len(word) > 3:
        return word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _undoubled(word: str) -> str:
    double = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz" and word[-1] not in "aeiou"
    return word[:-1] if double else word


def czech_stem(word: str) -> str:
    """Without case endings; c and z that came from k and h are turned back."""
    ending = _CZECH.search(word, SHORTEST)
    if ending:
        word = word[: ending.start()]
    return word[:-1] + {"c": "k", "z": "h"}.get(word[-1], word[-1]) if len(word) >= SHORTEST else word


def german_stem(word: str) -> str:
    for ending in _GERMAN:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > SHORTEST:
            return rest
    return word


STEMMERS = (english_stem, czech_stem, german_stem)
