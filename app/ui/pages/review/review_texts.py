"""Texts of the Review page: red flags, kinds, states, and errors in edited arguments."""

from PySide6.QtCore import QCoreApplication

from app.domain.drafting.review import FlagKind, RedFlag, ReviewKind, ReviewStatus
from app.ui.i18n.formatting import kind_words


def flag_words(flag: RedFlag) -> str:
    sentences = {
        FlagKind.RECIPIENT_OUTSIDE_THREAD: QCoreApplication.translate("Flags", "%1 isn't part of this conversation."),
        FlagKind.NEVER_WRITTEN_TO: QCoreApplication.translate("Flags", "You have never written to %1."),
        FlagKind.LOOK_ALIKE_DOMAIN: QCoreApplication.translate("Flags", "%1 looks like an address you know but isn't."),
        FlagKind.BCC: QCoreApplication.translate("Flags", "%1 gets a blind copy."),
        FlagKind.LINK_NOT_FROM_USER: QCoreApplication.translate("Flags", "The link %1 isn't yours."),
        FlagKind.ATTACHMENT: QCoreApplication.translate("Flags", "Attached: %1."),
        FlagKind.CREDENTIAL: QCoreApplication.translate("Flags", "This looks like a code, a key or an account number: %1."),
        FlagKind.QUOTES_PRIVATE_SOURCE: QCoreApplication.translate(
            "Flags", "Contains text that some recipients have not seen: “%1”."
        ),
        FlagKind.SECOND_SEND: QCoreApplication.translate("Flags", "This would be email number %1 for the same request."),
        FlagKind.NOT_FROM_USER: QCoreApplication.translate(
            "Flags", "You didn't mention %1. It comes from what the assistant read."
        ),
        FlagKind.CALENDAR_CONFLICT: QCoreApplication.translate("Flags", "You're busy then: %1."),
        FlagKind.OUTSIDE_HOURS: QCoreApplication.translate("Flags", "%1 is outside your working hours."),
        FlagKind.SENDER_POSES: QCoreApplication.translate("Flags", "%1 seems to pretend to be someone else."),
        FlagKind.REPLIES_ELSEWHERE: QCoreApplication.translate("Flags", "Replies go to %1, not to the sender."),
        FlagKind.REPLY_TO_DIFFERS: QCoreApplication.translate("Flags", "Replies go to %1, not to the sender."),
    }
    return sentences[flag.kind].replace("%1", flag.about)


def item_words(kind: ReviewKind, starts: bool) -> str:
    """Returns the text of the kind chip; `starts` for new mail that answers none."""
    return QCoreApplication.translate("Review", "new email") if starts else kind_words(kind)


def wrong_argument(error: Exception) -> str:
    name = str(error).partition(":")[0]
    fields = {
        "title": QCoreApplication.translate("Review", "The meeting has no title."),
        "attendees": QCoreApplication.translate("Review", "Add guests by their email addresses."),
        "start_time": QCoreApplication.translate("Review", "That time doesn't exist (clocks go forward)."),
        "end_time": QCoreApplication.translate("Review", "The meeting must end after it starts, within a day."),
    }
    unknown = QCoreApplication.translate("Review", "“%1” isn't in a format the action accepts.")
    return fields.get(name) or unknown.replace("%1", name)


def status_words(status: ReviewStatus) -> str:
    table = {
        ReviewStatus.PENDING: QCoreApplication.translate("Review", "waiting"),
        ReviewStatus.APPROVED: QCoreApplication.translate("Review", "approved"),
        ReviewStatus.SAVED_AS_DRAFT: QCoreApplication.translate("Review", "saved as Gmail draft"),
        ReviewStatus.REJECTED: QCoreApplication.translate("Review", "rejected"),
        ReviewStatus.ANSWERED: QCoreApplication.translate("Review", "answered"),
        ReviewStatus.DISMISSED: QCoreApplication.translate("Review", "dismissed"),
        ReviewStatus.SUPERSEDED: QCoreApplication.translate("Review", "replaced by a newer email"),
    }
    return table[status]


def respond_words(kind: ReviewKind, model: bool = True) -> tuple[str, str]:
    """Returns the button text and the field's placeholder for feedback on this kind; `model`: one is chosen."""
    if kind is ReviewKind.QUESTION:
        return (QCoreApplication.translate("Review", "Answer"), QCoreApplication.translate("Review", "Your answer"))
    if kind in (ReviewKind.NOTIFY, ReviewKind.NEEDS_REVIEW, ReviewKind.ESCALATION):
        hint = QCoreApplication.translate("Review", "What should the reply say?")
        if not model:
            return (QCoreApplication.translate("Review", "Draft a reply"), hint)
        return (QCoreApplication.translate("Review", "Ask for a reply"), hint)
    hint = QCoreApplication.translate("Review", "What should change? For example: shorter, and propose Thursday")
    return (QCoreApplication.translate("Review", "Ask for changes"), hint)


def kind_explained(kind: ReviewKind) -> str:
    table = {
        ReviewKind.NOTIFY: QCoreApplication.translate("Review", "No reply needed."),
        ReviewKind.QUESTION: QCoreApplication.translate("Review", "The assistant needs an answer to continue."),
        ReviewKind.ESCALATION: QCoreApplication.translate("Review", "The assistant leaves this one to you."),
        ReviewKind.NEEDS_REVIEW: QCoreApplication.translate(
            "Review", "No draft could be written. Please answer this email yourself."
        ),
        ReviewKind.TOOL_CALL: QCoreApplication.translate("Review", "The assistant wants to do this for you."),
        ReviewKind.PLAN: QCoreApplication.translate("Review", "The assistant proposes these steps."),
    }
    return table.get(kind, "")
