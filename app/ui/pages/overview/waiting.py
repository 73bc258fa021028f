"""The Waiting page: sent mail whose question nobody answered after some working days, reminders, and what the owner promised."""

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial

from PySide6.QtCore import QCoreApplication, QDate

from app.domain.ports.window import WaitingRow
from app.domain.protocol.events import MailChanged, ReviewDecided, ReviewReady
from app.domain.protocol.letter_commands import DismissWaiting, DraftNudge, WaitingChanged
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.formatting import day_words, when_back, when_short
from app.ui.lists.row_painter import Chip, RowPresentation
from app.ui.pages.overview.list_page import OverviewList
from app.ui.session.ini_file import remembered
from app.ui.widgets.form_controls import ChoiceBox


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
        for name in ACTIONS:
            self.context.actions[name].setEnabled(bool(self._rows))
        if self.current is not None and self.current.owed:
            self.context.actions["waiting.nudge"].setEnabled(False)

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
        current = self.current
        if current is None:
            return
        self.context.link.send(DismissWaiting(current.message_id, dismissed=True))
        back = DismissWaiting(current.message_id, dismissed=False)
        self.context.notices.tell(self.tr("No longer tracked."), self.tr("Undo"), lambda: self.context.link.send(back))

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
