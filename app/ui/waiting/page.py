"""Waiting: sent mail without an answer after some working days; a nudge is drafted into Review, or one waits no longer."""

from array import array
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial

from PySide6.QtWidgets import QWidget

from app.domain.events import Event, MailChanged, ReviewDecided, ReviewReady
from app.domain.ports.writing import WaitingRow
from app.domain.writing import DismissWaiting, DraftNudge, WaitingChanged
from app.ui.actions import connect_actions
from app.ui.build import action_button, column, frame, label, row
from app.ui.choice_box import ChoiceBox
from app.ui.context import Context
from app.ui.listing import listing
from app.ui.lists.look import Chip, RowLook
from app.ui.lists.model import IdModel
from app.ui.lists.place import ListPlace
from app.ui.lists.view import RowList
from app.ui.mail.reading import ReadingPane
from app.ui.page import Page
from app.ui.panes import ListAndDetail
from app.ui.remembered import remembered
from app.ui.scale import Space, Type
from app.ui.settings.controls import with_arrow
from app.ui.stack import Stack
from app.ui.state import StateView
from app.ui.text import number_words, when_short
from app.ui.waiting.days import working_days_ago, working_days_between
from app.ui.wrapped import Wrapped

DAYS = 3
CHOICES = (1, 2, 3, 5, 7, 10, 15)
LONGEST_AGO = timedelta(days=60)
"""What nobody answered for two months is not waited for."""


class WaitingPage(Page):
    """The number of working days is remembered; working days are those of the calendar's settings."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "waiting", "")
        self.title = self.tr("Waiting")
        self.setAccessibleName(self.title)
        self._rows: dict[int, WaitingRow] = {}
        self.model: IdModel[WaitingRow] = IdModel(self._read, self._look, self)
        self.list = RowList(context.appearance, context.icons, self.title)
        self.list.setModel(self.model)
        self._keep_place(ListPlace(self.list, self.model), self.list.moved)
        self.list.chosen.connect(self._show)
        self.list.opened.connect(lambda _key: self._open())
        self.list.clicked.connect(lambda _index: self._panes.show_detail())
        self.days = ChoiceBox()
        with_arrow(self.days, context.icons)
        self.days.setAccessibleName(self.tr("After how many working days"))
        for days in CHOICES:
            self.days.addItem(self.tr("%n working day(s)", "", days), days)
        kept = remembered(context.state, "waiting/days", DAYS)
        self.days.setCurrentIndex(self.days.findData(kept if kept in CHOICES else DAYS))
        self.days.activated.connect(lambda _index: self._days_changed())
        self._count = label("", Type.CAPTION, "soft")
        self.state = StateView(context.icons)
        self._lists = Stack()
        self._lists.addWidget(self.list)
        self._lists.addWidget(self.state)
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
        """Read them again."""
        now = self.context.clock().astimezone()
        before = working_days_ago(now, self._wanted, self._weekdays)
        found = self.context.reader.waiting(before, now - LONGEST_AGO)
        here, before_at = self.current, max(self.list.current_row(), 0)
        self._rows = {one.message_id: one for one in found}
        blocked = self.list.blockSignals(True)  # a row that goes makes another current, which nobody chose
        self.model.set_ids(array("q", self._rows))
        self.list.blockSignals(blocked)
        self._count.setText(number_words(len(found)) if found else "")
        self._lists.setCurrentIndex(0 if found else 1)
        self._panes.show_alone(not found)
        for name in ("waiting.nudge", "waiting.dismiss", "waiting.open"):
            self.context.actions[name].setEnabled(bool(found))
        if not found:
            words = self.tr("Mail you sent that nobody answers shows up here after the working days you choose.")
            self.state.show_state("waiting", self.tr("Nobody keeps you waiting"), words)
            self.reading.show_nothing()
            return
        there = here is not None and here.message_id in self._rows
        wanted = here.message_id if here is not None and there else found[min(before_at, len(found) - 1)].message_id
        self.list.select_row(self.model.row_of(wanted), quiet=True)
        if there and self.reading.thread_id == self._rows[wanted].thread_id:
            self.reading.show_thread(self._rows[wanted].thread_id)  # whoever reads another mail of it goes on reading
        else:
            self._show(wanted)

    def concerned_by(self, event: Event) -> bool:
        """Mail, and what became of nudges."""
        return isinstance(event, MailChanged | WaitingChanged | ReviewReady | ReviewDecided)

    def take_focus(self) -> None:
        """The list."""
        self.list.setFocus()

    def go_back(self) -> bool:
        """From the mail to the list."""
        return self._panes.go_back(self.list)

    @property
    def current(self) -> WaitingRow | None:
        """The chosen mail."""
        return self.model.record(self.list.current_row()) if self.list.current_row() >= 0 else None

    @property
    def _weekdays(self) -> tuple[int, ...]:
        return self.context.settings().calendar.weekdays

    @property
    def _wanted(self) -> int:
        return int(self.days.currentData())

    def _days_changed(self) -> None:
        self.context.state.setValue("waiting/days", self._wanted)
        self._refresh_now()

    def _show(self, key: int) -> None:
        one = self._rows.get(key)
        if one is not None:
            self.reading.show_thread(one.thread_id, one.message_id)

    def _open(self) -> None:
        if self.current is not None:
            self.context.navigator.show_message(self.current.message_id)

    def _nudge(self) -> None:
        if self.current is not None:
            self.context.link.send(DraftNudge(self.current.message_id))
            words = self.tr("A nudge is drafted; look at it in Review.")
            show = partial(self.context.navigator.show_page, "review")
            self.context.notices.tell(words, self.tr("Open Review"), show, leads=True)

    def _dismiss(self) -> None:
        one = self.current
        if one is None:
            return
        self.context.link.send(DismissWaiting(one.message_id, dismissed=True))
        back = DismissWaiting(one.message_id, dismissed=False)
        self.context.notices.tell(self.tr("Not waited for any more."), self.tr("Undo"), lambda: self.context.link.send(back))

    def _look(self, one: WaitingRow) -> RowLook:
        now = self.context.clock()
        who = ", ".join(each.name or each.email for each in one.to)
        days = working_days_between(one.sent_at.astimezone(), now.astimezone(), self._weekdays)
        words = self.tr("%n working day(s)", "", days)
        when = when_short(one.sent_at, now)
        spoken = f"{who}, {one.subject}, {words}"
        return RowLook(who, one.subject, one.snippet, when, spoken, chips=(Chip(words, "warning" if days > 5 else ""),))

    def _read(self, ids: Sequence[int]) -> Mapping[int, WaitingRow]:
        return {key: self._rows[key] for key in ids if key in self._rows}

    def _make_bar(self) -> QWidget:
        bar = frame("bar")
        layout = row(bar, 0, Space.SMALL)
        layout.setContentsMargins(Space.LARGE, Space.SMALL, Space.LARGE, Space.SMALL)
        actions = self.context.actions
        nudge = action_button(actions["waiting.nudge"], "primary")
        others = [action_button(actions["waiting.dismiss"]), action_button(actions["waiting.open"], "link")]
        layout.addWidget(Wrapped([nudge, *others], Space.SMALL, Space.SMALL))
        return bar
