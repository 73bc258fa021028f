"""Connection state of the accounts and mail that waits for it. Review, letters and the Outbox share the sentences."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFrame, QWidget

from app.domain.ids import AccountId
from app.domain.protocol.events import ConnectionChanged, ConnectionState
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space
from app.ui.widgets.factory import frame, label, row
from app.ui.widgets.hints import announce
from app.ui.widgets.labels import IconLabel

ICONS = {ConnectionState.LOGIN_NEEDED: "sign_in", ConnectionState.PAUSED: "pause"}


class ConnectionStatus(QObject):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states: dict[AccountId, ConnectionState] = {}

    def hear(self, event: ConnectionChanged) -> None:
        self._states[event.account_id] = event.state

    def of(self, account_id: AccountId) -> ConnectionState:
        """State of an account, `ONLINE` if unknown."""
        return self._states.get(account_id, ConnectionState.ONLINE)

    def icon(self, account_id: AccountId) -> str:
        return ICONS.get(self.of(account_id), "offline")

    def once_approved(self, account_id: AccountId) -> str:
        """Why a draft approved now would wait; empty if it would not."""
        offline = self.tr("You're offline. Once approved, this is sent when you're back online.")
        login = self.tr("You're signed out. Once approved, this is sent after you sign in again.")
        return self._why(
            account_id, offline, login, self.tr("The account is paused. Once approved, this is sent when you resume it.")
        )

    def once_sent(self, account_id: AccountId) -> str:
        """Why a letter sent now would wait; empty if it would not."""
        offline = self.tr("You're offline. This is sent when you're back online.")
        login = self.tr("You're signed out. This is sent after you sign in again.")
        return self._why(account_id, offline, login, self.tr("The account is paused. This is sent when you resume it."))

    def waiting(self, account_id: AccountId) -> str:
        """Why a letter in the outbox waits; empty if it does not."""
        offline = self.tr("You're offline. This is sent when you're back online.")
        login = self.tr("You're signed out. This is sent after you sign in again.")
        paused = self.tr("The account is paused. This is sent when you resume it.")
        return self._why(account_id, offline, login, paused)

    def undone(self, account_id: AccountId) -> str:
        """Why a change other than a letter waits, or empty."""
        offline = self.tr("You're offline. This is done when you're back online.")
        login = self.tr("You're signed out. This is done after you sign in again.")
        paused = self.tr("The account is paused. This is done when you resume it.")
        return self._why(account_id, offline, login, paused)

    def _why(self, account_id: AccountId, offline: str, login: str, paused: str) -> str:
        words = {ConnectionState.OFFLINE: offline, ConnectionState.LOGIN_NEEDED: login, ConnectionState.PAUSED: paused}
        return words.get(self.of(account_id), "")


class ConnectionNote(QWidget):
    """One line that says why a letter would wait. Hidden otherwise."""

    def __init__(self, icons: Icons) -> None:
        super().__init__()
        self._status = ConnectionStatus(self)
        self._account: AccountId | None = None
        self._icon = IconLabel(icons, size=16)
        self._words = label("", wrap=True)
        line = notice_line(self._icon, self._words)
        row(self, 0, 0).addWidget(line)
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def about(self, account_id: AccountId | None) -> None:
        """Sets the account of the letter on screen; None for no letter."""
        self._account = account_id
        self._fill()

    def hear(self, event: ConnectionChanged) -> None:
        self._status.hear(event)
        self._fill()

    def waiting(self, account_id: AccountId) -> str:
        """Why a letter in the outbox waits; empty if it does not."""
        return self._status.waiting(account_id)

    def _fill(self) -> None:
        words = ""
        if self._account is not None:
            words = self._status.once_sent(self._account)
            self._icon.show_icon(self._status.icon(self._account), "neutral")
        if words and words != self.words:
            announce(self, words)
        self._words.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))


def notice_line(icon: IconLabel, words: QWidget, tone: str = "") -> QFrame:
    """Makes a notice on one line with icon and tinted background."""
    made = frame("notice", tone)
    row(made, (Space.MEDIUM, Space.TIGHT), Space.SMALL, icon, (words, 1))
    return made
