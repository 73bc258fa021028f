"""The Waiting page: sent mail whose question nobody answered after some working days, reminders, and what the owner promised.

Also the base of the pages with a list of messages on the left and the selected message on the right, with buttons below it.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QDate
from PySide6.QtWidgets import QWidget

from app.domain.ports.window import WaitingRow
from app.domain.protocol.events import MailChanged, ReviewDecided, ReviewReady
from app.domain.protocol.letter_commands import DismissWaiting, DraftNudge, WaitingChanged
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.formatting import day_words, number_words, when_back, when_short
from app.ui.lists.row_painter import Chip, RowPresentation
from app.ui.message.thread_view import ReadingPane
from app.ui.pages.base import RowsPage
from app.ui.session.ini_file import remembered
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import RoleFrame, action_button, column, label, row
from app.ui.widgets.form_controls import ChoiceBox
from app.ui.widgets.split_view import Stack, listing

T = TypeVar("T")


def working_days_ago(now: datetime, days: int, weekdays: Collection[int]) -> datetime:
    """Returns the same time of day `days` working days before `now` (aware).

    Monday is 0. If `weekdays` is empty, every day counts.
    """
    working = set(weekdays) or set(range(7))
    at, left = now, days
    while left > 0:
        at -= timedelta(days=1)
        left -= at.weekday() in working
    return at


def working_days_between(start: datetime, end: datetime, weekdays: Collection[int]) -> int:
    """Counts the working days between two instants, without the first day."""
    working = set(weekdays) or set(range(7))
    days = (end.date() - start.date()).days
    return sum((start + timedelta(days=day)).weekday() in working for day in range(1, days + 1))


def _key(mail: WaitingRow) -> int:
    """One message may wait and promise: the promise has the negative id."""
    return -mail.message_id if mail.owed else mail.message_id


class OverviewList(RowsPage[T]):
    """Lists rows by id. A subclass fills it with `_list`.

    `tools` stand above the list. `actions` are the buttons below the message: the first is filled, the last a link.
    """

    def __init__(self, context: Context, name: str, title: str, tools: Sequence[QWidget], actions: Sequence[str]) -> None:
        super().__init__(context, name, title)
        self._count = label("", Type.CAPTION, "soft")
        self._lists = Stack(self.list, self.state)
        self.reading = ReadingPane(context)
        self.reading.back.connect(self.go_back)
        bar, roles = RoleFrame("bar"), ["primary", *[""] * (len(actions) - 2), "link"]
        made = [action_button(context.actions[name], role) for name, role in zip(actions, roles, strict=True)]
        row(bar, (Space.LARGE, Space.SMALL), Space.SMALL, FlowRow(made, Space.SMALL, Space.SMALL))
        self.reading.below.addWidget(bar)
        column(self).addWidget(self._split(listing(self.title, self._lists, tools, self._count), self.reading))
        self.panes.folded.connect(self.reading.set_back_visible)

    @property
    def current(self) -> T | None:
        return self.model.record(self.list.current_row()) if self.list.current_row() >= 0 else None

    def _list(self, rows: dict[int, T], icon: str, title: str, words: str) -> None:
        """Shows other rows; without any, an empty state of `icon`, `title` and `words`."""
        self._rows = rows
        self._set_ids(rows)
        self._count.setText(number_words(len(rows)) if rows else "")
        self._lists.setCurrentIndex(0 if rows else 1)
        self.panes.show_alone(not rows)
        if not rows:
            self.state.show_state(icon, title, words)
            self.reading.show_nothing()


DAYS = 3
CHOICES = (1, 2, 3, 5, 7, 10, 15)
LONGEST_AGO = timedelta(days=60)
"""Older mail without an answer is not listed."""

ACTIONS = ("waiting.nudge", "waiting.dismiss", "waiting.open")


class WaitingPage(OverviewList[WaitingRow]):
    """Page of sent mail that waits for an answer.

    The number of working days is saved in window.ini; the weekdays are those of the calendar settings.
    """

    def __init__(self, context: Context) -> None:
        days_box = ChoiceBox(context.icons, QCoreApplication.translate("WaitingPage", "After how many working days"))
        super().__init__(context, "waiting", QCoreApplication.translate("WaitingPage", "Waiting"), [days_box], ACTIONS)
        self.days = days_box
        for days in CHOICES:
            self.days.addItem(self.tr("%n working day(s)", "", days), days)
        saved_days = remembered(context.state, "waiting/days", DAYS)
        self.days.setCurrentIndex(self.days.findData(saved_days if saved_days in CHOICES else DAYS))
        self.days.activated.connect(lambda _index: self._days_changed())
        connect_actions(self, context, dict(zip(ACTIONS, (self._nudge, self._dismiss, self._open), strict=True)))

    def refresh(self) -> None:
        now = self.context.clock().astimezone()
        before = working_days_ago(now, self._chosen_days, self._weekdays)
        found = self.context.reader.waiting(before, now - LONGEST_AGO)
        current, before_at = self.current, max(self.list.current_row(), 0)
        words = self.tr("Questions you sent appear here if nobody answers within the working days you choose.")
        self._list({_key(mail): mail for mail in found}, "waiting", self.tr("No replies outstanding"), words)
        self._enable_actions()
        if not found:
            return
        still_listed = current is not None and _key(current) in self._rows
        wanted = _key(current if current is not None and still_listed else found[min(before_at, len(found) - 1)])
        self.list.select_row(self.model.row_of(wanted), quiet=True)
        if still_listed and self.reading.thread_id == self._rows[wanted].thread_id:
            # without a message id: another open message of the conversation stays open
            self.reading.show_thread(self._rows[wanted].thread_id)
        else:
            self._choose(wanted)

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, MailChanged | WaitingChanged | ReviewReady | ReviewDecided)

    @property
    def _weekdays(self) -> tuple[int, ...]:
        return self.context.settings().calendar.weekdays

    @property
    def _chosen_days(self) -> int:
        return int(self.days.currentData())

    def _days_changed(self) -> None:
        self.context.state.setValue("waiting/days", self._chosen_days)
        self._refresh_now()

    def _choose(self, key: int) -> None:
        mail = self._rows.get(key)
        self._enable_actions()
        if mail is not None:
            self.reading.show_thread(mail.thread_id, mail.message_id)

    def _enable_actions(self) -> None:
        """Enables what the selected row allows. What the owner promised needs no nudge."""
        owed = self.current is not None and self.current.owed
        for name in ACTIONS:
            self.context.actions[name].setEnabled(bool(self._rows) and not (owed and name == "waiting.nudge"))

    def _open(self, _key: int = 0) -> None:
        if self.current is not None:
            self.context.navigator.show_message(self.current.message_id)

    def _nudge(self) -> None:
        if self.current is not None:
            self.context.link.send(DraftNudge(self.current.message_id))
            words = self.tr("Follow-up drafted. Find it in Review.")
            show = partial(self.context.navigator.show_page, "review")
            self.context.notices.tell(words, self.tr("Open Review"), show, leads=True)

    def _dismiss(self) -> None:
        if self.current is not None:
            about, send = self.current.message_id, self.context.link.send
            send(DismissWaiting(about, dismissed=True))
            back = partial(send, DismissWaiting(about, dismissed=False))
            self.context.notices.tell(self.tr("No longer tracked."), self.tr("Undo"), back)

    def _row(self, mail: WaitingRow) -> RowPresentation:
        now = self.context.clock()
        days = working_days_between(mail.sent_at.astimezone(), now.astimezone(), self._weekdays)
        chip = Chip(self.tr("%n working day(s)", "", days), "warning" if days > 5 else "")
        if mail.owed and mail.due is None:
            chip = Chip(self.tr("you promised"), "accent")
        elif mail.owed and mail.due is not None:
            promised = self.tr("you promised it for %1")
            day = day_words(QDate(mail.due.year, mail.due.month, mail.due.day))
            chip = Chip(promised.replace("%1", day), "warning" if mail.due < now.astimezone().date() else "accent")
        if mail.remind_at is not None:
            chip = Chip(when_back(mail.remind_at, now), "accent")
            if mail.remind_at <= now:
                chip = Chip(QCoreApplication.translate("Words", "No reply yet"), "warning")
        who = ", ".join(each.name or each.email for each in mail.to)
        when, spoken = when_short(mail.sent_at, now), f"{who}, {mail.subject}, {chip.text}"
        return RowPresentation(who, mail.subject, mail.sentence, when, spoken, chips=(chip,))
