"""Correcting a message where it is: the menu "Sorted wrongly?", its command, and the notice with Undo."""

from collections.abc import Callable, Sequence
from functools import partial
from uuid import uuid4

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu, QWidget

from app.domain.errors import ExpectedError
from app.domain.ids import MessageId, ThreadId
from app.domain.mail.message import ARCHIVE, SystemLabel
from app.domain.mail.triage import OwnerVerdict
from app.domain.protocol.changes import ChangeLabels, CorrectVerdict, UndoCorrection
from app.ui.context import Context
from app.ui.services.notices import account_by_id
from app.ui.widgets.factory import named
from app.ui.widgets.menus import PageMenu

SECTIONS = (
    (OwnerVerdict.NEEDS_REPLY, OwnerVerdict.FOR_INFORMATION, OwnerVerdict.NO_ACTION),
    (OwnerVerdict.SPAM, OwnerVerdict.NOT_SPAM),
    (OwnerVerdict.PHISHING, OwnerVerdict.NOT_SUSPICIOUS),
)
"""The menu's entries, by section."""


def verdict_words(verdict: OwnerVerdict) -> str:
    """The name of a verdict, with the letter that chooses it in the menu."""
    words = {
        OwnerVerdict.NEEDS_REPLY: QCoreApplication.translate("Correction", "Needs &reply"),
        OwnerVerdict.FOR_INFORMATION: QCoreApplication.translate("Correction", "For your &information"),
        OwnerVerdict.NO_ACTION: QCoreApplication.translate("Correction", "No &action"),
        OwnerVerdict.SPAM: QCoreApplication.translate("Correction", "&Spam"),
        OwnerVerdict.NOT_SPAM: QCoreApplication.translate("Correction", "&Not spam"),
        OwnerVerdict.PHISHING: QCoreApplication.translate("Correction", "&Phishing"),
        OwnerVerdict.NOT_SUSPICIOUS: QCoreApplication.translate("Correction", "Not s&uspicious"),
    }
    return words[verdict]


def corrected_words(verdict: OwnerVerdict) -> str:
    """What the notice says after a correction."""
    words = {
        OwnerVerdict.NEEDS_REPLY: QCoreApplication.translate("Correction", "Needs reply. A draft will appear in Review."),
        OwnerVerdict.FOR_INFORMATION: QCoreApplication.translate("Correction", "For your information. No draft."),
        OwnerVerdict.NO_ACTION: QCoreApplication.translate("Correction", "No action. Email like this stays out of Review."),
        OwnerVerdict.SPAM: QCoreApplication.translate("Correction", "Moved to Spam."),
        OwnerVerdict.NOT_SPAM: QCoreApplication.translate("Correction", "Not spam. It is back in the inbox."),
        OwnerVerdict.PHISHING: QCoreApplication.translate("Correction", "Reported as phishing and moved to Spam."),
        OwnerVerdict.NOT_SUSPICIOUS: QCoreApplication.translate("Correction", "Not suspicious. The warning is gone."),
    }
    return words[verdict]


def correction(verdict: OwnerVerdict, threads: Sequence[ThreadId], message_id: MessageId = MessageId(0)) -> CorrectVerdict:
    return CorrectVerdict(uuid4().hex, tuple(threads), verdict, message_id)


def correct(context: Context, change: CorrectVerdict) -> None:
    """Sends a correction and offers Undo."""

    def undo() -> None:
        context.link.send(UndoCorrection(change.key))
        context.notices.tell(QCoreApplication.translate("Correction", "Undone."))

    context.link.send(change)
    context.notices.tell(corrected_words(change.verdict), QCoreApplication.translate("Correction", "Undo"), undo)


def correction_menu(parent: QWidget, chosen: Callable[[OwnerVerdict], object]) -> QMenu:
    """The menu of verdicts. `chosen` is called with the one that is picked."""
    menu = named(PageMenu(parent), QCoreApplication.translate("Correction", "Sorted wrongly? It should have been"))
    for at, section in enumerate(SECTIONS):
        if at:
            menu.addSeparator()
        for verdict in section:
            menu.addAction(verdict_words(verdict), partial(chosen, verdict)).setObjectName(verdict)
    return menu


def mark_as_read(context: Context, thread_id: ThreadId | None) -> None:
    """Marks a conversation as read unless it is read already or comes from a mail archive."""
    if thread_id is None:
        return
    try:
        row = context.reader.thread_rows([thread_id]).get(thread_id)
        account = account_by_id(context.reader, row.account_id) if row is not None else None
    except ExpectedError:  # the page reports it, and no one asked for this change
        return
    if row is not None and row.unread and account is not None and account.kind != ARCHIVE:
        context.link.send(ChangeLabels(uuid4().hex, (row.id,), (), (SystemLabel.UNREAD.value,)))
