"""List rows of conversations."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.mail.message import ThreadRow
from app.domain.mail.triage import UNSURE_BELOW
from app.ui.i18n.formatting import category_words, confidence_words, decision_words, when_short
from app.ui.lists.row_presentation import Chip, RowPresentation

DECISION_TONES = {"respond": "accent", "notify": "positive", "ignore": ""}


def triage_chips(decision: str, category: str, confidence: float) -> tuple[Chip, ...]:
    """Chips of decision, category and confidence; none before triage."""
    if not decision:
        return ()
    sure = Chip(confidence_words(confidence), "warning" if confidence < UNSURE_BELOW else "")
    chips = (Chip(decision_words(decision), DECISION_TONES.get(decision, "")), Chip(category_words(category)), sure)
    return tuple(chip for chip in chips if chip.text)


def thread_look(thread: ThreadRow, now: datetime) -> RowPresentation:
    subject = thread.subject or QCoreApplication.translate("Words", "(no subject)")
    marks = []
    if thread.starred:
        marks.append(("starred_on", "warning"))
    if thread.has_attachment:
        marks.append(("attachment", "text_soft"))
    chips = triage_chips(thread.decision, thread.category, thread.confidence)
    if thread.draft_ready:
        chips = (Chip(QCoreApplication.translate("Words", "Draft ready"), "accent"),)
    when = when_short(thread.date, now)
    unread = QCoreApplication.translate("Words", "unread") if thread.unread else ""
    spoken = ", ".join(part for part in (unread, thread.sender, subject, when, *(chip.text for chip in chips)) if part)
    return RowPresentation(
        thread.sender, subject, thread.snippet, when, spoken, thread.message_count, thread.unread, chips, tuple(marks)
    )
