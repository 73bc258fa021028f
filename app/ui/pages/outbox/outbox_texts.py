"""Texts of outbox items: kinds, states, explanations, hold reasons, and the row in the list."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.mail.message import Message
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind, OutboxRow, OutboxState
from app.ui.i18n.formatting import clock_words, when_long, when_short
from app.ui.lists.row_painter import Chip, RowPresentation

_LOOK_IN_SENT = frozenset({HoldReason.NOT_CONFIRMED, HoldReason.FROM_COPY})


def state_chip(item: OutboxItem) -> Chip:
    if item.state is OutboxState.SENT:
        done = {
            OutboxKind.SEND: QCoreApplication.translate("Outbox", "sent"),
            OutboxKind.GMAIL_DRAFT: QCoreApplication.translate("Outbox", "saved in Gmail"),
            OutboxKind.MODIFY: QCoreApplication.translate("Outbox", "done"),
            OutboxKind.CALENDAR: QCoreApplication.translate("Outbox", "in the calendar"),
            OutboxKind.CREATE_LABEL: QCoreApplication.translate("Outbox", "made"),
            OutboxKind.RSVP: QCoreApplication.translate("Outbox", "answered"),
        }
        return Chip(done[item.kind], "positive")
    return {
        OutboxState.QUEUED: Chip(QCoreApplication.translate("Outbox", "waiting"), "accent"),
        OutboxState.DRAFTING: Chip(QCoreApplication.translate("Outbox", "preparing"), "accent"),
        OutboxState.DRAFTED: Chip(QCoreApplication.translate("Outbox", "prepared"), "accent"),
        OutboxState.SENDING: Chip(QCoreApplication.translate("Outbox", "sending"), "accent"),
        OutboxState.UNCERTAIN: Chip(QCoreApplication.translate("Outbox", "not confirmed"), "danger"),
        OutboxState.HELD: Chip(QCoreApplication.translate("Outbox", "held"), "warning"),
        OutboxState.CANCELLED: Chip(QCoreApplication.translate("Outbox", "cancelled")),
    }[item.state]


def kind_title(item: OutboxItem) -> str:
    titles = {
        OutboxKind.SEND: QCoreApplication.translate("Outbox", "Mail"),
        OutboxKind.GMAIL_DRAFT: QCoreApplication.translate("Outbox", "Gmail draft"),
        OutboxKind.MODIFY: QCoreApplication.translate("Outbox", "Label change"),
        OutboxKind.CALENDAR: QCoreApplication.translate("Outbox", "Meeting"),
        OutboxKind.CREATE_LABEL: QCoreApplication.translate("Outbox", "New label"),
        OutboxKind.RSVP: QCoreApplication.translate("Outbox", "Invitation"),
    }
    return titles[item.kind]


def explained(item: OutboxItem, now: datetime, waiting: str = "") -> str:
    """Explains what happens next with an item, or why it stopped.

    `waiting` says why its account's server cannot be reached: `ConnectionStatus.waiting` for mail, `ConnectionStatus.undone` for
    other changes.
    """
    if item.state is OutboxState.QUEUED:
        if item.not_before > now:
            return _not_due_text(item, now, waiting)
        soon = QCoreApplication.translate("Outbox", "Goes out as soon as the server answers.")
        done = QCoreApplication.translate("Outbox", "Is done as soon as the server answers.")
        return waiting or (soon if is_letter(item) else done)
    if item.state is OutboxState.UNCERTAIN and item.reason == HoldReason.FROM_COPY:
        return QCoreApplication.translate(
            "Outbox",
            "It comes from a copy of the mailbox file. Replyroom first checks what happened to it; it is not sent in "
            "the meantime.",
        )
    if item.state is OutboxState.UNCERTAIN and waiting:
        return QCoreApplication.translate(
            "Outbox",
            "The connection broke while sending. Gmail is checked as soon as the account is back; it isn't sent "
            "again in the meantime.",
        )
    sentences = _letter_sentences() if is_letter(item) else _other_sentences(item.kind)
    return sentences.get(item.state) or reason_words(item.reason, item.kind)


def is_letter(item: OutboxItem) -> bool:
    """Whether the item sends mail; other kinds only change data at Google."""
    return item.kind is OutboxKind.SEND


def _letter_sentences() -> dict[OutboxState, str]:
    return {
        OutboxState.DRAFTING: QCoreApplication.translate(
            "Outbox", "It is being put into Gmail as a draft first, so that it cannot be sent twice."
        ),
        OutboxState.DRAFTED: QCoreApplication.translate("Outbox", "The draft stands in Gmail and goes out next."),
        OutboxState.SENDING: QCoreApplication.translate("Outbox", "It is being sent now."),
        OutboxState.UNCERTAIN: QCoreApplication.translate(
            "Outbox", "The connection broke while sending. Checking Gmail now; it isn't sent again in the meantime."
        ),
        OutboxState.SENT: QCoreApplication.translate("Outbox", "Done; the server confirmed it."),
        OutboxState.CANCELLED: QCoreApplication.translate("Outbox", "Cancelled; nothing was sent."),
    }


def _other_sentences(kind: OutboxKind) -> dict[OutboxState, str]:
    """Sentences for label changes, drafts and meetings."""
    under_way = {
        OutboxKind.CALENDAR: QCoreApplication.translate("Outbox", "It is being put into your calendar now."),
        OutboxKind.GMAIL_DRAFT: QCoreApplication.translate("Outbox", "It is being saved in Gmail now."),
    }
    return {
        OutboxState.DRAFTING: under_way.get(kind) or QCoreApplication.translate("Outbox", "It is being done now."),
        OutboxState.UNCERTAIN: QCoreApplication.translate(
            "Outbox", "The connection broke. Replyroom checks what happened as soon as the server answers."
        ),
        OutboxState.SENT: QCoreApplication.translate("Outbox", "Done; the server confirmed it."),
        OutboxState.CANCELLED: QCoreApplication.translate("Outbox", "Cancelled; nothing was changed."),
    }


def _not_due_text(item: OutboxItem, now: datetime, waiting: str) -> str:
    """Explains a queued item that is not due yet. A time without a date means today."""
    at = item.not_before
    today = at.astimezone().date() == now.astimezone().date()
    when = clock_words(at) if today else when_long(at)
    if waiting:
        words = QCoreApplication.translate("Outbox", "%1 Not before %2; you can still cancel it.")
        return words.replace("%1", waiting).replace("%2", when)
    if is_letter(item):
        at_time = QCoreApplication.translate("Outbox", "Goes out at %1. Until then you can cancel it.")
        on_day = QCoreApplication.translate("Outbox", "Goes out on %1. Until then you can cancel it.")
    else:
        at_time = QCoreApplication.translate("Outbox", "Is done at %1. Until then you can cancel it.")
        on_day = QCoreApplication.translate("Outbox", "Is done on %1. Until then you can cancel it.")
    return (at_time if today else on_day).replace("%1", when)


def send_words(item: OutboxItem | None, kept_back: bool) -> str:
    """Text of the button that sends an item now; `kept_back` if its server cannot be reached now."""
    mail = item is None or is_letter(item)
    if item is not None and item.state is OutboxState.HELD:
        anyway = QCoreApplication.translate("OutboxPage", "Send anyway"), QCoreApplication.translate("OutboxPage", "Do it anyway")
        return anyway[0 if mail else 1]
    if kept_back:
        if mail:
            return QCoreApplication.translate("OutboxPage", "Send as soon as possible")
        return QCoreApplication.translate("OutboxPage", "Do it as soon as possible")
    return QCoreApplication.translate("OutboxPage", "Send now") if mail else QCoreApplication.translate("OutboxPage", "Do it now")


def overtaken(item: OutboxItem) -> bool:
    """Whether the item is held because newer mail came into the conversation."""
    return item.state is OutboxState.HELD and item.reason == HoldReason.NEWER_MAIL


def doubtful(item: OutboxItem) -> bool:
    """Whether the mail may have been sent, so that the user should look in Sent."""
    if not is_letter(item):
        return False
    return item.state is OutboxState.UNCERTAIN or (item.state is OutboxState.HELD and item.reason in _LOOK_IN_SENT)


def wrote_again(newest: Message) -> str:
    """Says who sent newer mail after the approval, and when."""
    words = QCoreApplication.translate("Outbox", "%1 wrote again after you approved: %2. Check it, then send or cancel.")
    return words.replace("%1", newest.sender.name or newest.sender.email).replace("%2", when_long(newest.date))


def _other_reasons(kind: OutboxKind) -> dict[HoldReason, str]:
    """Hold reasons of items other than mail that need a text of their own."""
    meeting = QCoreApplication.translate(
        "Outbox", "The connection broke while it was being entered. Look in your calendar before you do it again."
    )
    draft = QCoreApplication.translate(
        "Outbox", "The connection broke while it was being saved. Look in Drafts before you save it again."
    )
    return {
        HoldReason.REJECTED_BY_SERVER: QCoreApplication.translate("Outbox", "The server refused this; nothing was changed."),
        HoldReason.PERMISSION_MISSING: QCoreApplication.translate(
            "Outbox", "Google does not allow this for your account. Sign in again and grant every permission."
        ),
        HoldReason.NOT_CONFIRMED: meeting if kind is OutboxKind.CALENDAR else draft,
        HoldReason.FROM_COPY: QCoreApplication.translate(
            "Outbox", "It comes from a copy of the mailbox file and may have been undone since. Do it or cancel it."
        ),
    }


def _mail_reasons() -> dict[HoldReason, str]:
    """Hold reasons with a text only for mail: from a copy of the mailbox file, late, sender address gone."""
    return {
        HoldReason.FROM_COPY: QCoreApplication.translate(
            "Outbox",
            "It comes from a copy of the mailbox file and wasn't found in Sent. It may have been undone since. Send "
            "it or cancel it.",
        ),
        HoldReason.LATE: QCoreApplication.translate(
            "Outbox", "The time you chose passed more than a day ago, and it could not go out before. Send it now, or cancel it."
        ),
        HoldReason.SENDER_GONE: QCoreApplication.translate(
            "Outbox",
            "The address it was to be sent from is no longer yours in Gmail, so it would go out from your main address. Send it "
            "anyway, or cancel it.",
        ),
    }


def reason_words(reason: str, kind: OutboxKind = OutboxKind.SEND) -> str:
    """Explains a hold reason; a general sentence for an unknown one."""
    words = {
        HoldReason.NEWER_MAIL: QCoreApplication.translate(
            "Outbox", "A newer email arrived in this conversation after you approved. Check it, then send or cancel."
        ),
        HoldReason.ANSWERED_ELSEWHERE: QCoreApplication.translate("Outbox", "You already replied from another app."),
        HoldReason.DRAFT_DELETED: QCoreApplication.translate("Outbox", "The draft was deleted in Gmail before it went out."),
        HoldReason.DRAFT_EDITED: QCoreApplication.translate(
            "Outbox", "The draft was edited in Gmail; what stands there is not what you approved."
        ),
        HoldReason.REJECTED_BY_SERVER: QCoreApplication.translate(
            "Outbox", "The server rejected this email. Check the recipients."
        ),
        HoldReason.PERMISSION_MISSING: QCoreApplication.translate(
            "Outbox", "Google does not allow sending for this account. Sign in again and grant every permission."
        ),
        HoldReason.NOT_CONFIRMED: QCoreApplication.translate(
            "Outbox", "The connection broke while it was being sent. Look in Sent before you send it again."
        ),
        HoldReason.SLOT_TAKEN: QCoreApplication.translate(
            "Outbox",
            "Something else was added to your calendar at that time after you approved. Check it, then continue "
            "anyway or cancel.",
        ),
        HoldReason.SLOT_PAST: QCoreApplication.translate("Outbox", "The time of this meeting has passed."),
        HoldReason.NO_CALENDAR: QCoreApplication.translate(
            "Outbox", "No calendar of this account is connected any more. Connect it in Settings, then do it anyway."
        ),
        HoldReason.NO_EVENT: QCoreApplication.translate(
            "Outbox", "Your calendar no longer has this event with you as a guest. Cancel this, or answer by email."
        ),
        HoldReason.THREAD_GONE: QCoreApplication.translate("Outbox", "The conversation no longer exists on the server."),
    }
    words |= _mail_reasons() if kind is OutboxKind.SEND else _other_reasons(kind)
    known = words.get(HoldReason(reason)) if reason in set(HoldReason) else None
    return known or QCoreApplication.translate("Outbox", "It stopped and waits for your word.")


def item_look(row: OutboxRow, now: datetime, words: str) -> RowPresentation:
    """Returns the row of an item; `words` is the text from `explained`."""
    item = row.item
    subject = item.subject or kind_title(item)
    state = state_chip(item)
    when = when_short(row.approved_at, now)
    who, icon = item.to or kind_title(item), "" if item.to else "label"
    return RowPresentation(who, subject, words, when, f"{who}, {subject}, {state.text}, {words}", chips=(state,), icon=icon)
