"""Menus that close with their page, and menus of times.

A page may change while a menu is open. Times are to send later, to snooze and to be reminded, each with a field for any other
time; past times are left out.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta
from functools import partial
from operator import itemgetter

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QCalendarWidget, QDateTimeEdit, QLineEdit, QMenu, QWidget, QWidgetAction

from app.ui.i18n.formatting import when_long
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import Dialog
from app.ui.widgets.factory import ENTER, STRETCH, QuestionBar, button, column, label, named, row
from app.ui.widgets.split_view import first_control


class PageMenu(QMenu):
    """A menu for one use. It is closed when `page` is hidden, and deleted when closed. For a page with a native window its parent
    is the top-level window, as X11 needs.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__(page.window() if page.testAttribute(Qt.WidgetAttribute.WA_NativeWindow) else page)
        page.installEventFilter(self)
        self.aboutToHide.connect(self.deleteLater)

    def event(self, event: QEvent) -> bool:
        """Keeps letters for the menu's entries: on the page they would be shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Returns the focus to the page where Qt did not. Qt does not if the earlier focus widget has gone meanwhile."""
        super().hideEvent(event)
        page, held = self.parentWidget(), QApplication.focusWidget()
        inside = held is self or (held is not None and self.isAncestorOf(held))
        if page is not None and page.isVisible() and inside:
            first_control(page).setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Hide:
            self.close()
        return super().eventFilter(watched, event)


class TimeMenu(PageMenu):
    """A menu of times with a line on top where any time can be typed in words.

    Enter takes the time that the typed words name, else the first suggestion left. `other` asks for any other time.
    """

    def __init__(
        self,
        name: str,
        now: datetime,
        choices: Sequence[tuple[str, datetime]],
        chosen: Callable[[datetime], object],
        other: Callable[[], object],
        page: QWidget,
    ) -> None:
        super().__init__(page)
        self.setAccessibleName(name)
        self._now = now.astimezone()
        self._at: datetime | None = None
        self._choices: list[tuple[str, QAction]] = []
        self.line = named(QLineEdit(), name)
        self.line.setPlaceholderText(self.tr("tomorrow, Tue 3pm, in 2 hours…"))
        self.line.setMinimumWidth(self.line.fontMetrics().horizontalAdvance(self.line.placeholderText()) + 2 * Space.LARGE)
        around, holder = QWidget(), QWidgetAction(self)
        column(around, Space.SMALL, 0, self.line)
        holder.setText(name)
        holder.setDefaultWidget(around)
        self._typed = QAction(self)
        self._typed.triggered.connect(lambda: chosen(self._at) if self._at is not None else None)
        self._typed.setVisible(False)
        self.addActions([holder, self._typed])
        for words, at in choices:
            self._choices.append((words, self.addAction(f"{words}\t{when_long(at)}", partial(chosen, at))))
        self.addSeparator()
        self.addAction(QCoreApplication.translate("Snooze", "Pick date and time…"), other)
        self.line.textChanged.connect(self._follow)
        self.line.returnPressed.connect(self._accept)
        self.aboutToShow.connect(lambda: QTimer.singleShot(0, self.line, self.line.setFocus))

    def _follow(self, text: str) -> None:
        """Shows the time that is meant above the suggestions that still fit."""
        from app.domain.language.days import moment_named  # loads many patterns
        from app.domain.language.words import fold

        wall = moment_named(text, self._now.replace(tzinfo=None))
        self._at = wall.astimezone() if wall is not None else None
        for words, action in self._choices:
            action.setVisible(fold(text.strip()) in fold(words))
        unknown = "" if any(action.isVisible() for _words, action in self._choices) else self.tr("No time found. Try “tue 3pm”.")
        self._typed.setText(when_long(self._at) if self._at is not None else unknown)
        self._typed.setEnabled(self._at is not None)
        self._typed.setVisible(bool(self._typed.text()))
        self.setDefaultAction(self._typed)

    def _accept(self) -> None:
        left = [action for _words, action in self._choices if action.isVisible()]
        taken = self._typed if self._at is not None else left[0] if left else None
        if taken is not None:
            self.close()
            taken.trigger()


def add_calendar(menu: QMenu, day: QDate, chosen: Callable[[QDate], object]) -> None:
    """Adds a calendar with this day. A chosen day closes the menu."""
    calendar = QCalendarWidget(selectedDate=day)
    for picked in (calendar.activated, calendar.clicked):
        picked.connect(lambda one: (menu.close(), chosen(one)))
    action = QWidgetAction(menu)
    action.setDefaultWidget(calendar)
    menu.addAction(action)


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


class SendLaterBar(QuestionBar):
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
            button(self.tr("Schedule"), "primary", self.submit),
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
            self.submit()
            return
        super().keyPressEvent(event)

    def submit(self) -> None:
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
    """Returns labels and times (aware and local), soonest first, without duplicates."""
    weekend, late = (SATURDAY - now.weekday()) % 7 or 7, now.weekday() >= SATURDAY
    this_weekend = QCoreApplication.translate("Snooze", "This weekend")
    found = [
        (QCoreApplication.translate("Snooze", "In three hours"), (now + timedelta(hours=3)).replace(second=0, microsecond=0)),
        (QCoreApplication.translate("Snooze", "This evening"), _at(now, 0, EVENING)),
        (QCoreApplication.translate("Snooze", "Tomorrow morning"), _at(now, 1, MORNING)),
        (QCoreApplication.translate("Snooze", "Next weekend") if late else this_weekend, _at(now, weekend, MORNING)),
        (QCoreApplication.translate("Snooze", "Next week"), _at(now, 7 - now.weekday(), MORNING)),
    ]
    first = {moment: words for words, moment in reversed(found) if moment > now}
    return [(words, moment) for moment, words in sorted(first.items())]


def reminder_menu(now: datetime, chosen: Callable[[datetime | None], object], parent: QWidget, chosen_before: bool) -> QMenu:
    """Returns the menu of times by which a reply is expected. With `chosen_before` it also offers none."""
    local, name = now.astimezone(), QCoreApplication.translate("Snooze", "Remind me if no reply by")
    times = [(words, at) for words, at in usual_times(local) if at - local >= timedelta(hours=12)]
    in_days = _at(local, 3, MORNING)
    if all(at != in_days for _words, at in times):
        times = sorted([*times, (QCoreApplication.translate("Snooze", "In three days"), in_days)], key=itemgetter(1))
    menu = TimeMenu(name, now, times, chosen, lambda: SnoozeDialog(local, chosen, parent, name).open(), parent)
    if chosen_before:
        menu.addAction(QCoreApplication.translate("Snooze", "No reminder"), lambda: chosen(None))
    return menu


def snooze_menu(now: datetime, chosen: Callable[[datetime], None], parent: QWidget) -> QMenu:
    """Returns the menu. `now` is aware."""
    local, name = now.astimezone(), QCoreApplication.translate("Snooze", "Snooze")
    return TimeMenu(name, now, usual_times(local), chosen, lambda: SnoozeDialog(local, chosen, parent).open(), parent)


class SnoozeDialog(Dialog):
    """Asks for a time. With `reminds` it is the time of a reminder with this title."""

    def __init__(self, now: datetime, chosen: Callable[[datetime], object], parent: QWidget, reminds: str = "") -> None:
        title = reminds or QCoreApplication.translate("SnoozeDialog", "Snooze until")
        super().__init__(parent, title)
        self._chosen = chosen
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
