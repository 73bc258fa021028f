"""Which preprocessor a mail gets: the first that knows its form, and the plain one where none does or the form is broken."""

from collections.abc import Sequence
from dataclasses import replace

from app.agent.preprocess.crisp import CrispPreprocessor
from app.agent.preprocess.plain import PlainPreprocessor
from app.domain.mail import Message
from app.domain.tools import Preprocessed, Preprocessor

PLAIN = PlainPreprocessor()
KNOWN: tuple[Preprocessor, ...] = (CrispPreprocessor(),)
"""In order; the plain one stands behind them all."""


def preprocess(message: Message, known: Sequence[Preprocessor] = KNOWN) -> Preprocessed:
    """The mail as an agent gets it. A mail that is not of its form after all comes unchanged, with the note that says why."""
    note = ""
    for one in known:
        if one.matches(message):
            made = one.run(message)
            if not made.note:
                return made
            note = note or made.note
    return replace(PLAIN.run(message), note=note)
