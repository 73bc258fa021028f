"""The tray icon, where the desktop has a tray: closing the window then hides it, and what waits is announced."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from app.domain.events import Event, ReviewReady
from app.domain.ports.window import EngineLink
from app.ui.main_window import MainWindow
from app.ui.throttle import Throttle

QUIET_MS = 60_000


def make_tray(window: MainWindow, app: QApplication, link: EngineLink) -> QSystemTrayIcon | None:
    """An icon with a way back to the window and a way out; None where there is no tray."""
    if not QSystemTrayIcon.isSystemTrayAvailable():
        return None
    actions = window.actions_by_id
    tray = QSystemTrayIcon(actions["window.review"].icon(), app)
    tray.setToolTip("Replyroom")
    menu = QMenu(window)
    menu.addAction(window.windowTitle(), window.come_forward)
    menu.addSeparator()
    for name in ("window.sync", "window.pause", "window.quit"):
        menu.addAction(actions[name])
    tray.setContextMenu(menu)
    tray.activated.connect(lambda reason: _activated(reason, window))
    tray.messageClicked.connect(window.come_forward)
    announcing = Throttle(lambda: announce(tray), QUIET_MS, tray)
    link.subscribe(lambda event: announcing.poke() if wants_word(event, window) else None)
    tray.show()
    return tray


def wants_word(event: Event, window: MainWindow) -> bool:
    """Whether an event is worth a word on the desktop: something waits, and the window is not looked at."""
    return isinstance(event, ReviewReady) and not (window.isVisible() and window.isActiveWindow())


def announce(tray: QSystemTrayIcon) -> None:
    """One message for all that came within the minute; no mail text."""
    words = QCoreApplication.translate("Tray", "Something waits for your word.")
    tray.showMessage("Replyroom", words, tray.icon())


def _activated(reason: QSystemTrayIcon.ActivationReason, window: MainWindow) -> None:
    """A click brings the window back."""
    if reason is QSystemTrayIcon.ActivationReason.Trigger:
        window.come_forward()
