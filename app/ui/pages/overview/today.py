"""The Today page: what waits for the owner, what was promised on both sides, the day's meetings, and what was done, in ten lines.

Each line opens what it names.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time, timedelta
from functools import partial

from PySide6.QtCore import QDate

from app.domain.drafting.invitation import Agenda, ReadAgenda
from app.domain.drafting.meeting import BusyTime
from app.domain.errors import ExpectedError
from app.domain.ports.window import WaitingRow
from app.domain.protocol.events import MailChanged, OutboxChanged, ReviewDecided, ReviewReady, RunChanged
from app.domain.protocol.letter_commands import WaitingChanged
from app.domain.protocol.views import MailView
from app.domain.record import Record
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.formatting import clock_words, day_words, number_words, when_short
from app.ui.lists.model import IdModel
from app.ui.lists.row_painter import RowPresentation
from app.ui.lists.view import RowList
from app.ui.pages.base import Page
from app.ui.pages.overview.waiting import DAYS, LONGEST_AGO, working_days_ago
from app.ui.services.async_task import EngineQuestion, loop_runs, single_shot
from app.ui.session.ini_file import remembered
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import STRETCH, column, label, row, rule

FEW = 2
"""Lines of promises, open questions and meetings. The headings say how many there are."""
CALENDAR = "https://calendar.google.com/calendar/r/day/"


class TodayLine(Record):
    """One line; `open` opens what it names."""

    who: str
    words: str
    when: str
    open: Callable[[], object]


Section = tuple[str, Sequence[TodayLine]]
"""A heading and its lines."""


class TodayPage(Page):
    """Lists the day. Promises and questions take a while to read, so they follow the first lines."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "today", self.tr("Today"))
        self._lines: dict[int, TodayLine] = {}
        self._headings: dict[int, str] = {}
        self._waiting: Sequence[WaitingRow] = ()
        self._meetings: Sequence[BusyTime] | None = None
        self.model: IdModel[TodayLine] = IdModel(self._read, self._row, self)
        self.list = RowList(context.appearance, context.icons, self.title, self.model, compact=True)
        self.list.opened.connect(self._open)
        self.list.clicked.connect(lambda index: self._open(self.model.id_at(index.row())))
        self._day = label("", Type.CAPTION, "soft")
        head = row(None, (Space.LARGE, Space.MEDIUM), Space.SMALL, label(self.title, Type.TITLE), self._day, STRETCH)
        column(self, 0, 0, head, rule(), (self.list, 1))
        self._agenda = EngineQuestion(context.link, self)
        self._later = single_shot(self, self._read_rest)

    def refresh(self) -> None:
        self._day.setText(day_words(QDate(self._now.year, self._now.month, self._now.day)))
        self._show()
        self._later.start(0)

    def concerned_by(self, event: Event) -> bool:
        kinds = MailChanged | ReviewReady | ReviewDecided | OutboxChanged | WaitingChanged | RunChanged
        return isinstance(event, kinds)

    def take_focus(self) -> None:
        self.list.setFocus()

    @property
    def _now(self) -> datetime:
        return self.context.clock().astimezone()

    def _read_rest(self) -> None:
        """Reads promises and questions, and asks for the day's meetings."""
        now, state = self._now, self.context.state
        before = working_days_ago(now, remembered(state, "waiting/days", DAYS), self.context.settings().calendar.weekdays)
        self._guard(lambda: self._take(self.context.reader.waiting(before, now - LONGEST_AGO)))
        if loop_runs():
            midnight = datetime.combine(now.date() + timedelta(days=1), time(), now.tzinfo)
            self._agenda.ask(ReadAgenda(int(now.timestamp()), int(midnight.timestamp())), self._answered, self._no_calendar)

    def _take(self, waiting: Sequence[WaitingRow]) -> None:
        self._waiting = waiting
        self._show()

    def _answered(self, answer: Agenda) -> None:
        self._meetings = answer.events
        self._show()

    def _no_calendar(self, _error: ExpectedError) -> None:
        """Leaves out the meetings. The status line says why a calendar cannot be read."""
        self._meetings = None

    def _show(self) -> None:
        sections = (self._for_you(), *self._promises(), self._day_meetings(), self._done())
        current = self.list.current_row()
        self._lines, self._headings = {}, {}
        for heading, lines in sections:
            if lines:
                self._headings[len(self._lines)] = heading
            for line in lines:
                self._lines[len(self._lines)] = line
        self.list.set_headings({})
        self.model.set_ids(array("q", self._lines))
        self.model.reread(self._lines)
        self.list.set_headings(dict.fromkeys(self._headings))
        if self._lines:
            self.list.select_row(min(max(current, 0), len(self._lines) - 1), quiet=True)

    def _for_you(self) -> Section:
        """What to decide, answer and check. Says so where nothing is left."""
        reader, show = self.context.reader, self.context.navigator.show_page
        counts, splits = reader.counts(), reader.split_counts()
        replies = splits.get(MailView.NEEDS_REPLY, 0)
        found = [
            (counts.pending_reviews, self.tr("Review"), self.tr("%n item(s) to review", "", counts.pending_reviews), "review"),
            (replies, self.tr("Inbox"), self.tr("%n conversation(s) need a reply", "", replies), str(MailView.NEEDS_REPLY)),
            (
                counts.outbox_attention,
                self.tr("Outbox"),
                self.tr("%n message(s) need your attention", "", counts.outbox_attention),
                "outbox",
            ),
        ]
        lines = [TodayLine(who, words, "", partial(show, page)) for count, who, words, page in found if count]
        nothing = TodayLine(self.tr("Inbox"), self.tr("Nothing is waiting for you."), "", partial(show, "inbox"))
        return self.tr("Waiting for you"), lines or [nothing]

    def _promises(self) -> tuple[Section, Section]:
        """What the owner promised, the next due first, and what others owe, the newest first."""
        owed = sorted((one for one in self._waiting if one.owed), key=lambda one: (one.due is None, one.due, -one.message_id))
        asked = [one for one in self._waiting if not one.owed and (one.remind_at is None or one.remind_at <= self._now)]
        promised, due = self.tr("You promised"), self.tr("Others owe you a reply")
        return (promised, self._few(owed)), (due, self._few(asked))

    def _few(self, mails: Sequence[WaitingRow]) -> list[TodayLine]:
        """The first lines, and one that leads to all of them."""
        lines = [self._of_waiting(one) for one in mails[:FEW]]
        if len(mails) > FEW:
            words = self.tr("Show all %1").replace("%1", number_words(len(mails)))
            lines.append(TodayLine(words, "", "", partial(self.context.navigator.show_page, "waiting")))
        return lines

    def _of_waiting(self, mail: WaitingRow) -> TodayLine:
        who = ", ".join(one.name or one.email for one in mail.to)
        now = self.context.clock()
        when = when_short(mail.sent_at, now)
        if mail.owed and mail.due is not None:
            when = when_short(datetime.combine(mail.due, time(12), self._now.tzinfo), now)
            if mail.due < self._now.date():
                when = self.tr("overdue, %1").replace("%1", when)
        return TodayLine(who, mail.sentence, when, partial(self.context.navigator.show_message, mail.message_id))

    def _day_meetings(self) -> Section:
        meetings = self._meetings or ()
        return _counted(self.tr("Meetings today"), len(meetings)), [self._of_meeting(one) for one in meetings[:FEW]]

    def _of_meeting(self, meeting: BusyTime) -> TodayLine:
        start = meeting.start.astimezone()
        words = meeting.title or self.tr("Busy")
        until = self.tr("until %1").replace("%1", clock_words(meeting.end))
        day = f"{CALENDAR}{start.year}/{start.month}/{start.day}"
        return TodayLine(clock_words(meeting.start), words, until, partial(self.context.open_link, day))

    def _done(self) -> Section:
        """What the assistant and the owner did today."""
        midnight = datetime.combine(self._now.date(), time(), self._now.tzinfo)
        days = [one for one in self.context.reader.days_of_work(midnight) if one.day == self._now.date()]
        if not days or not days[0].mails:
            return "", []
        day = days[0]
        parts = [self.tr("%n message(s) sorted", "", day.mails)]
        if day.kept + day.edited:
            parts.append(self.tr("%n draft(s) approved", "", day.kept + day.edited))
        if day.rejected:
            parts.append(self.tr("%n rejected", "", day.rejected))
        line = TodayLine(self.tr("Assistant"), " · ".join(parts), "", partial(self.context.navigator.show_page, "activity"))
        return self.tr("Done today"), [line]

    def _open(self, key: object) -> None:
        line = self._lines.get(key) if isinstance(key, int) else None
        if line is not None:
            line.open()

    def _row(self, line: TodayLine) -> RowPresentation:
        at = next((key for key, known in self._lines.items() if known is line), -1)
        heading = self._headings.get(at, "")
        spoken = ", ".join(filter(None, (heading, line.who, line.words, line.when)))
        return RowPresentation(line.who, "", line.words, line.when, spoken, heading=heading)

    def _read(self, ids: Sequence[int]) -> Mapping[int, TodayLine]:
        return {key: self._lines[key] for key in ids if key in self._lines}


def _counted(heading: str, count: int) -> str:
    """The heading with the number of lines, where not all are shown."""
    return f"{heading} · {count}" if count > FEW else heading
