"""Send later: suggested times, or any time within a year."""

from collections.abc import Callable
from datetime import datetime, time, timedelta

from PySide6.QtCore import QCoreApplication, QDateTime, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDateTimeEdit, QFrame, QMenu, QWidget

from app.ui.theme.metrics import Space
from app.ui.widgets.buttons import ENTER
from app.ui.widgets.context_menu import TimeMenu
from app.ui.widgets.factory import STRETCH, button, label, row

LATER_FROM_MS = 310_000
"""Longer than any undo delay: mail that waits longer has a chosen time."""
MORNING = time(8, 0)
AFTERNOON = time(13, 0)


def choices(now: datetime) -> list[tuple[str, datetime]]:
    """Suggested times with their names, aware and local. This afternoon only before 12:30."""
    local = now.astimezone()
    to_monday = 7 - local.weekday()
    found = [
        (QCoreApplication.translate("Later", "This afternoon"), _at(local, 0, AFTERNOON), local.time() < time(12, 30)),
        (QCoreApplication.translate("Later", "Tomorrow morning"), _at(local, 1, MORNING), True),
        (QCoreApplication.translate("Later", "Tomorrow afternoon"), _at(local, 1, AFTERNOON), True),
        (QCoreApplication.translate("Later", "Monday morning"), _at(local, to_monday, MORNING), to_monday > 1),
    ]
    return [(words, at) for words, at, offered in found if offered]


class SendLaterBar(QFrame):
    """Asks for a time. Emits `chosen` with Unix milliseconds (an object, since they exceed Qt's `int`). `closed` is called when
    it was cancelled.
    """

    chosen = Signal(object)

    def __init__(self, closed: Callable[[], object]) -> None:
        super().__init__()
        self._closed = closed
        self.setProperty("role", "notice")
        self.field = QDateTimeEdit()
        self.field.setCalendarPopup(True)
        self.field.setAccessibleName(self.tr("Send at"))
        row(
            self,
            (Space.MEDIUM, Space.SMALL, Space.SMALL, Space.SMALL),
            Space.SMALL,
            label(self.tr("Send at")),
            self.field,
            button(self.tr("Send then"), "primary", self._choose),
            button(self.tr("Cancel"), "link", self.close_bar),
            STRETCH,
        )
        self.hide()

    def ask(self, now: datetime) -> None:
        """Shows the bar with tomorrow morning. Does nothing if its page was hidden while the menu was open."""
        around = self.parentWidget()
        if around is None or around.isVisible():
            start = QDateTime.fromMSecsSinceEpoch(int(now.timestamp() * 1000))
            self.field.setDateTimeRange(start, start.addDays(365))
            tomorrow = _at(now.astimezone(), 1, MORNING)
            self.field.setDateTime(QDateTime.fromMSecsSinceEpoch(int(tomorrow.timestamp() * 1000)))
            self.show()
            self.field.setFocus()

    def close_bar(self) -> None:
        self.hide()
        self._closed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and not event.isAutoRepeat() and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self._choose()
            return
        super().keyPressEvent(event)

    def _choose(self) -> None:
        self.hide()
        self.chosen.emit(self.field.dateTime().toMSecsSinceEpoch())


def later_menu(parent: QWidget, now: datetime, send_at: Callable[[int], object], ask: Callable[[], object]) -> QMenu:
    """Makes the menu of times; its last entry calls `ask`."""
    name = QCoreApplication.translate("Later", "Send at")
    return TimeMenu(name, now, choices(now), lambda at: send_at(int(at.timestamp() * 1000)), ask, parent)


def _at(local: datetime, days: int, hour: time) -> datetime:
    """A wall-clock time some days later, in the machine's time zone."""
    day = local.date() + timedelta(days=days)
    return datetime.combine(day, hour).astimezone()
