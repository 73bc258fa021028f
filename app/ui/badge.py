"""How much is unread and how much waits, where the program is seen without its window: on its icon in the dock or taskbar, in the
window's title there, and at the tray icon. Refuses to say more than numbers."""

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter
from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from app.ui.text import number_words

NAME = "Replyroom"
SIZES = (16, 22, 32, 64)
DOT = 0.45
"""How much of the icon the dot covers, side by side."""


class Badge(QObject):
    """`show_counts` with every count; a count that is the same as before changes nothing."""

    def __init__(self, app: QGuiApplication, tray: QSystemTrayIcon | None, colour: QColor, window: QWidget | None = None) -> None:
        super().__init__(app)
        self._window = window
        self._app, self._tray, self._colour = app, tray, colour
        self._plain = tray.icon() if tray is not None else QIcon()
        self._shown = (0, 0, 0)

    def show_counts(self, unread: int, waiting: int, stuck: int) -> None:
        """Conversations of the inbox that are unread, reviews that wait, and what in the outbox is held or not confirmed."""
        if (unread, waiting, stuck) == self._shown:
            return
        self._shown = (unread, waiting, stuck)
        self._app.setBadgeNumber(unread)
        if self._window is not None:
            self._window.setWindowTitle(title_words(unread))
        if self._tray is not None:
            self._tray.setToolTip(counts_words(unread, waiting, stuck))
            self._tray.setIcon(dotted(self._plain, self._colour) if any(self._shown) else self._plain)


def title_words(unread: int) -> str:
    """What the window is called: for desktops that show no badges, the number stands before its name."""
    return f"({number_words(unread)}) {NAME}" if unread else NAME


def counts_words(unread: int, waiting: int, stuck: int) -> str:
    """What the tray icon says of itself."""
    parts = [NAME]
    if unread:
        parts.append(QCoreApplication.translate("Tray", "unread: %1").replace("%1", number_words(unread)))
    if waiting:
        parts.append(QCoreApplication.translate("Tray", "waiting for you: %1").replace("%1", number_words(waiting)))
    if stuck:
        words = QCoreApplication.translate("Tray", "held or not confirmed in the Outbox: %1")
        parts.append(words.replace("%1", number_words(stuck)))
    return "\n".join(parts)


def dotted(icon: QIcon, colour: QColor) -> QIcon:
    """The icon with a dot in its corner."""
    made = QIcon()
    for size in SIZES:
        picture = icon.pixmap(size, size)
        if picture.isNull():
            continue
        side = picture.width() / picture.devicePixelRatio()
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(colour)
        painter.setPen(QColor(0, 0, 0, 0))
        painter.drawEllipse(round(side * (1 - DOT)), 0, round(side * DOT), round(side * DOT))
        painter.end()
        made.addPixmap(picture)
    return made
