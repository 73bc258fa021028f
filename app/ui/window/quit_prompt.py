"""Asks before quitting while approved mail is about to leave. Either way the mail stays in the outbox.

Mail that is scheduled for later is not asked about: it waits for the next start.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from app.domain.errors import ExpectedError
from app.domain.mail.outbox import OutboxItem, OutboxKind, OutboxState
from app.domain.ports.agents import Clock
from app.domain.ports.window import EngineLink, MailboxReader
from app.domain.protocol.commands import SendNow
from app.domain.protocol.events import OutboxChanged
from app.domain.wire import Event

SOON = timedelta(minutes=10)
"""Mail due within this time counts as on its way."""

UNDER_WAY = frozenset({OutboxState.QUEUED, OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.SENDING})


class QuitPrompt(QObject):
    """The dialog before the program ends. Call `ask`; it calls `go` when the program may end."""

    def __init__(self, window: QWidget, reader: MailboxReader, link: EngineLink, clock: Clock) -> None:
        super().__init__(window)
        self._window = window
        self._reader = reader
        self._link = link
        self._clock = clock
        self._go: Callable[[], object] | None = None
        self.box: QMessageBox | None = None
        self._unsubscribe = link.subscribe(self._hear)

    def ask(self, go: Callable[[], object]) -> None:
        """Calls `go` at once if no mail is on its way. Otherwise opens the dialog. A second call while the dialog is open calls
        `go`.
        """
        waiting = self.on_their_way()
        if not waiting or self.box is not None:
            go()
            return
        self._window.show()
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Quit"), "", parent=self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("%n approved email(s) not sent yet.", "", len(waiting)))
        box.setInformativeText(self.tr("They can go out before Replyroom ends, or wait safely for the next start."))
        first = box.addButton(self.tr("Send, then quit"), QMessageBox.ButtonRole.AcceptRole)
        now = box.addButton(self.tr("Quit now"), QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton(self.tr("Stay"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(first)
        box.setEscapeButton(stay)
        box.finished.connect(lambda _result: self._answered(box.clickedButton() is first, box.clickedButton() is now, go))
        self.box = box
        box.open()

    def on_their_way(self) -> list[OutboxItem]:
        """Mails that are being sent or due soon. Empty while the database cannot be read, since nothing is sent then either."""
        soon = self._clock() + SOON
        items: tuple[OutboxItem, ...] = ()
        with suppress(ExpectedError):
            items = self._reader.open_items()
        return [one for one in items if one.kind is OutboxKind.SEND and one.state in UNDER_WAY and one.not_before <= soon]

    def _answered(self, send_first: bool, leave_now: bool, go: Callable[[], object]) -> None:
        if self.box is not None:
            self.box.deleteLater()
            self.box = None
        self._go = go if send_first else None  # a new answer replaces an earlier "send, then quit"
        if leave_now:
            go()
        elif send_first:
            for item in self.on_their_way():
                if item.state is OutboxState.QUEUED:
                    self._link.send(SendNow(item.id))
            self._leave_when_sent()

    def _hear(self, event: Event) -> None:
        if isinstance(event, OutboxChanged):
            self._leave_when_sent()

    def _leave_when_sent(self) -> None:
        if self._go is not None and not self.on_their_way():
            go, self._go = self._go, None
            go()
