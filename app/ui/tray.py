"""The tray icon, where the desktop has a tray: closing the window then hides it, and what waits is announced.

Refuses to speak in quiet hours, and to show words of a mail at any time.
"""

from collections.abc import Callable
from contextlib import suppress
from enum import Enum

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from app.config.settings import Settings
from app.domain.errors import ExpectedError
from app.domain.events import ConnectionChanged, ConnectionState, Event, OutboxChanged, ReviewReady
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
    waiting: set[News] = set()
    announcing = Throttle(lambda: announce(tray, waiting), QUIET_MS, tray)

    def hear(event: Event) -> None:
        found = news(event, reader)
        wish = settings()
        if (
            found is not None
            and not looked_at(window)
            and welcome(clock().astimezone(), wish.notifications, wish.calendar.weekdays)
        ):
            waiting.add(found)
            announcing.poke()

    link.subscribe(hear)
    tray.show()
    return tray


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
            held = {row.item.id for row in reader.outbox() if row.item.state is OutboxState.HELD}
            return News.STOPPED if held & set(event.ids) else None
    return None


def announce(tray: QSystemTrayIcon, waiting: set[News]) -> None:
    """One message for all that came within the minute, about the weightiest; no mail text."""
    found = next((one for one in reversed(News) if one in waiting), News.REVIEW)
    waiting.clear()
    words = {
        News.REVIEW: QCoreApplication.translate("Tray", "Something waits for your word."),
        News.SIGN_IN: QCoreApplication.translate("Tray", "Google wants you to sign in again."),
        News.STOPPED: QCoreApplication.translate("Tray", "Something was held back and waits for you in the Outbox."),
    }
    tray.showMessage("Replyroom", words[found], tray.icon())


def _activated(reason: QSystemTrayIcon.ActivationReason, window: MainWindow) -> None:
    """A click brings the window back."""
    if reason is QSystemTrayIcon.ActivationReason.Trigger:
        window.come_forward()
