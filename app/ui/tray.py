"""The tray icon, where the desktop has a tray: closing the window then hides it, and new drafts are announced."""

from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from app.ui.main_window import MainWindow


def make_tray(window: MainWindow, app: QApplication) -> QSystemTrayIcon | None:
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
    tray.show()
    return tray


def _activated(reason: QSystemTrayIcon.ActivationReason, window: MainWindow) -> None:
    """A click brings the window back."""
    if reason is QSystemTrayIcon.ActivationReason.Trigger:
        window.come_forward()
