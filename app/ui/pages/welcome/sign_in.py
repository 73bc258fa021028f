"""The screen shown while Google's page waits in the browser: its link, how long it waits, and what to do if no browser came."""

import time
from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit

from app.domain.protocol.events import SignInOpened
from app.ui.context import Context
from app.ui.pages.welcome.screens import Screen
from app.ui.theme.metrics import Type
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import button, label, say
from app.ui.widgets.hints import announce

TICK_MS = 1000


class SignInScreen(Screen):
    """Shows the link once the engine has told it. `cancel` ends the sign-in."""

    def __init__(self, context: Context, cancel: Callable[[], object]) -> None:
        super().__init__(
            self.tr("Sign in with your browser"),
            self.tr("Finish signing in in your browser. Replyroom continues here automatically."),
        )
        self._context = context
        self._ends_at = 0.0
        self.address = QLineEdit(readOnly=True)
        self.address.setAccessibleName(self.tr("Sign-in link"))
        self.copy = button(self.tr("Copy link"), "primary", self._copy)
        self.again = button(self.tr("Open again"), "", self._open)
        self.cancel = button(self.tr("Cancel"), "", cancel)
        self.note = label("", Type.BODY, "soft", wrap=True)
        self.left = label("", Type.CAPTION, "soft")
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._count)
        self.lines.addWidget(self.note)
        self.lines.addWidget(self.address)
        self.lines.addWidget(FlowRow((self.copy, self.again, self.cancel)))
        self.lines.addWidget(self.left)
        self.begin()

    def begin(self) -> None:
        """Clears the link of an earlier sign-in."""
        self._timer.stop()
        self.address.clear()
        for part in (self.address, self.copy, self.again):
            part.hide()
        self.left.setText("")
        say(self.note, self.tr("Opening your browser…"), "soft")
        self.start = self.cancel

    def show_link(self, event: SignInOpened) -> None:
        self.address.setText(event.address)
        self.address.setCursorPosition(0)
        for part in (self.address, self.copy, self.again):
            part.show()
        if event.opened:
            say(self.note, self.tr("Nothing opened? Copy the link and open it in a browser on this computer."), "soft")
        else:
            self._say_no_browser()
        self._ends_at = time.monotonic() + event.wait_s
        self._timer.start()
        self._count()
        self.start = self.copy
        if self.isVisible():
            self.copy.setFocus()

    def _say_no_browser(self) -> None:
        words = self.tr("No browser opened. Copy the link and open it in a browser on this computer.")
        say(self.note, words, "warning")
        announce(self, words, urgent=True)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.address.text())
        say(self.note, self.tr("Link copied. Open it in a browser on this computer."), "positive")

    def _open(self) -> None:
        if self._context.open_link(self.address.text()) is False:
            self._say_no_browser()

    def _count(self) -> None:
        left_s = max(0, round(self._ends_at - time.monotonic()))
        time_words = f"{left_s // 60}:{left_s % 60:02}"
        self.left.setText(self.tr("The link works for another %1 minutes.").replace("%1", time_words))
        if not left_s:
            self._timer.stop()
