"""Reads what the sentences of a mail do: ask, request, propose a time, promise, thank, inform, decline.

Pure and driven by tables of patterns over folded text, for English, Czech, German, and the usual forms of Spanish and French. All
tables are tried on every sentence, because people mix languages and short mails have too few words to tell one.
"""

import re
from collections.abc import Collection, Iterable
from enum import StrEnum
from functools import lru_cache

from app.domain.language import speech_tables as tables
from app.domain.language.facts import FactKind, facts
from app.domain.language.own_words import OwnWords, own_words
from app.domain.language.words import fold, words
from app.domain.mail.text_cache import remembered
from app.domain.record import Record

FIRST_SENTENCES = 24
LAST_SENTENCES = 6
"""Sentences that are read of a long mail: what it wants stands at its beginning or its end."""

MOST_DEADLINE = 40
"""Characters of a quoted deadline."""


_BEGINNING = re.compile(r"@?([^\W\d_][\w'.-]*+(?:(?: and | a | und | & |/|, )[\w'.-]*+)?)\s*(?:[,:–]|\s-|\?)")
_VOCATIVE = {**dict.fromkeys("szcj", "i"), **dict.fromkeys("kgh", "u"), **dict.fromkeys("bdflmnprtv", "e")}
_MENTIONED = re.compile(r"@([^\W\d_]\w+)")


class ActKind(StrEnum):
    QUESTION = "question"
    REQUEST = "request"
    PROPOSAL = "proposal"
    """Names or asks for a time to meet."""
    COMMITMENT = "commitment"
    THANKS = "thanks"
    NOTICE = "notice"
    DECLINE = "decline"


class Addressee(StrEnum):
    OWNER = "owner"
    OTHER = "other"
    ALL = "all"
    NOBODY = "nobody"
    """Nobody is named: the recipients of the mail."""


_TOLD = {ActKind.COMMITMENT: tables.COMMITMENT, ActKind.DECLINE: tables.DECLINE, ActKind.NOTICE: tables.NOTICE}
ASKING = frozenset({ActKind.QUESTION, ActKind.REQUEST, ActKind.PROPOSAL})
"""Acts that want an answer or a deed."""


class SpeechAct(Record):
    """One act of a sentence, which is quoted as written. `deadline` is the time it is wanted by, as written, or empty."""

    kind: ActKind
    sentence: str
    addressee: Addressee
    deadline: str

    @property
    def asks_owner(self) -> bool:
        """Whether it wants something and is not addressed to somebody else."""
        return self.kind in ASKING and self.addressee is not Addressee.OTHER


def speech_acts(text: str, owner: Collection[str] = (), others: Collection[str] = ()) -> tuple[SpeechAct, ...]:
    """The acts of a mail's own sentences, in order.

    `text` is the plain body, with or without quotes. `owner` holds the owner's names or addresses, `others` those of other people
    on the mail. A sentence that begins with a name is addressed to that person, and so are those after it; the first ones
    to whom the greeting names.
    """
    return _read(text, *_names(owner, others))


def asks(text: str, owner: Collection[str] = (), others: Collection[str] = ()) -> tuple[SpeechAct, ...]:
    """Only the acts that want something of the owner."""
    return tuple(act for act in speech_acts(text, owner, others) if act.asks_owner)


def greeted(text: str, owner: Collection[str] = (), others: Collection[str] = ()) -> Addressee:
    return _addressed(own_words(text).greeted, *_names(owner, others)) or Addressee.NOBODY


def first_and_last(said: tuple[str, ...]) -> tuple[str, ...]:
    """The sentences of a mail that are read."""
    return (*said[:FIRST_SENTENCES], *said[-LAST_SENTENCES:]) if len(said) > FIRST_SENTENCES + LAST_SENTENCES else said


@remembered(256)
def _read(text: str, owner: frozenset[str], others: frozenset[str]) -> tuple[SpeechAct, ...]:
    own: OwnWords = own_words(text)
    to = _addressed(own.greeted, owner, others) or Addressee.NOBODY
    found: list[SpeechAct] = []
    for sentence in first_and_last(own.sentences):
        folded = fold(sentence).replace("’", "'").replace("‘", "'")
        to = _addressed(_called(sentence), owner, others) or to
        found += [SpeechAct(kind, sentence, to, _deadline(sentence, folded, kind)) for kind in _kinds(folded)]
    return tuple(found)


