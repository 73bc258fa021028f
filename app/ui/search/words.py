"""Why a mail was found, in words: one chip for the place and the line that matched."""

from PySide6.QtCore import QCoreApplication

from app.domain.finding import FoundMail, Match, Where
from app.ui.lists.look import Chip

EXAMPLES = ("is:unread", "has:attachment", "newer_than:7d", "in:sent", "from:", "subject:")
"""Operators offered as one click."""


def where_words(where: Where) -> str:
    """The place of a match."""
    words = {
        Where.SUBJECT: QCoreApplication.translate("Finding", "in the subject"),
        Where.SENDER: QCoreApplication.translate("Finding", "the sender"),
        Where.RECIPIENTS: QCoreApplication.translate("Finding", "a recipient"),
        Where.BODY: QCoreApplication.translate("Finding", "in the text"),
        Where.LABEL: QCoreApplication.translate("Finding", "the label"),
        Where.FILE: QCoreApplication.translate("Finding", "a file"),
        Where.DATE: QCoreApplication.translate("Finding", "the date"),
    }
    return words[where]


def why_chips(found: FoundMail) -> tuple[Chip, ...]:
    """The places that matched, each once."""
    places = dict.fromkeys(match.where for match in found.why)
    return tuple(Chip(where_words(where), "accent") for where in places)


def why_line(found: FoundMail) -> str:
    """The line that says most: text of the mail, else a file, a label, people; empty when the subject says it all."""
    best = (Where.BODY, Where.FILE, Where.LABEL, Where.RECIPIENTS)
    line = next((match for where in best for match in found.why if match.where is where), None)
    return pointed(line) if line is not None else ""


def pointed(match: Match) -> str:
    """The line with the match in quotation marks."""
    if match.end <= match.start:
        return match.text
    return f"{match.text[: match.start]}»{match.text[match.start : match.end]}«{match.text[match.end :]}"
