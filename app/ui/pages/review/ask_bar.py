"""The feedback bar of the Review page: asks for changes to a draft or for the reason of a rejection. Never modal."""

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit

from app.domain.agents.memory import RejectionReason
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Review
from app.domain.mail.recipients import SHARED_DOMAINS
from app.domain.ports.window import MailboxReader
from app.ui.pages.review.review_texts import respond_words
from app.ui.services.async_task import single_shot
from app.ui.theme.metrics import Space
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import STRETCH, QuestionBar, RoleFrame, announce, button, clear, column, label, row, tab_through
from app.ui.widgets.labels import FoldingCheck

CHANGES, REASON = "changes", "reason"
"""Purposes of the feedback bar."""
SLOW_FROM, SLOW_MS = 3, 3000
"""From which confirmation in a row on, and for how long, sending in spite of a warning has to wait."""


class FeedbackBar(QuestionBar):
    """Input bar above the buttons; Enter sends, Escape closes.

    Emits `responded` with the wanted changes, `rejected` with a text and a `RejectionReason`, and `edited` when its input changes
    or it is closed.
    """

    responded = Signal(str)
    rejected = Signal(str, object)
    edited = Signal()

    def __init__(self, reader: MailboxReader, closed: Callable[[], object]) -> None:
        super().__init__("notice", "accent")
        self._reader, self._closed = reader, closed
        self.purpose = ""
        """`CHANGES` or `REASON`, empty while closed."""
        self.line = QLineEdit()
        self.send = button("", "primary", self.submit)
        self.cancel = button(self.tr("Cancel"), "link", self.close_bar)
        self._chips, self._options = column(), column(None, 0, Space.TIGHT)
        first = row(None, 0, Space.SMALL, (self.line, 1), self.send, self.cancel)
        column(self, Space.SMALL, Space.TIGHT, first, self._chips, self._options)
        self._never: dict[QCheckBox, RejectionReason] = {}
        self.line.returnPressed.connect(self.submit)
        self.line.textChanged.connect(lambda _text: self._enable())
        self.line.textChanged.connect(lambda _text: self.edited.emit())
        self.hide()

    def open(self, review: Review, purpose: str) -> None:
        """Asks for `CHANGES` or for a `REASON`, for which it offers common ones and to stop drafts for the sender."""
        self.purpose = purpose
        if purpose == CHANGES:
            verb, hint = respond_words(review.proposal.kind)
        else:
            hint = QCoreApplication.translate("ReviewPage", "Why? (optional)")
            verb = QCoreApplication.translate("ReviewPage", "Reject")
        self.line.clear()
        self.line.setPlaceholderText(hint)
        self.line.setAccessibleName(hint)
        self.send.setText(verb)
        clear(self._chips)
        unfit = RejectionReason.NO_ANSWER if review.proposal.starts else None
        ready = [words for words, why in common_reasons().items() if why is not unfit] if purpose == REASON else []
        chips = [button(words, "link", partial(self._take, words)) for words in ready]
        if chips:
            self._chips.addWidget(FlowRow(chips))
        clear(self._options)
        self._never = {}
        message = self._reader.message(review.proposal.message_id) if purpose == REASON else None
        if message is not None:
            sender, domain = message.sender, message.sender.domain
            words = QCoreApplication.translate("ReviewPage", "Never draft replies to %1")
            self._never[FoldingCheck(words.replace("%1", sender.email))] = RejectionReason.NEVER_SENDER
            if domain and domain not in SHARED_DOMAINS:
                words = QCoreApplication.translate("ReviewPage", "Never draft replies to anyone at %1")
                self._never[FoldingCheck(words.replace("%1", domain))] = RejectionReason.NEVER_DOMAIN
        for option in self._never:
            self._options.addWidget(option)
            option.clicked.connect(partial(self._untick_others, option))
        tab_through(self.line, (self.send, self.cancel, *chips, *self.options))
        self._enable()
        self.show()
        self.line.setFocus()

    def _take(self, words: str) -> None:
        """Takes a ready reason. Enter in the line then rejects."""
        self.line.setText(words)
        self.line.setFocus()

    @property
    def options(self) -> tuple[QCheckBox, ...]:
        return tuple(self._never)

    def put_back(self, text: str, ticked: int) -> None:
        self.line.setText(text)
        if 0 <= ticked < len(self.options):
            self.options[ticked].setChecked(True)

    @property
    def ticked(self) -> int:
        return next((number for number, option in enumerate(self.options) if option.isChecked()), -1)

    def submit(self) -> None:
        text, purpose = self.line.text().strip(), self.purpose
        if not purpose or (purpose == CHANGES and not text):
            return
        never = next((reason for option, reason in self._never.items() if option.isChecked()), None)
        self.close_bar()
        if purpose == CHANGES:
            self.responded.emit(text)
        else:
            self.rejected.emit(text, never or common_reasons().get(text, RejectionReason.NONE))

    def close_bar(self) -> None:
        self.purpose = ""
        self.hide()
        self._closed()
        self.edited.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
            return
        super().keyPressEvent(event)

    def _untick_others(self, ticked: QCheckBox, _checked: bool = False) -> None:
        for other in self.options:
            if other is not ticked:
                other.setChecked(False)
        self.edited.emit()

    def _enable(self) -> None:
        self.send.setEnabled(bool(self.line.text().strip()) or self.purpose == REASON)


