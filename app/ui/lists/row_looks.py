"""List rows of conversations."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.mail.message import Account, SystemLabel, ThreadRow
from app.domain.mail.triage import UNSURE_BELOW, Category, Decision
from app.domain.record import replace
from app.ui.i18n.formatting import category_words, confidence_words, decision_words, when_short
from app.ui.lists.row_painter import Chip, RowPresentation

DECISION_TONES = {"respond": "accent", "notify": "positive", "ignore": ""}


def triage_chips(decision: str, category: str, confidence: float) -> tuple[Chip, ...]:
    """Chips of decision, category and confidence; none before triage."""
    if not decision:
        return ()
    sure = Chip(confidence_words(confidence), "warning" if confidence < UNSURE_BELOW else "")
    chips = (Chip(decision_words(decision), DECISION_TONES.get(decision, "")), Chip(category_words(category)), sure)
    return tuple(chip for chip in chips if chip.text)


def state_chip(thread: ThreadRow) -> tuple[Chip, ...]:
    """At most one chip: what the owner may want to do with a conversation, or be warned of."""
    chips = (
        (SystemLabel.DRAFT in thread.labels, Chip(QCoreApplication.translate("Words", "Draft"), "danger")),
        (thread.draft_blanks, Chip(QCoreApplication.translate("Words", "Draft with blanks"), "slot")),
        (thread.draft_ready, Chip(QCoreApplication.translate("Words", "Draft ready"), "accent")),
        (thread.no_reply, Chip(QCoreApplication.translate("Words", "No reply yet"), "warning")),
        (thread.muted, Chip(QCoreApplication.translate("Words", "Muted"))),
        (thread.category == Category.SPAM, Chip(category_words(Category.SPAM), "warning")),
        (thread.decision == Decision.RESPOND, Chip(QCoreApplication.translate("Words", "Needs reply"), "accent")),
    )
    return tuple(chip for applies, chip in chips if applies)[:1]


def with_account(look: RowPresentation, account: Account | None) -> RowPresentation:
    """The row with the dot of its account, which is None where only one is listed."""
    return look if account is None else replace(look, dot=account.colour, spoken=f"{look.spoken}, {account.email}")


def thread_look(thread: ThreadRow, now: datetime) -> RowPresentation:
    subject = thread.subject or QCoreApplication.translate("Words", "(no subject)")
    marks = ((thread.starred, ("starred_on", "warning")), (thread.has_attachment, ("attachment", "text_soft")))
    shown = tuple(mark for has, mark in marks if has)
    chips = state_chip(thread)
    when = when_short(thread.date, now)
    unread = QCoreApplication.translate("Words", "unread") if thread.unread else ""
    spoken = ", ".join(part for part in (unread, thread.sender, subject, when, *(chip.text for chip in chips)) if part)
    return RowPresentation(
        thread.sender, subject, thread.snippet, when, spoken, thread.message_count, thread.unread, chips, shown
    )
