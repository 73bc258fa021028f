"""The feedback bar of the Review page: asks for changes to a draft or for the reason of a rejection. Never modal."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit, QWidget

from app.domain.agents.memory import SHARED_DOMAINS, RejectionReason
from app.domain.drafting.review import Review
from app.domain.ports.window import MailboxReader
from app.ui.pages.review.review_texts import respond_words
from app.ui.session.restorable_parts import comes_back
from app.ui.theme.metrics import Space, is_large_text
from app.ui.widgets.factory import button, clear, column, row, tab_through
from app.ui.widgets.labels import FoldingCheck


class FeedbackBar(QFrame):
    """Input bar above the buttons; Enter sends, Escape closes. Emits `edited` when its input changes or it is closed."""

    edited = Signal()

    def __init__(self, closed: Callable[[], None]) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("tone", "accent")
        self._closed = closed
        self._submit: Callable[[str], None] | None = None
        self._required = False
        self.purpose = ""
        self.line = QLineEdit()
        comes_back(self.line)
        self.send = button("", "primary", self.submit)
        self.cancel = button(self.tr("Cancel"), "link", self.close_bar)
        self._chips = QWidget()
        self._chip_row = column(self._chips, 0, 0) if is_large_text() else row(self._chips, 0, Space.MEDIUM)
        first = row(None, 0, Space.SMALL)
        first.addWidget(self.line, 1)
        first.addWidget(self.send)
        first.addWidget(self.cancel)
        layout = column(self, Space.SMALL, Space.TIGHT)
        layout.addLayout(first)
        layout.addWidget(self._chips)
        self.options: tuple[QCheckBox, ...] = ()
        self._options = column(None, 0, Space.TIGHT)
        layout.addLayout(self._options)
        self.line.returnPressed.connect(self.submit)
        self.line.textChanged.connect(lambda _text: self._enable())
        self.line.textChanged.connect(lambda _text: self.edited.emit())
        self.hide()

    def ask(
        self,
        hint: str,
        verb: str,
        submit: Callable[[str], None],
        required: bool,
        suggestions: Sequence[str] = (),
        options: Sequence[str] = (),
        purpose: str = "",
    ) -> None:
        """Opens the bar. `suggestions` fill the line by one click; at most one of the `options` can be ticked."""
        self.purpose = purpose
        self._submit, self._required = submit, required
        self.line.clear()
        self.line.setPlaceholderText(hint)
        self.line.setAccessibleName(hint)
        self.send.setText(verb)
        clear(self._chip_row)
        chips = [button(words, "link", partial(self.line.setText, words)) for words in suggestions]
        for chip in chips:
            self._chip_row.addWidget(chip)
        self._chip_row.addStretch(1)
        self._chips.setVisible(bool(suggestions))
        self._show_options(options)
        tab_through(self.line, (self.send, self.cancel, *chips, *self.options))
        self._enable()
        self.show()
        self.line.setFocus()

    def put_back(self, text: str, ticked: int) -> None:
        """Restores unsaved input."""
        self.line.setText(text)
        if 0 <= ticked < len(self.options):
            self.options[ticked].setChecked(True)

    @property
    def ticked(self) -> int:
        """Index of the ticked option, -1 for none."""
        return next((number for number, option in enumerate(self.options) if option.isChecked()), -1)

    def submit(self) -> None:
        """Closes the bar and sends its text; does nothing if a required text is empty."""
        text = self.line.text().strip()
        if self._submit is None or (self._required and not text):
            return
        submit = self._submit
        self.close_bar()
        submit(text)

    def close_bar(self) -> None:
        """Closes the bar without sending."""
        self._submit, self.purpose = None, ""
        self.hide()
        self._closed()
        self.edited.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
            return
        super().keyPressEvent(event)

    def _show_options(self, options: Sequence[str]) -> None:
        clear(self._options)
        self.options = tuple(FoldingCheck(words) for words in options)
        for option in self.options:
            self._options.addWidget(option)
            option.clicked.connect(partial(self._untick_others, option))

    def _untick_others(self, ticked: QCheckBox, _checked: bool = False) -> None:
        for other in self.options:
            if other is not ticked:
                other.setChecked(False)
        self.edited.emit()

    def _enable(self) -> None:
        self.send.setEnabled(bool(self.line.text().strip()) or not self._required)


CHANGES, REASON = "changes", "reason"
"""Purposes of the feedback bar."""


class FeedbackPrompts:
    """Opens the feedback bar. Calls `respond` with the wanted changes and `reject` with a text and a reason."""

    def __init__(
        self,
        reader: MailboxReader,
        bar: FeedbackBar,
        respond: Callable[[str], None],
        reject: Callable[[str, RejectionReason], None],
    ) -> None:
        self._reader = reader
        self._bar = bar
        self._respond, self._reject = respond, reject
        self._options_shown: list[tuple[RejectionReason, str]] = []

    def open(self, review: Review, asking: str) -> None:
        """Opens the bar for `CHANGES` or `REASON`."""
        if asking == CHANGES:
            verb, hint = respond_words(review.proposal.kind)
            self._bar.ask(hint, verb, self._respond, required=True, purpose=CHANGES)
            return
        hint = QCoreApplication.translate("ReviewPage", "Why? (optional)")
        verb = QCoreApplication.translate("ReviewPage", "Reject")
        self._options_shown = self._never_options(review)
        options = [words for _reason, words in self._options_shown]
        suggestions = [
            words for words, why in common_reasons().items() if why is not RejectionReason.NO_ANSWER or not review.proposal.starts
        ]
        self._bar.ask(hint, verb, self._rejected, required=False, suggestions=suggestions, options=options, purpose=REASON)

    def _rejected(self, text: str) -> None:
        """Rejects with the ticked option's reason, else with the common reason of this text."""
        ticked = self._bar.ticked
        never_reason = self._options_shown[ticked][0] if ticked >= 0 else None
        self._reject(text, never_reason or common_reasons().get(text, RejectionReason.NONE))

    def _never_options(self, review: Review) -> list[tuple[RejectionReason, str]]:
        """Returns the options that stop drafts for the sender or the sender's domain."""
        message = self._reader.message(review.proposal.message_id)
        if message is None:
            return []
        email, domain = message.sender.email, message.sender.domain
        words = QCoreApplication.translate("ReviewPage", "No more drafts for mail from %1")
        found = [(RejectionReason.NEVER_SENDER, words.replace("%1", email))]
        if domain and domain not in SHARED_DOMAINS:
            words = QCoreApplication.translate("ReviewPage", "No more drafts for mail from anybody at %1")
            found.append((RejectionReason.NEVER_DOMAIN, words.replace("%1", domain)))
        return found


def common_reasons() -> dict[str, RejectionReason]:
    """Returns common reasons by their text in the window's language."""
    return {
        QCoreApplication.translate("ReviewPage", "No answer needed"): RejectionReason.NO_ANSWER,
        QCoreApplication.translate("ReviewPage", "Wrong tone"): RejectionReason.TONE,
        QCoreApplication.translate("ReviewPage", "Facts are wrong"): RejectionReason.FACTS,
        QCoreApplication.translate("ReviewPage", "I will write it myself"): RejectionReason.OWN_WORDS,
    }
