"""Menus of times to snooze or be reminded, and a dialog for any other. Times are in the owner's zone; past times are left out."""

from collections.abc import Callable
from datetime import datetime, time, timedelta

from PySide6.QtCore import QCoreApplication, QDateTime, Qt
from PySide6.QtWidgets import QDateTimeEdit, QDialog, QMenu, QWidget

from app.ui.theme.metrics import Space, Type
from app.ui.widgets.context_menu import TimeMenu
from app.ui.widgets.factory import STRETCH, button, column, label, row

MORNING = time(8, 0)
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
        (QCoreApplication.translate("Snooze", "At the weekend"), at(weekend, MORNING)),
        (QCoreApplication.translate("Snooze", "Next week"), at(7 - now.weekday(), MORNING)),
    ]
    first = {moment: words for words, moment in reversed(found) if moment > now}
    return [(words, moment) for moment, words in sorted(first.items())]


def reminder_menu(now: datetime, chosen: Callable[[datetime | None], object], parent: QWidget, chosen_before: bool) -> QMenu:
    """Returns the menu of times by which a reply is expected. With `chosen_before` it also offers none."""
    local, name = now.astimezone(), QCoreApplication.translate("Snooze", "Remind me if no reply by")
    times = [(words, at) for words, at in usual_times(local) if at - local >= timedelta(hours=12)]
    in_days = datetime.combine(local.date() + timedelta(days=3), MORNING).astimezone()
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
        self.field = QDateTimeEdit(QDateTime.fromSecsSinceEpoch(int((now + timedelta(days=1)).timestamp())))
        self.field.setMinimumDateTime(QDateTime.fromSecsSinceEpoch(int(now.timestamp()) + 60))
        self.field.setCalendarPopup(True)
        self.field.setAccessibleName(title)
        snooze = button(self.tr("Remind me") if reminds else self.tr("Snooze"), "primary", self.take)
        snooze.setDefault(True)  # so that Return in the field accepts
        buttons = row(None, 0, Space.SMALL, STRETCH, button(self.tr("Cancel"), "", self.reject), snooze)
        column(self, Space.LARGE, Space.MEDIUM, label(title, Type.STRONG), self.field, buttons)

    def take(self) -> None:
        self.accept()
        self._chosen(datetime.fromtimestamp(self.field.dateTime().toSecsSinceEpoch()).astimezone())
