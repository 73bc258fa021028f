"""The Today page: what waits for the owner, what was promised on both sides, the day's meetings, and what was done, in ten lines.

Each line opens what it names.
"""

from array import array
from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta
from functools import partial

from PySide6.QtCore import QCoreApplication, QDate

from app.domain.drafting.invitation import ReadAgenda
from app.domain.drafting.meeting import BusyTime
from app.domain.ports.window import WaitingRow
from app.domain.protocol.events import MailChanged, OutboxChanged, ReviewDecided, ReviewReady, RunChanged
from app.domain.protocol.letter_commands import WaitingChanged
from app.domain.protocol.views import MailView
from app.domain.record import Record, replace
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.formatting import clock_words, day_words, number_words, when_short
from app.ui.lists.row_painter import RowPresentation
from app.ui.pages.base import RowsPage
from app.ui.pages.overview.waiting import DAYS, LONGEST_AGO, working_days_ago
from app.ui.services.async_task import EngineQuestion, loop_runs, single_shot
from app.ui.session.ini_file import remembered
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import STRETCH, column, label, row, rule

FEW = 2
"""Lines of promises, open questions and meetings. The headings say how many there are."""
CALENDAR = "https://calendar.google.com/calendar/r/day/"


class TodayLine(Record):
    """One line; `open` opens what it names. The first line of a section has its heading."""

    who: str
    words: str
    when: str
    open: Callable[[], object]
    heading: str = ""


