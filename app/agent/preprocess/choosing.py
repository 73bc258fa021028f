"""Which preprocessor a mail gets: the first that knows its form, and the plain one where none does or the form is broken."""

from collections.abc import Sequence
from dataclasses import replace

from app.agent.preprocess.crisp import CrispPreprocessor
from app.agent.preprocess.plain import PlainPreprocessor
from app.domain.mail import Message
from app.domain.tools import Preprocessed, Preprocessor


def known_forms() -> tuple[Preprocessor, ...]:
    """Every form that is known, in order; the plain one stands behind them all."""
    return (CrispPreprocessor(),)


def preprocess(message: Message, known: Sequence[Preprocessor] | None = None) -> Preprocessed:
    """The mail as an agent gets it. A mail that is not of its form after all comes unchanged, with the note that says why."""
    note = ""
    for one in known_forms() if known is None else known:
        if one.matches(message):
            made = one.run(message)
            if not made.note:
                return made
            note = note or made.note
    return replace(PlainPreprocessor().run(message), note=note)
