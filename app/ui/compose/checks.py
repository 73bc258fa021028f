"""What is looked at before a letter goes: nothing to answer for the user, only to ask. Pure."""

import re
from enum import StrEnum

from app.domain.letter import Letter

FILE_WORDS = re.compile(
    r"\b(?:attach(?:ed|es|ing|ments?)?|enclos(?:e|ed|es|ing|ures?)|see the file"
    r"|přílo[hz]\w*|prilo[hz]\w*|přiklád\w+|priklad(?:am|ame|a)|přilož\w+|priloz\w+)\b",
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
