"""Counts the words and phrases of `resources/judgement/cues.toml`, which suggest a kind of mail."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from app.config.paths import resource
from app.domain.language.words import fold


class Cue(StrEnum):
    """Groups of cues."""

    MEETING = "meeting"
    COMPLAINT = "complaint"
    FOLLOW_UP = "follow_up"
    NO_ANSWER = "no_answer"
    AUTO_REPLY = "auto_reply"
    PROMOTION = "promotion"
    RECEIPT = "receipt"
    NOTICE = "notice"
    MACHINE = "machine"
    SALES_PITCH = "sales_pitch"
    MONEY_LURE = "money_lure"
    GOODS_LURE = "goods_lure"
    CREDENTIAL = "credential"
    SIGN_IN = "sign_in"
    URGENCY = "urgency"
    NEW_ACCOUNT = "new_account"
    PAY_NOW = "pay_now"
    GIFT_CARD = "gift_card"
    SECRECY = "secrecy"
    MAILBOX = "mailbox"
    IMPERSONAL = "impersonal"
    TO_ASSISTANT = "to_assistant"


_TABLE = tomllib.loads(resource("judgement", "cues.toml").read_text(encoding="utf-8"))
CUES: dict[Cue, str] = {Cue(name): cues for name, cues in _TABLE.items()}

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
"""Characters without a shape, which hide words from programs."""

_WORD = re.compile(r"[\w'-]+|%")
REMEMBERED_WORDS = 16_384
_NONE = dict.fromkeys(Cue, 0)
_ANY_ENDING = "*"
_NUMBER = "#"
_Phrase = tuple[Cue, str, tuple[str, ...]]
"""A cue with its group: as written, and the words after the first."""


def _index() -> tuple[dict[str, list[_Phrase]], dict[str, list[_Phrase]]]:
    """The cues by their first word, and those whose first word has any ending."""
    whole: dict[str, list[_Phrase]] = {}
    begun: dict[str, list[_Phrase]] = {}
    for group, cues in CUES.items():
        for cue in (" ".join(one.split()) for one in cues.split("|")):
            first, *rest = cue.split(" ")
            index = begun if first.endswith(_ANY_ENDING) else whole
            index.setdefault(first.rstrip(_ANY_ENDING), []).append((group, cue, tuple(rest)))
    return whole, begun


_WHOLE, _BEGUN = _index()
_LENGTHS = tuple(sorted({len(one) for one in _BEGUN}))


def count_cues(text: str) -> dict[Cue, int]:
    """How many different cues of each group a text contains."""
    written = _WORD.findall(_INVISIBLE.sub("", fold(text)).replace("’", "'"))
    tokens = [token for one in written if (token := one.rstrip("'-"))]
    found: dict[Cue, set[str]] = defaultdict(set)
    for place, token in enumerate(tokens, 1):
        for group, cue, rest in _beginning_with(token):
            if _goes_on(rest, tokens, place):
                found[group].add(cue)
    return {**_NONE, **{cue: len(seen) for cue, seen in found.items()}}


@lru_cache(maxsize=REMEMBERED_WORDS)
def _beginning_with(token: str) -> tuple[_Phrase, ...]:
    """The cues that may begin with a word. Mails share most words."""
    found = list(_WHOLE.get(token, ()))
    for length in _LENGTHS:
        found += _BEGUN.get(token[:length], ()) if length <= len(token) else ()
    return tuple(found)


def _goes_on(rest: Sequence[str], tokens: Sequence[str], place: int) -> bool:
    """Whether the words of a cue after its first one stand at this place."""
    if place + len(rest) > len(tokens):
        return False
    return all(_matches(word, token) for word, token in zip(rest, tokens[place : place + len(rest)], strict=True))


def _matches(word: str, token: str) -> bool:
    if word == _NUMBER:
        return token.isdigit()
    return token.startswith(word[:-1]) if word.endswith(_ANY_ENDING) else token == word
