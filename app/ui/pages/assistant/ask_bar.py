"""The bar to type a request: field, account choice and notices."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.domain.agents.requests import LONGEST_REQUEST
from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.ui.context import Context
from app.ui.editor.growing_field import GrowingField
from app.ui.i18n.formatting import number_words
from app.ui.session.session_store import PageState, long_number
from app.ui.session.typed_text import type_again, typed_texts
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.buttons import ChoiceBox
from app.ui.widgets.factory import button, column, label, put, row, rule
from app.ui.widgets.form_controls import with_arrow
from app.ui.widgets.hints import announce
from app.ui.widgets.notice_line import NoticeLine

RETURNS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class AskField(GrowingField):
    """Text field; `entered` is emitted by Enter. Shift+Enter starts a new line."""

    entered = Signal()

    def __init__(self) -> None:
        super().__init__(fewest=1, most=6)
        self.setAccessibleName(self.tr("What the assistant is to do"))
        self.setPlaceholderText(self.tr("Ask for something in your own words…"))

    def event(self, event: QEvent) -> bool:
        """Takes Ctrl+Enter from the page's shortcuts while the field has text."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in RETURNS:
            event.setAccepted(bool(self.toPlainText().strip()))
            return event.isAccepted()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in RETURNS and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.entered.emit()
            return
        super().keyPressEvent(event)


WIDEST_ACCOUNT = 18
"""Characters of an address that are always visible."""


class AskBar(QWidget):
    """Calls `asked(account, text)` for each request."""

    edited = Signal()
    """The text, the caret or the account changed."""

    def __init__(self, context: Context, title: str, asked: Callable[[AccountId, str], object]) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._asked = asked
        self._restored_account = AccountId(0)
        self.field = AskField()
        self.accounts = ChoiceBox()
        self.accounts.setAccessibleName(self.tr("In which account"))
        self.accounts.setMinimumContentsLength(WIDEST_ACCOUNT)
        self.accounts.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        with_arrow(self.accounts, context.icons)
        self.ask = button(self.tr("Ask"), "primary", self.submit)
        self.too_long = label("", Type.CAPTION, "danger")
        self.standing = NoticeLine(context.icons)
        self.refused = NoticeLine(context.icons, "danger")
        self._lay_out(title)
        self.field.entered.connect(self.submit)
        self.field.textChanged.connect(self._changed)
        self.field.cursorPositionChanged.connect(self.edited)
        self.accounts.activated.connect(lambda _at: self.edited.emit())
        self._changed()

    @property
    def words(self) -> str:
        """The typed request, stripped."""
        return self.field.toPlainText().strip()

    @property
    def account(self) -> AccountId:
        """The chosen account; 0 if there is none."""
        return AccountId(self.accounts.currentData() or 0)

    def show_accounts(self, accounts: Sequence[Account]) -> None:
        """Fills the account choice, which is hidden if there is only one."""
        chosen = self._restored_account or self.account
        known = [(account.id, account.email) for account in accounts]
        if known != [(self.accounts.itemData(at), self.accounts.itemText(at)) for at in range(self.accounts.count())]:
            self.accounts.clear()
            for account_id, email in known:
                self.accounts.addItem(email, account_id)
        self.accounts.setCurrentIndex(max(self.accounts.findData(chosen), 0 if known else -1))
        self._restored_account = AccountId(0)
        self.accounts.setVisible(len(known) > 1)
        self._enable()

    def submit(self) -> None:
        if not self.ask.isEnabled():
            return
        words = self.words
        self.field.clear()
        self._asked(self.account, words)

    def put(self, words: str) -> None:
        """Replaces the text (can be undone) and focuses the field."""
        cursor = self.field.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(words)
        self.field.setTextCursor(cursor)
        self.field.setFocus()

    def refuse(self, words: str, why: str) -> None:
        """Says why a request failed and puts its text back, unless other text was typed."""
        if not self.words:
            self.put(words)
        self.refused.say(why, "error")
        announce(self.refused, why, urgent=True)

    def save_state(self) -> PageState:
        return {**typed_texts(text=self.field), "account": self.account} if self.words else {}

    def restore_state(self, state: PageState) -> None:
        type_again(state, text=self.field)
        self._restored_account = AccountId(long_number(state, "account"))
        if self.accounts.count():
            self.accounts.setCurrentIndex(max(self.accounts.findData(self._restored_account), 0))

    def _changed(self) -> None:
        self.refused.say("")
        self._enable()
        self.edited.emit()

    def _enable(self) -> None:
        size = len(self.words)
        self.too_long.setText(f"{number_words(size)} / {number_words(LONGEST_REQUEST)}")
        self.too_long.setVisible(size > LONGEST_REQUEST)
        self.ask.setEnabled(0 < size <= LONGEST_REQUEST and bool(self.account))

    def _lay_out(self, title: str) -> None:
        inside = put(
            column(None, (Space.LARGE, Space.MEDIUM, Space.LARGE, Space.MEDIUM)),
            put(row(), (label(title, Type.TITLE), 1), self.accounts),
            put(row(), (self.field, 1), (self.ask, Qt.AlignmentFlag.AlignBottom)),
            self.too_long,
            self.refused,
            self.standing,
        )
        put(column(self, 0, 0), inside, rule())
        self.too_long.hide()