def _kinds(folded: str) -> Iterable[ActKind]:
    """The kinds of act in one folded sentence, at most one of them asking."""
    if not _marked(folded) and not tables.ACTS.within(folded):  # three of four sentences, in a third of the time
        return
    asking = _asking(folded)
    if asking is not None:
        yield asking
    if not _marked(folded):
        for kind, table in (
            (ActKind.COMMITMENT, tables.COMMITMENT),
            (ActKind.DECLINE, tables.DECLINE),
            (ActKind.NOTICE, tables.NOTICE),
        ):
            if table.within(folded):
                yield kind
    if tables.THANKS.within(folded):
        yield ActKind.THANKS


def _asking(folded: str) -> ActKind | None:
    marked = _marked(folded)
    if tables.NOT_ASKED.within(folded) or not any(map(str.isalpha, folded)):
        return None
    requested = bool(tables.REQUEST.within(folded)) and not tables.NOT_A_REQUEST.within(folded)
    if _proposes(folded, marked, requested):
        return ActKind.PROPOSAL
    if requested or (tables.DUE.within(folded) and tables.OFFERS_TIME.within(folded)):
        return ActKind.REQUEST
    if marked or tables.OPEN_QUESTION.within(folded):
        return ActKind.QUESTION
    return ActKind.REQUEST if tables.INDIRECT.within(folded) and not tables.NOT_A_REQUEST.within(folded) else None


def _proposes(folded: str, marked: bool, requested: bool) -> bool:
    """Whether a sentence names a time to agree on, or asks for one."""
    if tables.ASKS_TIME.within(folded):
        return marked or requested
    if not tables.TIME.within(folded):
        return False
    if not marked and (tables.DECLINE.within(folded) or tables.ACCEPTS.within(folded) or tables.PLAN.within(folded)):
        return False
    meets = tables.MEET.within(folded)
    return (meets and tables.PROPOSING.within(folded)) or (
        tables.OFFERS_TIME.within(folded) and (meets or not tables.DUE.within(folded))
    )


def _marked(folded: str) -> bool:
    return "?" in folded.rstrip(" \"'”“)»:;-*_.!")[-3:]


def _called(sentence: str) -> str:
    """The words before the first comma, colon or dash, where a name may stand; with @ also later ones."""
    hit = _BEGINNING.match(sentence)
    mentioned = " ".join(_MENTIONED.findall(sentence)) if "@" in sentence else ""
    return f"{hit.group(1) if hit else ''} {mentioned}".strip()


def _addressed(called: str, owner: frozenset[str], others: frozenset[str]) -> Addressee | None:
    """Who is meant by a name; None for nobody known."""
    if not called:
        return None
    named = frozenset(words(called))
    if named & owner:
        return Addressee.OWNER
    if named & tables.EVERYBODY:
        return Addressee.ALL
    return Addressee.OTHER if named & others else None


def _deadline(sentence: str, folded: str, kind: ActKind) -> str:
    if kind not in ASKING and kind is not ActKind.COMMITMENT:
        return ""
    if kind is ActKind.COMMITMENT:
        return next((one.text for one in facts(sentence) if one.kind in {FactKind.DATE, FactKind.DAY, FactKind.TIME}), "")
    shown = sentence if len(folded) == len(sentence) else folded
    for hit in tables.BY_WHEN.finditer(folded):
        days = list(tables.DAY_WORD.finditer(folded, hit.start(), hit.end()))
        if days or " " not in hit.group():
            return shown[hit.start() : days[-1].end() if days else hit.end()][:MOST_DEADLINE]
    return ""


def _names(owner: Collection[str], others: Collection[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The words by which the owner and others are called: their names as written, and as Czech calls them."""
    mine = frozenset().union(*map(_parts, owner))
    theirs = frozenset().union(*map(_parts, others)) - mine
    return mine | (frozenset(map(_vocative, mine)) - theirs), theirs | (frozenset(map(_vocative, theirs)) - mine)


@lru_cache(maxsize=4096)
def _vocative(name: str) -> str:
    """How Czech calls somebody of a folded name: `petre` for Petr, `marto` for Marta."""
    for ending, called in (("a", "o"), ("ek", "ku"), ("el", "le")):
        if name.endswith(ending):
            return name.removesuffix(ending) + called
    return name + _VOCATIVE.get(name[-1:], "")


@lru_cache(maxsize=4096)
def _parts(name: str) -> frozenset[str]:
    parts = [part for part in words(name.partition("@")[0].replace(".", " ").replace("_", " ")) if not part.isdigit()]
    found = {part for part in parts if len(part) > 2}
    return frozenset(found | {parts[0][0] + parts[-1], parts[0] + parts[-1]}) if len(parts) > 1 else frozenset(found)
