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
_SENTENCE_END = re.compile(r"[.!?…\n](?:(?<!\n)[\"'»“”)\]]*\s+(?=[\"'„“(\[]?[A-ZÀ-ŽА-Я0-9])|(?<=\n)(?:\n+|(?=[^\S\n]*[-*•\d])))")
"""Begins with a sign that stays, or with a line break: a search for one of a few characters is quick."""
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
    "the and you your for that this with have are from not can will would could please is it of to in on we our be at if "
    "was my me us any there what when how do does did an or as but by they has been just hi hello i a thanks thank tomorrow "
    "yes which who no"
)
_CS_STOPS = (
    "a se na je ze v o s z do pro jsem jste jsme jsou by byl bych bude jak ale nebo prosim dobry den dekuji diky mam mate "
    "co to uz kdyz tak po pri jako jen take jeste muzete muzu muzes ahoj zdravim pekny kdy kolik vam vas mi me nam i k ve "
    "za od podle jestli si pozdravem tebe nechal mne ktery ktera"
)
_DE_STOPS = (
    "der die und das ist nicht ich sie wir mit fur fuer auf ein eine einen einem bitte danke von zu den dem des konnen "
    "koennen haben sind hallo im am es ihr ihre ihren ihnen uns mir mich noch oder auch wenn bei nach wann was wie wo gibt "
    "hat habe kann wurde wuerde wurden wuerden wird werden zum zur uber ueber guten tag liebe lieber viele grusse grussen "
    "gruesse gruessen mal schon du dir dich um passt bin geht"
)
_OTHER_STOPS = (
    "le la les et est vous nous je pour dans une des du bonjour merci pas que qui votre vos sur avec pourriez cordialement "
    "ce cette ai il elle sont au aux serait suis avez plus",
    "el los las y es por para con una un su sus gracias hola del como pero que se lo al usted le puede buenos dias saludos "
    "esta estoy mi nos tiene muy mas",
    "il lo gli e che per sono della del di un una con grazie ciao buongiorno piu le ho ha mi ci si non da nel alla puo "
    "cordiali saluti anche questo",
    "o os as e de do da em um uma para com que nao obrigado obrigada ola bom dia por se voce seu sua pode mais esta no na "
    "ao cumprimentos",
    "som su nie co ako ste mozete dakujem prosim dobry den je sa na v pre by bol bola mi si alebo aj uz len ked nam vam vas "
    "pozdravom mate ci podla",
    "jest sie nie czy dziekuje prosze dzien dobry w z na do i to ze jak moze mozemy panstwo pan pani mam bez pozdrawiam "
    "pozdrowienia oraz bedzie juz tak od przy dla za jestem",
    "het een van niet de en ik je u wij voor met op is dat te zijn hebben heb bedankt groet graag hallo kunt kan ook maar "
    "naar deze wordt uw",
    "jag och det att en ett ar som pa for med inte vi du har till kan tack hej av den om vill mvh halsningar",
    "jeg og det at en et er som pa for med ikke vi du har til kan tak takk hej hei af av den om vil venlig hilsen",
    "es az egy nem hogy van kerem koszonom udvozlettel jo napot meg is ha mar csak vagy ezt kell",
    "si in cu de la nu este sunt un o va rog multumesc buna ziua pentru ca sa mai pe din dar",
)
"""French, Spanish, Italian, Portuguese, Slovak, Polish, Dutch, Swedish, Danish and Norwegian, Hungarian, Romanian, folded."""
_STOP_WORDS: dict[Language, tuple[frozenset[str], ...]] = {
    name: tuple(frozenset(one.split()) for one in lists)
    for name, lists in (
        (Language.EN, (_EN_STOPS,)),
        (Language.CS, (_CS_STOPS,)),
        (Language.DE, (_DE_STOPS,)),
        (Language.OTHER, _OTHER_STOPS),
    )
}
_LEAST_OF_OTHERS = 2
"""One word of eleven languages is chance."""
_CZECH_LETTERS = frozenset("ěřůžščťďň")
_GERMAN_LETTERS = frozenset("äöüß")
_OTHER_LETTERS = frozenset("łąęśźżćńľĺŕôñãõçèàêîøåőűșță")


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
    for piece in split_after(_SENTENCE_END, text):
        part = " ".join(piece.split())
        if not part:
            continue
        if found and _ABBREVIATION.search(found[-1][-1], max(0, len(found[-1][-1]) - LONGEST_ABBREVIATION)):
            found[-1].append(part)
        else:
            found.append([part])
    return [" ".join(parts) for parts in found]


def split_after(ends: re.Pattern[str], text: str) -> Iterator[str]:
    """The pieces of a text between the matches of a pattern. The first character of a match stays with the piece before it."""
    begin = 0
    for hit in ends.finditer(text):
        yield text[begin : hit.start() + 1]
        begin = hit.end()
    yield text[begin:]


@remembered(128)
def language(text: str) -> Language:
    """The language with most stop words and letters of its own. English where nothing is found."""
    scores = _stop_words_in(text)
    if not text.isascii():
        lowered = text.casefold()
        for name, letters in ((Language.CS, _CZECH_LETTERS), (Language.DE, _GERMAN_LETTERS), (Language.OTHER, _OTHER_LETTERS)):
            scores[name] += 0.5 * sum(char in letters for char in lowered)
    if scores[Language.OTHER] < _LEAST_OF_OTHERS:
        del scores[Language.OTHER]
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] > 0 else Language.EN


def clear_language(text: str) -> Language | None:
    """English, Czech or German where at least three stop words say so, and twice as many as for any other language."""
    scores = _stop_words_in(text)
    best = max(scores, key=lambda name: scores[name])
    sure = scores[best] >= 3 and all(2 * score <= scores[best] for name, score in scores.items() if name is not best)
    return best if sure and best is not Language.OTHER else None


def _stop_words_in(text: str) -> dict[Language, float]:
    tokens = words(text)
    return {name: float(max(sum(map(stops.__contains__, tokens)) for stops in lists)) for name, lists in _STOP_WORDS.items()}


@lru_cache(maxsize=1)
def _folded_stops() -> frozenset[str]:
    return frozenset(word for name in (Language.EN, Language.CS, Language.DE) for stops in _STOP_WORDS[name] for word in stops)


def is_stop_word(folded: str) -> bool:
    """Whether a folded word is an English, Czech or German stop word."""
    return folded in _folded_stops()


class PhraseTable:
    """Patterns of phrases over folded text, tried only where a word begins, or with `^` where the text does."""

    def __init__(self, *parts: "str | PhraseTable") -> None:
        """`parts` are patterns, or tables whose phrases this one has too."""
        self._pattern: str = "|".join(part if isinstance(part, str) else part._pattern for part in parts)
        self._anywhere = re.compile(rf"(?<!\w)(?:{self._pattern})")

    def within(self, folded: str) -> bool:
        return self._anywhere.search(folded) is not None


SHORTEST = 3
_SAME_BEGINNING = 4
_SHARE = 0.55


@remembered(128)
def content_words(text: str) -> frozenset[str]:
    """The folded words of a text without stop words, bare numbers and very short words."""
    return frozenset(word for word in {*words(text)} - _folded_stops() if len(word) >= SHORTEST and not word.isdigit())


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
