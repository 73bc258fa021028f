"""The tray icon, where the desktop has a tray: closing the window then hides it, and what waits is announced.

Refuses to speak in quiet hours, and to show words of a mail at any time. That it is not known whether a letter was sent is said
after them, if it is still not known.
"""

from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from app.config.settings import Settings
from app.domain.errors import ExpectedError
from app.domain.events import ConnectionChanged, ConnectionState, Event, OutboxChanged, ReviewReady
from app.domain.ids import OutboxId
from app.domain.outbox import OutboxState
from app.domain.ports.agents import Clock
from app.domain.ports.window import EngineLink, MailboxReader
from app.ui.main_window import MainWindow
from app.ui.quiet import welcome
from app.ui.throttle import Throttle

QUIET_MS = 60_000


class News(Enum):
    """What is worth a word, the weightiest last."""

    REVIEW = "review"
    SIGN_IN = "sign_in"
    STOPPED = "stopped"
    UNCERTAIN = "uncertain"


def make_tray(
    window: MainWindow, app: QApplication, link: EngineLink, reader: MailboxReader, settings: Callable[[], Settings], clock: Clock
) -> QSystemTrayIcon | None:
    """An icon with a way back to the window and a way out; None where there is no tray."""
    if not QSystemTrayIcon.isSystemTrayAvailable():
        return None
    actions = window.actions_by_id
    tray = QSystemTrayIcon(actions["window.review"].icon(), app)
    tray.setToolTip("Replyroom")
    menu = QMenu(window)
    menu.addAction(window.windowTitle(), window.come_forward)
    menu.addSeparator()
    for name in ("window.compose", "window.sync", "window.pause", "window.quit"):
        menu.addAction(actions[name])
    tray.setContextMenu(menu)
    tray.activated.connect(lambda reason: _activated(reason, window))
    tray.messageClicked.connect(window.come_forward)

    def welcome_now() -> bool:
        wish = settings()
        return welcome(clock().astimezone(), wish.notifications, wish.calendar.weekdays)

    herald = Herald(partial(announce, tray), reader, lambda: looked_at(window), welcome_now, tray)
    app.applicationStateChanged.connect(herald.follow)
    link.subscribe(herald.hear)
    tray.show()
    return tray


def ends_when_closed(tray: QSystemTrayIcon | None, settings: Settings) -> bool:
    """Whether the program ends with its window: where there is no tray to go on in, or the user wants it so."""
    return tray is None or not settings.notifications.in_tray


class Herald(QObject):
    """Collects what is worth a word while nobody looks, and has it said at most once a minute. Whoever looked meanwhile has seen
    it. `say` empties what it is given."""

    def __init__(
        self,
        say: Callable[[set[News]], None],
        reader: MailboxReader,
        looked_at: Callable[[], bool],
        welcome: Callable[[], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._reader, self._looked_at, self._welcome = reader, looked_at, welcome
        self._waiting: set[News] = set()
        self._doubts: set[OutboxId] = set()
        """What may have been sent, and was neither said nor seen yet."""
        self._said: set[OutboxId] = set()
        self._saying = Throttle(lambda: say(self._waiting), QUIET_MS, self)

    def hear(self, event: Event) -> None:
        """Say it, soon, if it is worth it."""
        if self._looked_at():
            return
        if isinstance(event, OutboxChanged):
            self._doubts.update(event.ids)
        found = news(event, self._reader)
        if (found is not None or self._doubts) and self._welcome():
            self._say_soon(found)

    def _say_soon(self, found: News | None) -> None:
        """With it what came in quiet hours and is still in doubt; each doubt is told of once."""
        if self._doubts:
            with suppress(ExpectedError):  # asked again with the next event
                unclear = in_state(self._reader, OutboxState.UNCERTAIN)
                doubts, self._doubts = self._doubts & unclear - self._said, set()
                self._said = self._said & unclear | doubts
                self._waiting |= {News.UNCERTAIN} if doubts else set()
                if not unclear:
                    self._waiting.discard(News.UNCERTAIN)
        self._waiting |= {found} if found is not None else set()
        if self._waiting:
            self._saying.poke()

    def follow(self, state: Qt.ApplicationState) -> None:
        """The program came to the front: what waited to be said is seen."""
        if state is Qt.ApplicationState.ApplicationActive:
            self._waiting.clear()
            self._doubts.clear()
            self._saying.cancel()


def looked_at(window: MainWindow) -> bool:
    """Whether the user sees the window anyway."""
    return window.isVisible() and window.isActiveWindow()


def news(event: Event, reader: MailboxReader) -> News | None:
    """What an event is worth a word for: a draft or question waits, a send was stopped, a sign-in ended."""
    if isinstance(event, ReviewReady):
        return News.REVIEW
    if isinstance(event, ConnectionChanged) and event.state is ConnectionState.LOGIN_NEEDED:
        return News.SIGN_IN
    if isinstance(event, OutboxChanged):
        with suppress(ExpectedError):  # a file that cannot be read now is told by the pages
            return News.STOPPED if in_state(reader, OutboxState.HELD) & set(event.ids) else None
    return None


def in_state(reader: MailboxReader, state: OutboxState) -> set[OutboxId]:
    """What may still leave and is in a state. Raises `ExpectedError` while the file cannot be read."""
    return {item.id for item in reader.open_items() if item.state is state}


def announce(tray: QSystemTrayIcon, waiting: set[News]) -> None:
    """One message for all that came within the minute, about the weightiest; no mail text."""
    found = next((one for one in reversed(News) if one in waiting), News.REVIEW)
    waiting.clear()
    words = {
        News.REVIEW: QCoreApplication.translate("Tray", "Something waits for your word."),
        News.SIGN_IN: QCoreApplication.translate("Tray", "Google wants you to sign in again."),
        News.STOPPED: QCoreApplication.translate("Tray", "Something was held back and waits for you in the Outbox."),
        News.UNCERTAIN: QCoreApplication.translate(
            "Tray", "It is not known yet whether a letter was sent. Gmail is asked, and it is not sent again; see the Outbox."
        ),
    }
    tray.showMessage("Replyroom", words[found], tray.icon())


def _activated(reason: QSystemTrayIcon.ActivationReason, window: MainWindow) -> None:
    """A click brings the window back."""
    if reason is QSystemTrayIcon.ActivationReason.Trigger:
        window.come_forward()
