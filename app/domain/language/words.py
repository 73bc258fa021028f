"""Words of a mail: folding, splitting, sentences, language detection, and comparison by content words.

English and Czech endings are tolerated: words are alike where they begin alike.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator
from enum import StrEnum
from functools import lru_cache

from app.domain.mail.text_cache import remembered

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'»“”)\]]*\s+(?=[\"'„“(\[]?[A-ZÀ-ŽА-Я0-9])|\n{2,}|\n(?=[^\S\n]*[-*•\d])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|approx|e\.g|i\.e|Ing|Mgr|Bc|MUDr|č|p|tel|ul|cca|např|tj)|(?<![\d:])\d{1,2})\.$"
)

LONGEST_ABBREVIATION = 8


class Language(StrEnum):
    """Language of a mail, as far as drafting needs it."""

    EN = "en"
    CS = "cs"
    DE = "de"
    OTHER = "other"


_EN_STOPS = (
    "the and you your for that this with have are from not can will would could please is it of to in on we our "
    "be at if was my me us any there what when how do does did an or as but by they has been just hi hello i a "
    "thanks thank tomorrow yes which who no"
)
_CS_STOPS = (
    "a se na je ze že v o s z do pro jsem jste jsme jsou by byl bych bude jak ale nebo prosím prosim dobrý dobry den "
    "děkuji dekuji díky diky mám mam máte mate co to si už uz když kdyz tak po při pri jako jen také take ještě jeste "
    "můžete muzete ahoj zdravím zdravim pěkný kdy kolik vám vam vás vas mi mě me nám nam i k ve za od podle jestli"
)
_DE_STOPS = (
    "der die und das ist nicht ich sie wir mit für auf ein eine einen einem bitte danke von zu den dem des können konnen haben "
    "sind hallo im am es ihr ihre ihren ihnen uns mir mich noch oder auch wenn bei nach wann was wie wo gibt hat habe kann würde "
    "wurde werden wird zum zur über uber guten tag liebe lieber viele grüße grüßen mal schon du dir dich"
)
_OTHER_STOPS = (
    "le la les et est vous nous je pour dans une des bonjour merci pas que qui votre sur avec "
    "el los las y es por para con una su gracias hola del como pero più che per sono della grazie "
    "som sú nie čo ako ste môžete ďakujem prosím dobrý deň nie jest się nie czy dziękuję proszę het een van niet"
)
_STOP_WORDS: dict[Language, frozenset[str]] = {
    Language.EN: frozenset(_EN_STOPS.split()),
    Language.CS: frozenset(_CS_STOPS.split()),
    Language.DE: frozenset(_DE_STOPS.split()),
    Language.OTHER: frozenset(_OTHER_STOPS.split()),
}
_CZECH_LETTERS = frozenset("ěřůžščťďň")
_GERMAN_LETTERS = frozenset("äöüß")


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Lower case without diacritics, since many people type without them."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(char for char in decomposed if char < "\x80" or not unicodedata.combining(char))


def words(text: str) -> list[str]:
    """The words of a text, folded, in order."""
    return WORD.findall(fold(text))


def sentences(text: str) -> list[str]:
    """The sentences of a text with line breaks joined. A full stop after an abbreviation or a day's number does not end one."""
    found: list[list[str]] = []
    for piece in _SENTENCE_END.split(text):
        part = " ".join(piece.split())
        if not part:
            continue
        if found and _ABBREVIATION.search(found[-1][-1], max(0, len(found[-1][-1]) - LONGEST_ABBREVIATION)):
            found[-1].append(part)
        else:
            found.append([part])
    return [" ".join(parts) for parts in found]


@remembered(128)
def language(text: str) -> Language:
    """The language with most stop words; Czech and German letters count. English where nothing is found."""
    lowered = text.casefold()
    scores = _stop_words_in(lowered)
    if not lowered.isascii():
        scores[Language.CS] += 0.5 * sum(char in _CZECH_LETTERS for char in lowered)
        scores[Language.DE] += 0.5 * sum(char in _GERMAN_LETTERS for char in lowered)
    best = max(scores, key=lambda name: scores[name])
    known = max((Language.EN, Language.CS, Language.DE), key=lambda name: scores[name])
    if best is Language.OTHER and scores[best] < 1.3 * scores[known]:
        return known
    return best if scores[best] > 0 else Language.EN


def clear_language(text: str) -> Language | None:
    """English, Czech or German where at least three stop words say so, and twice as many as for any other language."""
    scores = _stop_words_in(text.casefold())
    best = max(scores, key=lambda name: scores[name])
    sure = scores[best] >= 3 and all(2 * score <= scores[best] for name, score in scores.items() if name is not best)
    return best if sure and best is not Language.OTHER else None


def _stop_words_in(lowered: str) -> dict[Language, float]:
    tokens = WORD.findall(lowered)
    return {name: float(sum(map(stops.__contains__, tokens))) for name, stops in _STOP_WORDS.items()}


@lru_cache(maxsize=1)
def _folded_stops() -> frozenset[str]:
    return frozenset(fold(word) for name in (Language.EN, Language.CS, Language.DE) for word in _STOP_WORDS[name])


def is_stop_word(folded: str) -> bool:
    """Whether a folded word is an English, Czech or German stop word."""
    return folded in _folded_stops()


SHORTEST = 3
_SAME_BEGINNING = 4
_SHARE = 0.55
REMEMBERED_LENGTH = 20_000
"""Characters. Words of texts up to this length are cached: the same answers are compared again for the next mail."""


def content_words(text: str) -> frozenset[str]:
    """The folded words of a text without stop words, bare numbers and very short words."""
    return _remembered(text) if len(text) <= REMEMBERED_LENGTH else _content_words(text)


@lru_cache(maxsize=128)
def _remembered(text: str) -> frozenset[str]:
    return _content_words(text)


def _content_words(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text) if len(word) >= SHORTEST and not word.isdigit() and not is_stop_word(word))


def alike(first: str, second: str) -> bool:
    """Whether two folded words are equal or have the same stem."""
    if first == second:
        return True
    if first[:_SAME_BEGINNING] != second[:_SAME_BEGINNING]:
        return False
    common = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second)))
    return common >= _SAME_BEGINNING and common >= _SHARE * max(len(first), len(second))


def covered(wanted: Collection[str], there: Collection[str]) -> float:
    """The share of `wanted` words with an alike word in `there`. 0 for no words."""
    if not wanted:
        return 0.0
    return sum(word in there or any(alike(word, other) for other in there) for word in wanted) / len(wanted)


_PATTERN_SIGN = re.compile(r"\\.|\[(?:\\.|[^\]])*\]|[()|]", re.DOTALL)
_NEVER = "(?!)"


class PhraseTable:
    """Patterns of phrases over folded text, tried only where a word begins, or with `^` where the text does.

    This is four times as fast as one pattern that is tried at each character.
    """

    def __init__(self, *parts: str) -> None:
        told = [one for part in parts for one in _alternatives(part)]
        first = "|".join(one for one in told if one.startswith("^"))
        others = "|".join(one.removeprefix(r"\b") for one in told if not one.startswith("^"))
        self._first = re.compile(first or _NEVER)
        self._words = re.compile(rf"\W(?:{others or _NEVER})")

    def within(self, folded: str) -> bool:
        """Whether the text contains one of the phrases."""
        return bool(self._first.match(folded) or self._words.search(f"\n{folded}"))


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
