"""Where the window opens: in its stored place, inside the part of a screen that panels leave free."""

from PySide6.QtCore import QByteArray, QPoint, QRect, QSize
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

USUAL = QSize(1280, 820)
TITLE_BAR, BORDER = 32, 4
"""Pixels kept for the window's frame, whose size is known only once the window is shown."""


def place_window(window: QWidget, stored: object) -> None:
    """Restores the stored geometry, or centres a window of the usual size. Either way the whole window is on one screen."""
    if not isinstance(stored, QByteArray) or not window.restoreGeometry(stored):
        free = _free(QGuiApplication.primaryScreen())
        size = USUAL.boundedTo(free.size())
        window.setGeometry(QRect(free.center() - QPoint(size.width() // 2, size.height() // 2), size))
    if not (window.isMaximized() or window.isFullScreen()):
        window.setGeometry(fitted(window.geometry(), _free(_screen_of(window.geometry()))))


def fitted(wanted: QRect, free: QRect) -> QRect:
    """The rectangle made no larger than `free` and moved into it."""
    size = wanted.size().boundedTo(free.size())
    left = max(free.left(), min(wanted.left(), free.right() + 1 - size.width()))
    top = max(free.top(), min(wanted.top(), free.bottom() + 1 - size.height()))
    return QRect(QPoint(left, top), size)


def _free(screen: QScreen) -> QRect:
    return screen.availableGeometry().adjusted(BORDER, TITLE_BAR, -BORDER, -BORDER)


def _screen_of(place: QRect) -> QScreen:
    """The screen that holds most of a place, the primary one if none does."""

    def shared(screen: QScreen) -> int:
        common = screen.availableGeometry().intersected(place)
        return max(0, common.width()) * max(0, common.height())

    best = max(QGuiApplication.screens(), key=shared)
    return best if shared(best) else QGuiApplication.primaryScreen()
