"""Why a mail was found, in words: one chip for the place and the line that matched."""

from PySide6.QtCore import QCoreApplication

from app.domain.finding import FoundMail, Match, Where
from app.ui.lists.look import Chip

EXAMPLES = ("is:unread", "has:attachment", "newer_than:7d", "in:sent", "from:", "subject:")
"""Operators offered as one click."""
LEAD = 6
"""Characters before a match that shares its line with several chips: what was searched for must not be cut off there."""


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
        Where.MEANING: QCoreApplication.translate("Finding", "alike in meaning"),
    }
    return words[where]


def why_chips(found: FoundMail) -> tuple[Chip, ...]:
    """The places that matched, each once; what has not all the words looks otherwise."""
    places = dict.fromkeys(match.where for match in found.why)
    return tuple(Chip(where_words(where), "" if where is Where.MEANING else "accent") for where in places)


def is_alike(found: FoundMail) -> bool:
    """Whether it was found by its meaning."""
    return any(match.where is Where.MEANING for match in found.why)


def why_line(found: FoundMail) -> str:
    """The line that says most: text of the mail, else a file, a label, people, the passage nearest in meaning; empty when the
    subject says it all. Beside several chips it begins close before the match."""
    best = (Where.BODY, Where.FILE, Where.LABEL, Where.RECIPIENTS, Where.MEANING)
    line = next((match for where in best for match in found.why if match.where is where), None)
    if line is None:
        return ""
    return pointed(nearer(line) if len(why_chips(found)) > 1 else line)


def nearer(match: Match) -> Match:
    """The same with at most `LEAD` characters before the match, from a whole word on where one begins there."""
    earliest = match.start - LEAD
    if earliest <= 0 or match.end <= match.start:
        return match
    gap = match.text.find(" ", earliest - 1, match.start - 1)
    cut = earliest if gap < 0 else gap + 1
    moved = 1 - cut
    return Match(match.where, "…" + match.text[cut:], match.start + moved, match.end + moved)


def pointed(match: Match) -> str:
    """The line with the match in quotation marks."""
    if match.end <= match.start:
        return match.text
    return f"{match.text[: match.start]}»{match.text[match.start : match.end]}«{match.text[match.end :]}"
