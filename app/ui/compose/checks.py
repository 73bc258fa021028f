"""What is looked at before a letter goes: nothing to answer for the user, only to ask. Pure."""

import re
from enum import StrEnum

from app.domain.letter import Letter

FILE_WORDS = re.compile(
    r"\b(?:attach(?:ed|ment|ments)?|enclosed|see the file|v příloze|v priloze|příloh\w*|priloh\w*|přikládám|prikladam)\b",
    re.IGNORECASE,
)


class Doubt(StrEnum):
    """Why the user is asked once more."""

    NOTHING = ""
    NO_SUBJECT = "no_subject"
    NO_FILE = "no_file"
    NO_WORDS = "no_words"


def doubt(letter: Letter, files: int) -> Doubt:
    """The first thing that is likely forgotten."""
    if not letter.subject.strip():
        return Doubt.NO_SUBJECT
    if not letter.body.strip() and not files and not (letter.quoted and letter.about):
        return Doubt.NO_WORDS
    return Doubt.NO_FILE if not files and FILE_WORDS.search(letter.body) else Doubt.NOTHING
