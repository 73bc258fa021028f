"""Why the classifier on this machine judged as it did, where no single thing was seen: put into a sentence, and read back.

The sentence is what is stored and what logs and prompts have; windows read it back for words of their own. Pure.
Refuses to name what did not count: grounds come from the classifier's own sums.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class Ground(StrEnum):
    """What weighed most: single words of the mail, a mail that the owner had judged, or nothing that stands out."""

    WORDS = "words"
    JUDGED = "judged"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Because:
    """`about` are the words, or the address of the other mail's sender; empty where the whole text counted."""

    ground: Ground
    about: tuple[str, ...] = ()


WHOLE = "No single word decided; the text as a whole is most like such mail."
_WORDS = re.compile(r"Words such as (“[^”]+”(?:, “[^”]+”)*) speak for it\.")
_JUDGED = re.compile(r"Most like a mail from (\S+) that you judged this way\.")


def as_sentence(because: Because) -> str:
    """The English sentence."""
    match because.ground:
        case Ground.WORDS:
            return f"Words such as {', '.join(f'“{one}”' for one in because.about)} speak for it."
        case Ground.JUDGED:
            return f"Most like a mail from {because.about[0]} that you judged this way."
    return WHOLE


def read_back(sentence: str) -> Because | None:
    """What a sentence of `as_sentence` said, None for any other."""
    if sentence == WHOLE:
        return Because(Ground.WHOLE)
    if found := _WORDS.fullmatch(sentence):
        return Because(Ground.WORDS, tuple(re.findall(r"“([^”]+)”", found[1])))
    if found := _JUDGED.fullmatch(sentence):
        return Because(Ground.JUDGED, (found[1],))
    return None
