"""Menus of times: to send later, to snooze, to be reminded; each with a field for any other time. Past times are left out."""

from collections.abc import Callable
from datetime import datetime, time, timedelta

from PySide6.QtCore import QCoreApplication, QDateTime, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDateTimeEdit, QDialog, QMenu, QWidget

from app.ui.theme.metrics import Space, Type
from app.ui.widgets.context_menu import TimeMenu
from app.ui.widgets.factory import ENTER, STRETCH, RoleFrame, button, column, label, named, row

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


class SendLaterBar(RoleFrame):
    """Asks for a time. Emits `chosen` with Unix milliseconds (an object, since they exceed Qt's `int`). `closed` is called when
    it was cancelled.
    """

    chosen = Signal(object)

    def __init__(self, closed: Callable[[], object]) -> None:
        super().__init__("notice")
        self._closed = closed
        self.field = named(QDateTimeEdit(), self.tr("Send at"))
        self.field.setCalendarPopup(True)
        row(
            self,
            (Space.MEDIUM, Space.SMALL, Space.SMALL, Space.SMALL),
            Space.SMALL,
            label(self.tr("Send at")),
            self.field,
            button(self.tr("Schedule"), "primary", self._choose),
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


EVENING = time(18, 0)
SATURDAY = 5


def usual_times(now: datetime) -> list[tuple[str, datetime]]:
    """Returns labels and times (aware, in the zone of `now`), soonest first, without duplicates."""

    def at(days: int, moment: time) -> datetime:
        return datetime.combine(now.date() + timedelta(days=days), moment, now.tzinfo)

    weekend = (SATURDAY - now.weekday()) % 7 or 7
    found = [
        (QCoreApplication.translate("Snooze", "In three hours"), (now + timedelta(hours=3)).replace(second=0, microsecond=0)),
        (QCoreApplication.translate("Snooze", "This evening"), at(0, EVENING)),
        (QCoreApplication.translate("Snooze", "Tomorrow morning"), at(1, MORNING)),
        (QCoreApplication.translate("Snooze", "This weekend"), at(weekend, MORNING)),
        (QCoreApplication.translate("Snooze", "Next week"), at(7 - now.weekday(), MORNING)),
    ]
    first = {moment: words for words, moment in reversed(found) if moment > now}
    return [(words, moment) for moment, words in sorted(first.items())]


def reminder_menu(now: datetime, chosen: Callable[[datetime | None], object], parent: QWidget, chosen_before: bool) -> QMenu:
    """Returns the menu of times by which a reply is expected. With `chosen_before` it also offers none."""
    local, name = now.astimezone(), QCoreApplication.translate("Snooze", "Remind me if no reply by")
    times = [(words, at) for words, at in usual_times(local) if at - local >= timedelta(hours=12)]
    in_days = datetime.combine(local.date() + timedelta(days=3), MORNING).astimezone()
    if all(at != in_days for _words, at in times):
        times = sorted([*times, (QCoreApplication.translate("Snooze", "In three days"), in_days)], key=lambda one: one[1])
    menu = TimeMenu(name, now, times, chosen, lambda: SnoozeDialog(local, chosen, parent, name).open(), parent)
    if chosen_before:
        menu.addAction(QCoreApplication.translate("Snooze", "No reminder"), lambda: chosen(None))
    return menu


def snooze_menu(now: datetime, chosen: Callable[[datetime], None], parent: QWidget) -> QMenu:
    """Returns the menu. `now` is aware."""
    local, name = now.astimezone(), QCoreApplication.translate("Snooze", "Snooze")
    return TimeMenu(name, now, usual_times(local), chosen, lambda: SnoozeDialog(local, chosen, parent).open(), parent)


class SnoozeDialog(QDialog):
    """Asks for a time. With `reminds` it is the time of a reminder with this title."""

    def __init__(self, now: datetime, chosen: Callable[[datetime], object], parent: QWidget, reminds: str = "") -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._chosen = chosen
        title = reminds or self.tr("Snooze until")
        self.setWindowTitle(title)
        self.field = named(QDateTimeEdit(QDateTime.fromSecsSinceEpoch(int((now + timedelta(days=1)).timestamp()))), title)
        self.field.setMinimumDateTime(QDateTime.fromSecsSinceEpoch(int(now.timestamp()) + 60))
        self.field.setCalendarPopup(True)
        snooze = button(self.tr("Remind me") if reminds else self.tr("Snooze"), "primary", self.take)
        snooze.setDefault(True)  # so that Return in the field accepts
        buttons = row(None, 0, Space.SMALL, STRETCH, button(self.tr("Cancel"), "", self.reject), snooze)
        column(self, Space.LARGE, Space.MEDIUM, label(title, Type.STRONG), self.field, buttons)

    def take(self) -> None:
        self.accept()
        self._chosen(datetime.fromtimestamp(self.field.dateTime().toSecsSinceEpoch()).astimezone())
