"""Menus that close with their page, which may change while a menu is open. One of them offers times."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QCoreApplication, QDate, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction, QHideEvent
from PySide6.QtWidgets import QApplication, QCalendarWidget, QLineEdit, QMenu, QWidget, QWidgetAction

from app.ui.i18n.formatting import when_long
from app.ui.theme.metrics import Space
from app.ui.widgets.factory import column, named
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
        self._typed = QAction(self)
        self._typed.triggered.connect(lambda: chosen(self._at) if self._at is not None else None)
        self._typed.setVisible(False)
        self.addAction(self._typed)
        for words, at in choices:
            action = self.addAction(f"{words}\t{when_long(at)}")
            action.triggered.connect(partial(_take, chosen, at))
            self._choices.append((words, action))
        self.addSeparator()
        self.addAction(QCoreApplication.translate("Snooze", "Pick date and time…"), other)
        self._add_line(name)

    def _add_line(self, name: str) -> None:
        self.line = named(QLineEdit(), name)
        self.line.setPlaceholderText(self.tr("tomorrow, Tue 3pm, in 2 hours…"))
        self.line.setMinimumWidth(self.line.fontMetrics().horizontalAdvance(self.line.placeholderText()) + 2 * Space.LARGE)
        around = QWidget()
        column(around, Space.SMALL, 0, self.line)
        holder = QWidgetAction(self)
        holder.setText(name)
        holder.setDefaultWidget(around)
        self.insertAction(self._typed, holder)
        self.line.textChanged.connect(self._follow)
        self.line.returnPressed.connect(self._accept)
        self.aboutToShow.connect(lambda: QTimer.singleShot(0, self.line, self.line.setFocus))

    def _follow(self, text: str) -> None:
        """Shows the time that is meant above the suggestions that still fit."""
        from app.domain.language.days import moment_named  # loads many patterns
        from app.domain.language.words import fold

        wall = moment_named(text, self._now.replace(tzinfo=None))
        self._at = wall.astimezone() if wall is not None else None
        self._typed.setText(when_long(self._at) if self._at is not None else "")
        self._typed.setVisible(self._at is not None)
        self.setDefaultAction(self._typed)
        for words, action in self._choices:
            action.setVisible(fold(text.strip()) in fold(words))

    def _accept(self) -> None:
        left = [action for _words, action in self._choices if action.isVisible()]
        taken = self._typed if self._at is not None else left[0] if left else None
        if taken is not None:
            self.close()
            taken.trigger()


def _take(chosen: Callable[[datetime], object], at: datetime, _checked: bool = False) -> None:
    chosen(at)


def add_calendar(menu: QMenu, day: QDate, chosen: Callable[[QDate], object]) -> None:
    """Adds a calendar with this day. A chosen day closes the menu."""
    calendar = QCalendarWidget(selectedDate=day)
    for picked in (calendar.activated, calendar.clicked):
        picked.connect(lambda one: (menu.close(), chosen(one)))
    action = QWidgetAction(menu)
    action.setDefaultWidget(calendar)
    menu.addAction(action)
