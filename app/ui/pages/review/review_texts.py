"""Texts of the Review page: red flags, kinds, states, and errors in edited arguments."""

from PySide6.QtCore import QCoreApplication

from app.domain.drafting.review import FlagKind, RedFlag, ReviewKind, ReviewStatus
from app.ui.i18n.formatting import kind_words
from app.ui.i18n.translation import QT_TRANSLATE_NOOP

FLAGS = {
    FlagKind.RECIPIENT_OUTSIDE_THREAD: QT_TRANSLATE_NOOP("Flags", "%1 isn't part of this conversation."),
    FlagKind.NEVER_WRITTEN_TO: QT_TRANSLATE_NOOP("Flags", "You have never written to %1."),
    FlagKind.LOOK_ALIKE_DOMAIN: QT_TRANSLATE_NOOP("Flags", "%1 looks like an address you know but isn't."),
    FlagKind.BCC: QT_TRANSLATE_NOOP("Flags", "%1 gets a blind copy."),
    FlagKind.LINK_NOT_FROM_USER: QT_TRANSLATE_NOOP("Flags", "The link %1 isn't yours."),
    FlagKind.ATTACHMENT: QT_TRANSLATE_NOOP("Flags", "Attached: %1."),
    FlagKind.CREDENTIAL: QT_TRANSLATE_NOOP("Flags", "This looks like a code, a key or an account number: %1."),
    FlagKind.QUOTES_PRIVATE_SOURCE: QT_TRANSLATE_NOOP("Flags", "Contains text that some recipients have not seen: “%1”."),
    FlagKind.SECOND_SEND: QT_TRANSLATE_NOOP("Flags", "This would be email number %1 for the same request."),
    FlagKind.NOT_FROM_USER: QT_TRANSLATE_NOOP("Flags", "You didn't mention %1. It comes from what the assistant read."),
    FlagKind.CALENDAR_CONFLICT: QT_TRANSLATE_NOOP("Flags", "You're busy then: %1."),
    FlagKind.OUTSIDE_HOURS: QT_TRANSLATE_NOOP("Flags", "%1 is outside your working hours."),
    FlagKind.SENDER_POSES: QT_TRANSLATE_NOOP("Flags", "%1 seems to pretend to be someone else."),
    FlagKind.REPLIES_ELSEWHERE: QT_TRANSLATE_NOOP("Flags", "Replies go to %1, not to the sender."),
    FlagKind.REPLY_TO_DIFFERS: QT_TRANSLATE_NOOP("Flags", "Replies go to %1, not to the sender."),
}
STATUS = {
    ReviewStatus.PENDING: QT_TRANSLATE_NOOP("Review", "waiting"),
    ReviewStatus.APPROVED: QT_TRANSLATE_NOOP("Review", "approved"),
    ReviewStatus.SAVED_AS_DRAFT: QT_TRANSLATE_NOOP("Review", "saved as Gmail draft"),
    ReviewStatus.REJECTED: QT_TRANSLATE_NOOP("Review", "rejected"),
    ReviewStatus.ANSWERED: QT_TRANSLATE_NOOP("Review", "answered"),
    ReviewStatus.DISMISSED: QT_TRANSLATE_NOOP("Review", "dismissed"),
    ReviewStatus.SUPERSEDED: QT_TRANSLATE_NOOP("Review", "replaced by a newer email"),
}
KINDS = {
    ReviewKind.NOTIFY: QT_TRANSLATE_NOOP("Review", "No reply needed."),
    ReviewKind.QUESTION: QT_TRANSLATE_NOOP("Review", "The assistant needs an answer to continue."),
    ReviewKind.ESCALATION: QT_TRANSLATE_NOOP("Review", "The assistant leaves this one to you."),
    ReviewKind.NEEDS_REVIEW: QT_TRANSLATE_NOOP("Review", "No draft could be written. Please answer this email yourself."),
    ReviewKind.TOOL_CALL: QT_TRANSLATE_NOOP("Review", "The assistant wants to do this for you."),
    ReviewKind.PLAN: QT_TRANSLATE_NOOP("Review", "The assistant proposes these steps."),
}
ARGUMENTS = {
    "title": QT_TRANSLATE_NOOP("Review", "The meeting has no title."),
    "attendees": QT_TRANSLATE_NOOP("Review", "Add guests by their email addresses."),
    "start_time": QT_TRANSLATE_NOOP("Review", "That time doesn't exist (clocks go forward)."),
    "end_time": QT_TRANSLATE_NOOP("Review", "The meeting must end after it starts, within a day."),
}


def flag_words(flag: RedFlag) -> str:
    return QCoreApplication.translate("Flags", FLAGS[flag.kind]).replace("%1", flag.about)


def item_words(kind: ReviewKind, starts: bool) -> str:
    """Returns the text of the kind chip; `starts` for new mail that answers none."""
    return QCoreApplication.translate("Review", "new email") if starts else kind_words(kind)


def wrong_argument(error: Exception) -> str:
    name = str(error).partition(":")[0]
    unknown = QT_TRANSLATE_NOOP("Review", "“%1” isn't in a format the action accepts.")
    return QCoreApplication.translate("Review", ARGUMENTS.get(name, unknown)).replace("%1", name)


def status_words(status: ReviewStatus) -> str:
    return QCoreApplication.translate("Review", STATUS[status])


def kind_explained(kind: ReviewKind) -> str:
    return QCoreApplication.translate("Review", KINDS[kind]) if kind in KINDS else ""


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