class TodayPage(RowsPage[TodayLine]):
    """Lists the day. Promises and questions take a while to read, so they follow the first lines."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "today", QCoreApplication.translate("TodayPage", "Today"), compact=True)
        self._waiting: Sequence[WaitingRow] = ()
        self._meetings: Sequence[BusyTime] = ()
        self.list.clicked.connect(lambda index: self._open(self.model.id_at(index.row())))
        self._day = label("", Type.CAPTION, "soft")
        head = row(None, (Space.LARGE, Space.MEDIUM), Space.SMALL, label(self.title, Type.TITLE), self._day, STRETCH)
        column(self, 0, 0, head, rule(), (self.list, 1))
        self._agenda = EngineQuestion(context.link, self)
        self._later = single_shot(self, lambda: self._guard(self._read_rest))

    def refresh(self) -> None:
        self._day.setText(day_words(QDate(self._now.year, self._now.month, self._now.day)))
        self._show()
        self._later.start(0)

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, MailChanged | ReviewReady | ReviewDecided | OutboxChanged | WaitingChanged | RunChanged)

    @property
    def _now(self) -> datetime:
        return self.context.clock().astimezone()

    def _read_rest(self) -> None:
        """Reads promises and questions, and asks for the day's meetings."""
        now, state = self._now, self.context.state
        before = working_days_ago(now, remembered(state, "waiting/days", DAYS), self.context.settings().calendar.weekdays)
        self._waiting = self.context.reader.waiting(before, now - LONGEST_AGO)
        self._show()
        if loop_runs():
            midnight = datetime.combine(now.date() + timedelta(days=1), time(), now.tzinfo)
            today = ReadAgenda(int(now.timestamp()), int(midnight.timestamp()))
            # the status line says why a calendar cannot be read
            self._agenda.ask(today, lambda agenda: self._show_meetings(agenda.events), lambda _error: self._show_meetings(()))

    def _show_meetings(self, meetings: Sequence[BusyTime]) -> None:
        self._meetings = meetings
        self._show()

    def _show(self) -> None:
        """Lists the sections. What the owner promised is in the order of its days, what others owe the newest first."""
        owed = sorted((one for one in self._waiting if one.owed), key=lambda one: (one.due is None, one.due, -one.message_id))
        asked = [one for one in self._waiting if not one.owed and (one.remind_at is None or one.remind_at <= self._now)]
        meetings = self.tr("Meetings today")
        if len(self._meetings) > FEW:
            meetings = f"{meetings} · {len(self._meetings)}"
        sections = (
            (self.tr("Waiting for you"), self._for_you()),
            (self.tr("You promised"), self._few(owed)),
            (self.tr("Others owe you a reply"), self._few(asked)),
            (meetings, [self._of_meeting(one) for one in self._meetings[:FEW]]),
            (self.tr("Done today"), self._done()),
        )
        current = self.list.current_row()
        lines = [replace(one, heading="" if at else heading) for heading, part in sections for at, one in enumerate(part)]
        self._rows = dict(enumerate(lines))
        self.list.set_headings({})
        self.model.set_ids(array("q", self._rows))
        self.model.reread(self._rows)
        self.list.set_headings({at: None for at, line in self._rows.items() if line.heading})
        self.list.select_row(min(max(current, 0), len(lines) - 1), quiet=True)

    def _for_you(self) -> list[TodayLine]:
        """What to decide, answer and check. Says so where nothing is left."""
        show, counts = self.context.navigator.show_page, self.context.reader.counts()
        reviews, attention = counts.pending_reviews, counts.outbox_attention
        replies = self.context.reader.split_counts().get(MailView.NEEDS_REPLY, 0)
        found = (
            (reviews, self.tr("Review"), self.tr("%n item(s) to review", "", reviews), "review"),
            (replies, self.tr("Inbox"), self.tr("%n conversation(s) need a reply", "", replies), str(MailView.NEEDS_REPLY)),
            (attention, self.tr("Outbox"), self.tr("%n message(s) need your attention", "", attention), "outbox"),
        )
        lines = [TodayLine(who, words, "", partial(show, page)) for count, who, words, page in found if count]
        return lines or [TodayLine(self.tr("Inbox"), self.tr("Nothing is waiting for you."), "", partial(show, "inbox"))]

    def _few(self, mails: Sequence[WaitingRow]) -> list[TodayLine]:
        """The first lines, and one that leads to all of them."""
        lines, now = [], self.context.clock()
        for mail in mails[:FEW]:
            when = when_short(mail.sent_at, now)
            if mail.owed and mail.due is not None:
                when = when_short(datetime.combine(mail.due, time(12), self._now.tzinfo), now)
                if mail.due < self._now.date():
                    when = self.tr("overdue, %1").replace("%1", when)
            who = ", ".join(one.name or one.email for one in mail.to)
            lines.append(TodayLine(who, mail.sentence, when, partial(self.context.navigator.show_message, mail.message_id)))
        if len(mails) > FEW:
            words = self.tr("Show all %1").replace("%1", number_words(len(mails)))
            lines.append(TodayLine(words, "", "", partial(self.context.navigator.show_page, "waiting")))
        return lines

    def _of_meeting(self, meeting: BusyTime) -> TodayLine:
        start = meeting.start.astimezone()
        until = self.tr("until %1").replace("%1", clock_words(meeting.end))
        day = f"{CALENDAR}{start.year}/{start.month}/{start.day}"
        words = meeting.title or self.tr("Busy")
        return TodayLine(clock_words(meeting.start), words, until, partial(self.context.open_link, day))

    def _done(self) -> list[TodayLine]:
        """What the assistant and the owner did today."""
        midnight = datetime.combine(self._now.date(), time(), self._now.tzinfo)
        day = next((one for one in self.context.reader.days_of_work(midnight) if one.day == self._now.date()), None)
        if day is None or not day.mails:
            return []
        parts = [self.tr("%n message(s) sorted", "", day.mails)]
        if day.kept + day.edited:
            parts.append(self.tr("%n draft(s) approved", "", day.kept + day.edited))
        if day.rejected:
            parts.append(self.tr("%n rejected", "", day.rejected))
        show = partial(self.context.navigator.show_page, "activity")
        return [TodayLine(self.tr("Assistant"), " · ".join(parts), "", show)]

    def _open(self, key: int) -> None:
        if key in self._rows:
            self._rows[key].open()

    def _row(self, line: TodayLine) -> RowPresentation:
        spoken = ", ".join(filter(None, (line.heading, line.who, line.words, line.when)))
        return RowPresentation(line.who, "", line.words, line.when, spoken, heading=line.heading)
