"""Finds words of a source that are private, so that a draft must not quote them to its recipients. Pure functions.

Not private are runs of common words, what the owner has said to people who have nothing to do with each other, and the owner's
own words unless they are about somebody else.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from app.domain.mail.text_cache import remembered

SHARED_WORDS = 5
"""This many words in a row make a quotation."""

WORD = re.compile(r"\w+", re.UNICODE)
SENTENCE = re.compile(r"[^.!?\n]+")
Run = tuple[str, ...]
Letter = tuple[frozenset[str], str]
"""Something the owner wrote: its recipients (lower case) and its text."""


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


TITLES = _listed("mr mrs ms miss dr herr herrn frau pan pana panu pani paní slečna slečny")
"""A name follows one of these."""

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
    recipient. `titled`: a title such as Mr stands before it. `generic`: it is a common word.
    """

    word: str
    fact: bool
    name: bool
    titled: bool
    generic: bool


@remembered(32)
def grams(text: str) -> frozenset[Run]:
    """Every run of `SHARED_WORDS` words of a text, case folded."""
    words = [found.group().casefold() for found in WORD.finditer(text)]
    return frozenset(tuple(words[at : at + SHARED_WORDS]) for at in range(len(words) - SHARED_WORDS + 1))


def told_to(recipients: frozenset[str], runs: Collection[Run], letters: Collection[Letter]) -> frozenset[Run]:
    """Which of these runs the owner has written to all recipients, or to two groups of people with nobody in common."""
    phrases = [(run, f" {' '.join(run)} ") for run in runs]
    known: set[Run] = set()
    groups: dict[Run, set[frozenset[str]]] = {}
    for people, text in letters:
        plain = _flat(text)
        for run, phrase in phrases:
            if phrase not in plain:
                continue
            if recipients <= people:
                known.add(run)
            groups.setdefault(run, set()).add(people)
    return frozenset(known | {run for run, told in groups.items() if _disjoint(told)})


def private_runs(body: Collection[Run], source: str, own_names: Collection[str], took_part: bool) -> Iterator[Run]:
    """Yields the private runs of words that `body` shares with something that others wrote.

    `own_names` are the folded names of the owner and the recipients; `took_part` says whether every recipient is on a message of
    the source's conversation. Then only facts and names are private.
    """
    for window in _shared(body, source):
        fact = any(word.fact or (word.name and word.word not in own_names) for word in window)
        plain = took_part or all(word.generic or word.word in own_names for word in window)
        if fact or not plain:
            yield tuple(word.word for word in window)


def runs_about(body: Collection[Run], source: str, others: Collection[str], own_names: Collection[str]) -> Iterator[Run]:
    """Yields the runs that `body` shares with the owner's own words and that name somebody else.

    `others` are the folded names of people on the source's conversation who do not get the draft.
    """
    for window in _shared(body, source):
        if any(word.word not in own_names and (word.titled or (word.name and word.word in others)) for word in window):
            yield tuple(word.word for word in window)


def _shared(body: Collection[Run], source: str) -> Iterator[Sequence[SourceWord]]:
    """The runs of a source that stand in `body`, with what is known of each word."""
    words = _source_words(source)
    for at in range(len(words) - SHARED_WORDS + 1):
        window = words[at : at + SHARED_WORDS]
        if tuple(word.word for word in window) in body:
            yield window


@remembered(32)
def _source_words(source: str) -> tuple[SourceWord, ...]:
    found: list[SourceWord] = []
    for sentence in SENTENCE.finditer(source):
        before = ""
        for place, match in enumerate(WORD.finditer(sentence.group())):
            found.append(_source_word(match.group(), place == 0, before in TITLES))
            before = match.group().casefold()
    return tuple(found)


def _source_word(text: str, first: bool, titled: bool) -> SourceWord:
    """Classifies one word. Facts are numbers, days and months. Names are capitalised words that do not begin a sentence."""
    word = text.casefold()
    generic = word in GENERIC
    fact = word in DATES or any(character.isdigit() for character in text)
    name = text[0].isupper() and not first and not generic
    return SourceWord(word, fact, name, titled and text[0].isupper(), generic)


@remembered(512)
def _flat(text: str) -> str:
    """The words of a letter, folded, with one space around each."""
    return f" {' '.join(found.group().casefold() for found in WORD.finditer(text))} "


def _disjoint(groups: Collection[frozenset[str]]) -> bool:
    """Whether two of the groups have nobody in common."""
    return any(one and other and not one & other for one, other in combinations(groups, 2))
