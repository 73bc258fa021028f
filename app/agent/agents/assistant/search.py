"""Text rules for requests: the words of a search without a language model, and orders, in English, Czech and German."""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import pairwise

from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed
from app.domain.language.words import Language, fold, is_stop_word, language, words

TERM = re.compile(r"[^\s,;:!?()\"“”„«»<>]+")
MOST_TERMS = 12
MOST_FOUND = 8
SHORT = 4
ENDING = 2
"""Words longer than `SHORT` may differ in this many last characters, for Czech endings."""


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


ASKING_IN_ENGLISH = _listed(
    """find search look show list get give tell me read open check what where when who whom whose which why how many much about
    for in from the mail mails email emails message messages letter letters inbox mailbox latest last newest recent any all
    please came arrived received got"""
)
ASKING_IN_CZECH = _listed(
    """najdi najit vyhledej vyhledat hledej hledat ukaz ukazat zobraz precti prectete podivej zjisti rekni co kde kdy kdo komu
    ktery ktera ktere kolik proc jak mail maily mailu mailech email emaily emailu e-mail e-maily e-mailu zprava zpravu zpravy
    zprav posta postu poste posty dopis posledni nejnovejsi vsechny vsechno mi nam prosim v ve o od z ze k ke
    prisla prisly prislo prisel dorazila dorazily dorazilo dostal dostala"""
)
ASKING_IN_GERMAN = _listed(
    """finde find suche such zeige zeig liste gib sag lies was wann wo wer wem wen welche welcher welches warum wie viel viele
    mail mails e-mail e-mails email emails nachricht nachrichten brief briefe posteingang letzte letzten neueste neuesten alle
    alles bitte von vom im in mir geschickt gekommen bekommen"""
)
ASKING = ASKING_IN_ENGLISH | ASKING_IN_CZECH | ASKING_IN_GERMAN
"""Folded words that ask for a search, not what to search for."""

DOING_IN_ENGLISH = _listed("send write reply answer forward compose create make prepare summarize summarise draft")
DOING_IN_CZECH = _listed(
    """posli poslete poslat odesli odeslat napis napiste napsat odpovez odpovezte odpovedet preposli preposlat priprav pripravit
    vytvor vytvorit shrn shrnout"""
)
DOING_IN_GERMAN = _listed("schreib schreibe schick schicke sende antworte beantworte verfasse erstelle fasse")
DOING = DOING_IN_ENGLISH | DOING_IN_CZECH | DOING_IN_GERMAN
"""Folded words that ask for more than a search."""

SENDING = DOING & _listed(
    """send reply forward posli poslete poslat odesli odeslat odpovez odpovezte odpovedet preposli preposlat schick schicke sende
    antworte"""
)

CHANGING_IN_CZECH = _listed(
    """smaz smazte smazat vymaz vymazat archivuj archivujte archivovat oznac oznacit presun presunout odhlas odhlasit blokuj
    zablokuj odloz odlozit zrus zrusit vyprazdni"""
)
CHANGING = CHANGING_IN_CZECH | _listed(
    """delete remove erase trash archive label unlabel tag move mark star unstar pin snooze mute block unsubscribe undo revert
    cancel empty losche loschen archiviere archivieren markiere markieren verschiebe verschieben blockiere abbestellen storniere
    entferne"""
)
"""Folded words that ask to change mail that is there, or to take a change back."""

CZECH_ONLY = (ASKING_IN_CZECH | DOING_IN_CZECH | CHANGING_IN_CZECH) - ASKING_IN_ENGLISH - DOING_IN_ENGLISH

LEADING = _listed("and then please to you on always a i pak potom prosim und dann bitte immer")
"""Folded words that may stand before another order."""


def search_words(text: str) -> str:
    """The request's words without stop words and verbs of asking. Raises `NotAllowed` when none are left."""
    terms = [one.strip(".'’`") for one in TERM.findall(without_period(text))]
    orders = set(_orders(text, CHANGING))
    said = ((one, fold(one)) for one in terms if any(letter.isalnum() for letter in one))
    empty = ASKING | DOING | orders
    telling = [one for one, folded in said if not is_stop_word(folded) and folded not in empty]
    if not telling:
        raise NotAllowed(Cause.NOTHING_TO_SEARCH)
    return " ".join(dict.fromkeys(telling[:MOST_TERMS]))


_RECEIVED = re.compile(r"\b(?:came|arrived|received|got|(?:did|have) i (?:get|got)|prisl\w*|prisel|dorazil\w*|dostala?)\b")
_PERIODS: tuple[tuple[re.Pattern[str], Callable[[date], date]], ...] = (
    (re.compile(r"\b(?:today|dnes)\b"), lambda day: day),
    (re.compile(r"\b(?:this week|tento tyden)\b"), lambda day: day - timedelta(days=day.weekday())),
    (re.compile(r"\b(?:this month|tento mesic)\b"), lambda day: day.replace(day=1)),
    (re.compile(r"\b(?:this year|letos|tento rok)\b"), lambda day: day.replace(day=1, month=1)),
)


def asks_received(text: str) -> bool:
    """Whether the request is about mail that came, such as "which invoices came this month"."""
    return bool(_RECEIVED.search(fold(text)))


def since_day(text: str, today: date) -> date | None:
    """The first day of the period that the request names, None if it names none."""
    return next((first(today) for words, first in _PERIODS if words.search(fold(text))), None)


def without_period(text: str) -> str:
    """The request without the words of `since_day`."""
    return next((words.sub(" ", folded) for words, _first in _PERIODS if words.search(folded := fold(text))), text)


def asks_for_more(text: str) -> bool:
    """Whether the request asks to write or send something."""
    return any(_orders(text, DOING))


def asks_to_send(text: str) -> bool:
    """Whether the request asks to send something."""
    return any(_orders(text, SENDING))


def asks_to_change(text: str) -> bool:
    """Whether the request asks to change mail that is there."""
    return any(_orders(text, CHANGING))


def _orders(text: str, verbs: frozenset[str]) -> Iterator[str]:
    """Those of the verbs that stand at the beginning or after a word such as "and" or "then"."""
    words = ["then", *(fold(one.strip(".'’`")) for one in TERM.findall(text))]
    return (word for before, word in pairwise(words) if word in verbs and before in LEADING)


def in_czech(text: str) -> bool:
    """Whether the request is in Czech. A short one may be recognised by its verb alone."""
    found = set(words(text))
    return language(text) is Language.CS or (not found & ASKING_IN_ENGLISH and bool(found & CZECH_ONLY))


def says_any(asked_for: str, text: str) -> bool:
    """Whether the text has one of the words, or one with another ending."""
    stems = tuple(one if len(one) <= SHORT else one[: max(SHORT, len(one) - ENDING)] for one in words(asked_for))
    return any(one.startswith(stem) if len(stem) >= SHORT else one == stem for one in set(words(text)) for stem in stems)
