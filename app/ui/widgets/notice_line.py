"""Lines of notice: a message with at most two buttons, and the connection of the accounts with the mail that waits for it.

Review, letters and the Outbox share the sentences about the connection.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFrame, QWidget

from app.domain.ids import AccountId
from app.domain.protocol.events import ConnectionChanged, ConnectionState
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, is_large_text
from app.ui.widgets.factory import STRETCH, RoleFrame, announce, button, column, label, put, row, say_or_hide
from app.ui.widgets.labels import IconLabel


class NoticeLine(RoleFrame):
    """Hidden while it has no text. With `below` the button is under the text, for narrow places."""

    def __init__(self, icons: Icons, tone: str = "", below: bool = False) -> None:
        super().__init__("notice")
        self.setProperty("tone", tone)
        self._tone = tone or "neutral"
        self._action: Callable[[], object] | None = None
        self._other: Callable[[], object] | None = None
        self._icon = IconLabel(icons)
        self._words = label("", tone=tone, wrap=True)
        self.button = button("", "link", lambda: self._action and self._action())
        self.other = button("", "link", lambda: self._other and self._other())
        said = column(None, 0, Space.TIGHT) if below or is_large_text() else row()
        put(said, (self._words, 1), row(None, 0, Space.MEDIUM, self.button, self.other, STRETCH))
        put(
            row(self, (Space.MEDIUM, Space.TIGHT, Space.MEDIUM, Space.TIGHT)),
            (self._icon, Qt.AlignmentFlag.AlignTop if below else Qt.AlignmentFlag.AlignVCenter),
            (said, 1),
        )
        self.hide()

    @property
    def words(self) -> str:
        """The shown text; empty if hidden."""
        return self._words.text()

    def say(
        self,
        words: str,
        icon: str = "info",
        action: str = "",
        act: Callable[[], object] | None = None,
        other: str = "",
        act_other: Callable[[], object] | None = None,
    ) -> None:
        """Shows a text. An empty text hides the line; without `action` and `other` there is no button."""
        self._icon.show_icon(icon, self._tone)
        self._words.setText(words)
        self._action, self._other = act, act_other
        say_or_hide(self.other, other)
        say_or_hide(self.button, action)
        self.setAccessibleName(words)
        self.setVisible(bool(words))


class ConnectionStatus(QObject):
    """Connections of the accounts, and why mail waits for them. What does not wait has no words."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states: dict[AccountId, ConnectionState] = {}

    def hear(self, event: ConnectionChanged) -> None:
        self._states[event.account_id] = event.state

    def icon(self, account_id: AccountId) -> str:
        icons = {ConnectionState.LOGIN_NEEDED: "sign_in", ConnectionState.PAUSED: "pause"}
        return icons.get(self._states.get(account_id, ConnectionState.ONLINE), "offline")

    def once_approved(self, account_id: AccountId) -> str:
        """Why a draft approved now would wait."""
        offline = self.tr("You're offline. Once approved, this is sent when you're back online.")
        login = self.tr("You're signed out. Once approved, this is sent after you sign in again.")
        paused = self.tr("The account is paused. Once approved, this is sent when you resume it.")
        return self._why(account_id, offline, login, paused)

    def waiting(self, account_id: AccountId) -> str:
        """Why a letter in the outbox waits, or would once it is sent."""
        offline = self.tr("You're offline. This is sent when you're back online.")
        login = self.tr("You're signed out. This is sent after you sign in again.")
        paused = self.tr("The account is paused. This is sent when you resume it.")
        return self._why(account_id, offline, login, paused)

    def undone(self, account_id: AccountId) -> str:
        """Why a change other than a letter waits."""
        offline = self.tr("You're offline. This is done when you're back online.")
        login = self.tr("You're signed out. This is done after you sign in again.")
        paused = self.tr("The account is paused. This is done when you resume it.")
        return self._why(account_id, offline, login, paused)

    def _why(self, account_id: AccountId, offline: str, login: str, paused: str) -> str:
        words = {ConnectionState.OFFLINE: offline, ConnectionState.LOGIN_NEEDED: login, ConnectionState.PAUSED: paused}
        return words.get(self._states.get(account_id, ConnectionState.ONLINE), "")


class ConnectionNote(RoleFrame):
    """One line that says why a letter would wait. Hidden otherwise."""

    def __init__(self, icons: Icons) -> None:
        super().__init__("notice")
        self.status = ConnectionStatus(self)
        self._account: AccountId | None = None
        self._icon = IconLabel(icons, size=16)
        self._words = label("", wrap=True)
        row(self, (Space.MEDIUM, Space.TIGHT), Space.SMALL, self._icon, (self._words, 1))
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def about(self, account_id: AccountId | None) -> None:
        """Sets the account of the letter on screen; None for no letter."""
        self._account = account_id
        words = ""
        if account_id is not None:
            words = self.status.waiting(account_id)
            self._icon.show_icon(self.status.icon(account_id), "neutral")
        if words and words != self.words:
            announce(self, words)
        self._words.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))

    def hear(self, event: ConnectionChanged) -> None:
        self.status.hear(event)
        self.about(self._account)


def notice_line(icon: IconLabel, words: QWidget, tone: str = "") -> QFrame:
    """Makes a notice on one line with icon and tinted background."""
    made = RoleFrame("notice", tone)
    row(made, (Space.MEDIUM, Space.TIGHT), Space.SMALL, icon, (words, 1))
    return made
