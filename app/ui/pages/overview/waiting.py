"""The Waiting page: sent mail whose question nobody answered after some working days, reminders, and what the owner promised."""

from array import array
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from PySide6.QtCore import QCoreApplication, QDate
from PySide6.QtWidgets import QWidget

from app.domain.ports.window import WaitingRow
from app.domain.protocol.events import Event, MailChanged, ReviewDecided, ReviewReady
from app.domain.protocol.letter_commands import DismissWaiting, DraftNudge, WaitingChanged
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.formatting import day_words, number_words, when_back, when_short
from app.ui.lists.model import IdModel
from app.ui.lists.row_painter import Chip, RowPresentation
from app.ui.lists.view import RowList
from app.ui.message.thread_view import ReadingPane
from app.ui.pages.base import Page
from app.ui.session.ini_file import remembered
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.buttons import ChoiceBox
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.factory import action_button, column, frame, label, row
from app.ui.widgets.form_controls import with_arrow
from app.ui.widgets.split_view import ListAndDetail, Stack, listing


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


DAYS = 3
CHOICES = (1, 2, 3, 5, 7, 10, 15)
LONGEST_AGO = timedelta(days=60)
"""Older mail without an answer is not listed."""


class WaitingPage(Page):
    """Page of sent mail that waits for an answer.

    The number of working days is saved in window.ini; the weekdays are those of the calendar settings.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context, "waiting", self.tr("Waiting"))
        self._rows: dict[int, WaitingRow] = {}
        self.model: IdModel[WaitingRow] = IdModel(self._read, self._row, self)
        self.list = RowList(context.appearance, context.icons, self.title, self.model)
        self._keep_place(self.list)
        self.list.chosen.connect(self._show)
        self.list.opened.connect(lambda _key: self._open())
        self.list.clicked.connect(lambda _index: self._panes.show_detail())
        self.days = ChoiceBox()
        with_arrow(self.days, context.icons)
        self.days.setAccessibleName(self.tr("After how many working days"))
        for days in CHOICES:
            self.days.addItem(self.tr("%n working day(s)", "", days), days)
        saved_days = remembered(context.state, "waiting/days", DAYS)
        self.days.setCurrentIndex(self.days.findData(saved_days if saved_days in CHOICES else DAYS))
        self.days.activated.connect(lambda _index: self._days_changed())
        self._count = label("", Type.CAPTION, "soft")
        self.state = EmptyState(context.icons)
        self._lists = Stack(self.list, self.state)
        self.reading = ReadingPane(context)
        self.reading.back.connect(self.go_back)
        self.reading.put_below(self._make_bar())
        self._panes: ListAndDetail = ListAndDetail(
            listing(self.title, self._lists, [self.days], self._count), self.reading, context.state, "waiting"
        )
        self._panes.folded.connect(self.reading.set_back_visible)
        column(self).addWidget(self._panes)
        handlers = {"waiting.nudge": self._nudge, "waiting.dismiss": self._dismiss, "waiting.open": self._open}
        connect_actions(self, context, handlers)

    def refresh(self) -> None:
        now = self.context.clock().astimezone()
        before = working_days_ago(now, self._chosen_days, self._weekdays)
        found = self.context.reader.waiting(before, now - LONGEST_AGO)
        current, before_at = self.current, max(self.list.current_row(), 0)
        self._rows = {_key(mail): mail for mail in found}
        was_blocked = self.list.blockSignals(True)  # removing a row makes another one current, which the user did not select
        self.model.set_ids(array("q", self._rows))
        self.list.blockSignals(was_blocked)
        self._count.setText(number_words(len(found)) if found else "")
        self._lists.setCurrentIndex(0 if found else 1)
        self._panes.show_alone(not found)
        self._enable_actions()
        if not found:
            words = self.tr("Questions you sent that nobody answers show up here after the working days you choose.")
            self.state.show_state("waiting", self.tr("Nobody keeps you waiting"), words)
            self.reading.show_nothing()
            return
        still_listed = current is not None and _key(current) in self._rows
        wanted = _key(current if current is not None and still_listed else found[min(before_at, len(found) - 1)])
        self.list.select_row(self.model.row_of(wanted), quiet=True)
        if still_listed and self.reading.thread_id == self._rows[wanted].thread_id:
            # without a message id: another open message of the conversation stays open
            self.reading.show_thread(self._rows[wanted].thread_id)
        else:
            self._show(wanted)

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, MailChanged | WaitingChanged | ReviewReady | ReviewDecided)

    def take_focus(self) -> None:
        self.list.setFocus()

    def go_back(self) -> bool:
        return self._panes.go_back(self.list)

    @property
    def current(self) -> WaitingRow | None:
        return self.model.record(self.list.current_row()) if self.list.current_row() >= 0 else None

    @property
    def _weekdays(self) -> tuple[int, ...]:
        return self.context.settings().calendar.weekdays

    @property
    def _chosen_days(self) -> int:
        return int(self.days.currentData())

    def _days_changed(self) -> None:
        self.context.state.setValue("waiting/days", self._chosen_days)
        self._refresh_now()

    def _show(self, key: int) -> None:
        mail = self._rows.get(key)
        self._enable_actions()
        if mail is not None:
            self.reading.show_thread(mail.thread_id, mail.message_id)

    def _enable_actions(self) -> None:
        """Enables what the selected row allows. What the owner promised needs no nudge."""
        for name in ("waiting.nudge", "waiting.dismiss", "waiting.open"):
            self.context.actions[name].setEnabled(bool(self._rows))
        if self.current is not None and self.current.owed:
            self.context.actions["waiting.nudge"].setEnabled(False)

    def _open(self) -> None:
        if self.current is not None:
            self.context.navigator.show_message(self.current.message_id)

    def _nudge(self) -> None:
        if self.current is not None:
            self.context.link.send(DraftNudge(self.current.message_id))
            words = self.tr("Follow-up drafted. Find it in Review.")
            show = partial(self.context.navigator.show_page, "review")
            self.context.notices.tell(words, self.tr("Open Review"), show, leads=True)

    def _dismiss(self) -> None:
        current = self.current
        if current is None:
            return
        self.context.link.send(DismissWaiting(current.message_id, dismissed=True))
        back = DismissWaiting(current.message_id, dismissed=False)
        self.context.notices.tell(self.tr("Not waited for any more."), self.tr("Undo"), lambda: self.context.link.send(back))

    def _row(self, mail: WaitingRow) -> RowPresentation:
        now = self.context.clock()
        who = ", ".join(each.name or each.email for each in mail.to)
        when = when_short(mail.sent_at, now)
        chip = self._promise_chip(mail, now) if mail.owed else self._waiting_chip(mail, now)
        if mail.remind_at is not None:
            chip = self._reminder_chip(mail.remind_at, now)
        spoken = f"{who}, {mail.subject}, {chip.text}"
        return RowPresentation(who, mail.subject, mail.sentence, when, spoken, chips=(chip,))

    def _waiting_chip(self, mail: WaitingRow, now: datetime) -> Chip:
        days = working_days_between(mail.sent_at.astimezone(), now.astimezone(), self._weekdays)
        return Chip(self.tr("%n working day(s)", "", days), "warning" if days > 5 else "")

    def _reminder_chip(self, at: datetime, now: datetime) -> Chip:
        if at <= now:
            return Chip(QCoreApplication.translate("Words", "No reply yet"), "warning")
        return Chip(when_back(at, now), "accent")

    def _promise_chip(self, mail: WaitingRow, now: datetime) -> Chip:
        if mail.due is None:
            return Chip(self.tr("you promised"), "accent")
        late = mail.due < now.astimezone().date()
        return Chip(
            self.tr("you promised it for %1").replace("%1", day_words(QDate(mail.due.year, mail.due.month, mail.due.day))),
            "warning" if late else "accent",
        )

    def _read(self, ids: Sequence[int]) -> Mapping[int, WaitingRow]:
        return {key: self._rows[key] for key in ids if key in self._rows}

    def _make_bar(self) -> QWidget:
        bar = frame("bar")
        layout = row(bar, (Space.LARGE, Space.SMALL), Space.SMALL)
        actions = self.context.actions
        nudge = action_button(actions["waiting.nudge"], "primary")
        others = [action_button(actions["waiting.dismiss"]), action_button(actions["waiting.open"], "link")]
        layout.addWidget(FlowRow([nudge, *others], Space.SMALL, Space.SMALL))
        return bar