class NoModelBar(RoleFrame):
    """Says that changes need a language model, and offers what works without one."""

    def __init__(self, edit: Callable[[], object], choose_model: Callable[[], object], closed: Callable[[], object]) -> None:
        super().__init__("notice", "accent")
        self._closed = closed
        self.words = label(
            QCoreApplication.translate("ReviewPage", "Needs a language model. You can edit this yourself."), wrap=True
        )
        self.edit = button(QCoreApplication.translate("ReviewPage", "Edit"), "primary", self.hide)
        self.edit.clicked.connect(edit)
        choose = button(QCoreApplication.translate("ReviewPage", "Choose model…"), "link", choose_model)
        row(self, Space.SMALL, Space.SMALL, (self.words, 1), self.edit, choose)
        self.hide()

    def ask(self) -> None:
        self.show()
        announce(self, self.words.text(), urgent=True)
        self.edit.setFocus()

    def close_bar(self) -> None:
        self.hide()
        self._closed()


class SendAnywayBar(RoleFrame):
    """Asks before anything leaves in spite of a red warning. Emits `confirmed`; the key that approves does not confirm."""

    confirmed = Signal()

    def __init__(self, closed: Callable[[], object]) -> None:
        super().__init__("notice", "danger")
        self._closed = closed
        self._in_a_row = 0
        self.words = label("", wrap=True)
        self.cancel = button(QCoreApplication.translate("ReviewPage", "Do not send"), "primary", self.close_bar)
        self.send = button("", "danger")
        self.send.clicked.connect(self.hide)
        self.send.clicked.connect(self.confirmed)
        self._slow = single_shot(self, lambda: self.send.setEnabled(True))
        column(self, Space.SMALL, Space.SMALL, self.words, row(None, 0, Space.SMALL, self.cancel, self.send, STRETCH))
        self.hide()

    def ask(self, draft: Draft | None, warnings: Iterable[str]) -> None:
        """Names what leaves and to whom. From the third time in a row on, it takes a moment until it can be confirmed."""
        said = " ".join(warnings)
        if draft is None:
            self.send.setText(QCoreApplication.translate("ReviewPage", "Do it anyway"))
        else:
            everyone = ", ".join(one.email for one in draft.recipients)
            words = QCoreApplication.translate("ReviewPage", "“%1” would go to %2.")
            if draft.attachments:
                words = QCoreApplication.translate("ReviewPage", "“%1” would go to %2 with these files: %3.")
            files = ", ".join(file.name for file in draft.attachments)
            said = f"{words.replace('%1', draft.subject).replace('%2', everyone).replace('%3', files)} {said}"
            send = QCoreApplication.translate("ReviewPage", "Send to %1 anyway")
            self.send.setText(send.replace("%1", everyone))
        self.words.setText(said)
        self._in_a_row += 1
        self.send.setEnabled(self._in_a_row < SLOW_FROM)
        if self._in_a_row >= SLOW_FROM:
            self._slow.start(SLOW_MS)
        self.show()
        announce(self, said, urgent=True)
        self.cancel.setFocus()

    def calm(self) -> None:
        """Something left without a red warning: the next confirmation is the first again."""
        self._in_a_row = 0

    def close_bar(self) -> None:
        self.hide()
        self._closed()


def common_reasons() -> dict[str, RejectionReason]:
    return {
        QCoreApplication.translate("ReviewPage", "No answer needed"): RejectionReason.NO_ANSWER,
        QCoreApplication.translate("ReviewPage", "Wrong tone"): RejectionReason.TONE,
        QCoreApplication.translate("ReviewPage", "Facts are wrong"): RejectionReason.FACTS,
        QCoreApplication.translate("ReviewPage", "I'll write it myself"): RejectionReason.OWN_WORDS,
    }
