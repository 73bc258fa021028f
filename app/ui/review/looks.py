"""How a waiting item looks as a row of the queue."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.review import ReviewKind, ReviewRow
from app.domain.triage import UNSURE_BELOW
from app.ui.lists.look import Chip, RowLook
from app.ui.review.words import item_words
from app.ui.text import category_words, confidence_words, recipients_words, when_short

KIND_TONES = {
    ReviewKind.REPLY: "accent",
    ReviewKind.TOOL_CALL: "accent",
    ReviewKind.PLAN: "accent",
    ReviewKind.NOTIFY: "positive",
    ReviewKind.QUESTION: "warning",
    ReviewKind.NEEDS_REVIEW: "warning",
    ReviewKind.ESCALATION: "danger",
}


def review_look(review: ReviewRow, now: datetime) -> RowLook:
    """Kind, category and doubt as chips; open slots and flags as marks."""
    chips = [Chip(item_words(review.kind, review.goes_out), KIND_TONES[review.kind]), Chip(category_words(review.category))]
    if 0 < review.confidence < UNSURE_BELOW:
        chips.append(Chip(confidence_words(review.confidence), "warning"))
    if review.kind is ReviewKind.REPLY and not review.complete:
        chips.append(Chip(QCoreApplication.translate("Review", "to fill in"), "slot"))
    marks = (("flag", "warning"),) if review.flag_count else ()
    subject = review.subject or QCoreApplication.translate("Words", "(no subject)")
    when = when_short(review.date, now)
    flags = QCoreApplication.translate("Review", "with red flags") if review.flag_count else ""
    who, person = review.sender, ""
    if review.goes_out:
        who, person = recipients_words(review.sender), review.sender.partition(", ")[0]
    spoken = ", ".join(filter(None, (who, subject, when, *(chip.text for chip in chips), flags)))
    kept = tuple(chip for chip in chips if chip.text)
    return RowLook(who, subject, review.snippet, when, spoken, chips=kept, marks=marks, person=person)
