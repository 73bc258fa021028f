"""Banners over the whole window: an account is signed out; this is the sample mailbox."""

from collections.abc import Callable

from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QFrame

from app.domain.protocol.events import SignInOpened
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import action_button, button, label, row
from app.ui.widgets.hints import announce
from app.ui.widgets.labels import IconLabel


class SignInBanner(QFrame):
    """Hidden unless `ask` was called. `cancel` ends a sign-in that waits at the browser."""

    def __init__(self, icons: Icons, sign_in: QAction, cancel: Callable[[], object]) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("tone", "danger")
        self._address = ""
        icon = IconLabel(icons)
        icon.show_icon("sign_in", "danger")
        self._words = label("", Type.STRONG, wrap=True)
        self.sign_in = action_button(sign_in, "primary")
        self.copy = button(self.tr("Copy link"), "", lambda: QGuiApplication.clipboard().setText(self._address))
        self.cancel = button(self.tr("Cancel"), "", cancel)
        row(self, (Space.MEDIUM, Space.SMALL), Space.SMALL, icon, (self._words, 1), self.copy, self.cancel, self.sign_in)
        self.hide()

    @property
    def words(self) -> str:
        return self._words.text()

    def ask(self, email: str) -> None:
        """Asks for a new sign-in of this account; an empty address hides the banner."""
        words = self.tr("%1 is signed out. No mail is sent or received until you sign in again.").replace("%1", email)
        self._show(words if email else "", waits=False)

    def wait(self) -> None:
        """Says that Google's page waits in the browser."""
        self._address = ""
        self._show(self.tr("Finish signing in in your browser."), waits=True)

    def show_link(self, event: SignInOpened) -> None:
        """Offers the link of the sign-in that waits, if this banner started it."""
        if self.cancel.isHidden():
            return
        self._address = event.address
        self.copy.show()
        if not event.opened:
            self._words.setText(self.tr("No browser opened. Copy the link and open it in a browser on this computer."))

    def _show(self, words: str, *, waits: bool) -> None:
        if words and words != self.words:
            announce(self, words, urgent=True)
        self._words.setText(words)
        self.setAccessibleName(words)
        self.copy.setVisible(waits and bool(self._address))
        self.cancel.setVisible(waits)
        self.setVisible(bool(words))


class SampleStrip(QFrame):
    """Says that this is the sample mailbox. `connect` leaves it for the user's own Gmail."""

    def __init__(self, icons: Icons, connect: Callable[[], object]) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("tone", "warning")
        icon = IconLabel(icons)
        icon.show_icon("sample", "warning")
        self.words = label(self.tr("Sample mailbox. Nothing is sent."), Type.STRONG)
        self.connect_gmail = button(self.tr("Connect my Gmail"), "primary", connect)
        row(self, (Space.MEDIUM, Space.TIGHT), Space.SMALL, icon, (self.words, 1), self.connect_gmail)
