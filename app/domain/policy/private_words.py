"""Finds words of a source that are private, so that a draft must not quote them to its recipients. Pure functions.

Words that the owner writes to different people anyway, and runs of common words, are not private.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from app.domain.mail.text_cache import remembered

SHARED_WORDS = 5
"""This many words in a row make a quotation."""

WORD = re.compile(r"\w+", re.UNICODE)
SENTENCE = re.compile(r"[^.!?\n]+")

REMEMBERED_LETTERS = 400_000
"""Characters of all own letters together up to which their usual sentences are cached."""

Run = tuple[str, ...]
Letter = tuple[frozenset[str], str]
"""Something the owner wrote: its recipients (lower case) and its text."""


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


GENERIC = _listed(
    """a about after again all also always am an and any are as at be been before best but by can cheers come could dear
    did do does done for from further get give glad go good got greetings had happy has have hello help here hi hope how
    i if in into is it its just kind know let like ll look many may me might more most much my need no not now of on
    once one or other our out please questions re regards reply s see sincerely so some soon still such sure t take
    thank thanks that the their them then there these they this those time to too up us ve very was way we well were
    what when where which while who will wish with would write yes yet you your yours aber alle als auch auf aus bei
    beste bin bis bitte da danke das dass dem den der des die dir doch ein eine einen einer es freundliche freundlichen
    für gerne grüße grüßen gruß guten habe haben hallo hat ich ihm ihnen ihr ihre ihren im ist ja kann können lieber
    liebe mehr mein meine mich mir mit nach nicht noch nur oder schöne sehr sein sich sie sind über um und uns unser
    viele vielen vom von vor war wenn wie wir wird wünsche zu zum zur aby ahoj ale ani ano asi až bude budu byl byla
    bych být co dobrý děkuji díky hezký ho já jak jako je jeho jen ještě jsem jsme jsou k kde když ke která které který
    mám máme mě mezi mi mít mne může můžete na nám nebo není o od po pokud pro prosím protože před při pozdravem přeji
    se si svůj ta tak také ten tom tu tím už v vám váš vás velmi vy z za zatím zda ze že zprávu"""
)
"""Words without information of their own, capitalised or not."""

DATES = _listed(
    """monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni
    juli oktober dezember pondělí úterý středa středu čtvrtek pátek sobota sobotu neděle neděli ledna února března dubna
    května června července srpna září října listopadu prosince"""
)


class SourceWord(NamedTuple):
    """A word of a source.

    `word` is folded. `fact`: it is private whoever is named so. `name`: it is a fact unless it is a name of the owner or a
    recipient. `generic`: it is a common word. `sentence` is its whole sentence, folded.
    """

    word: str
    fact: bool
    name: bool
    generic: bool
    sentence: Run


@remembered(32)
def grams(text: str) -> frozenset[Run]:
    """Every run of `SHARED_WORDS` words of a text, case folded."""
    words = [found.group().casefold() for found in WORD.finditer(text)]
    return frozenset(tuple(words[at : at + SHARED_WORDS]) for at in range(len(words) - SHARED_WORDS + 1))


def usual_sentences(letters: Collection[Letter]) -> frozenset[Run]:
    """Sentences (folded words) that the owner writes to different people.

    They occur in letters to at least two groups that have nobody in common.
    """
    short = sum(len(text) for _, text in letters) <= REMEMBERED_LETTERS
    return _usual(tuple(letters)) if short else _usual_sentences(letters)


@lru_cache(maxsize=4)
def _usual(letters: tuple[Letter, ...]) -> frozenset[Run]:
    return _usual_sentences(letters)


def _usual_sentences(letters: Collection[Letter]) -> frozenset[Run]:
    seen: dict[Run, set[frozenset[str]]] = {}
    for recipients, text in letters:
        for sentence in _sentences(text):
            seen.setdefault(sentence, set()).add(recipients)
    return frozenset(words for words, groups in seen.items() if words and _disjoint(groups))


def private_runs(
    body: Collection[Run], source: str, usual: frozenset[Run], own_names: Collection[str], took_part: bool
) -> Iterator[Run]:
    """Yields the private runs of words that `body` shares with a source.

    `own_names` are the folded names of the owner and the recipients; `took_part` says whether every recipient is on a message of
    the source's conversation.
    """
    source_words = _source_words(source)
    words = [word.word for word in source_words]
    for at in range(len(source_words) - SHARED_WORDS + 1):
        run = tuple(words[at : at + SHARED_WORDS])
        if run in body and not _not_private(source_words[at : at + SHARED_WORDS], usual, own_names, took_part):
            yield run


def _not_private(window: Sequence[SourceWord], usual: frozenset[Run], own_names: Collection[str], took_part: bool) -> bool:
    """Whether a run has no fact and is known, usual or meaningless.

    Meaningless are common words, names of the owner or a recipient, and parts of usual sentences.
    """
    if any(word.fact or (word.name and word.word not in own_names) for word in window):
        return False
    return took_part or all(word.generic or word.word in own_names or word.sentence in usual for word in window)


@remembered(32)
def _source_words(source: str) -> tuple[SourceWord, ...]:
    """The words of a source in order."""
    source_words: list[SourceWord] = []
    for sentence in SENTENCE.finditer(source):
        words = [found.group() for found in WORD.finditer(sentence.group())]
        run = tuple(word.casefold() for word in words)
        source_words += [
            _source_word(text, word, place == 0, run) for place, (text, word) in enumerate(zip(words, run, strict=True))
        ]
    return tuple(source_words)


def _source_word(text: str, word: str, first: bool, sentence: Run) -> SourceWord:
    """Classifies one word.

    Facts are numbers, days and months. Names are capitalised words that do not begin a sentence.
    """
    generic = word in GENERIC
    fact = word in DATES or any(character.isdigit() for character in text)
    return SourceWord(word, fact, text[0].isupper() and not first and not generic, generic, sentence)


@remembered(512)
def _sentences(text: str) -> frozenset[Run]:
    """The sentences of a letter, folded.

    Cached, since runs compare with the same letters.
    """
    return frozenset(_folded(found.group()) for found in SENTENCE.finditer(text))


def _folded(sentence: str) -> Run:
    return tuple(found.group().casefold() for found in WORD.finditer(sentence))


def _disjoint(groups: Collection[frozenset[str]]) -> bool:
    """Whether two of the groups have nobody in common."""
    return any(one and other and not one & other for one, other in combinations(groups, 2))
