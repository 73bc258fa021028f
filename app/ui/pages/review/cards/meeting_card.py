"""The meeting card: title, guests, day, start and length of a proposed meeting, above its day with the busy times."""

import json
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from PySide6.QtCore import QDate, QLocale, Qt, QTime, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLineEdit, QScrollArea, QWidget

from app.domain.drafting.meeting import BusyTime, Meeting, arguments_of, busy_times, lasting, looked_at, meeting_from, moved
from app.domain.drafting.review import Review, ToolStep, request_of
from app.domain.errors import NotAllowed
from app.domain.mail.message import Address
from app.ui.context import Context
from app.ui.editor.recipient_field import NAME_WIDTH, RecipientField
from app.ui.editor.recipients import RecipientContext
from app.ui.i18n.formatting import day_words
from app.ui.pages.review.cards.day_calendar import DayCalendar
from app.ui.session.restorable_parts import comes_back
from app.ui.theme.metrics import Space, Type, at_text_size, is_large_text
from app.ui.widgets.buttons import ChoiceBox
from app.ui.widgets.factory import chip, column, label, row, rule, set_tone, tool_button
from app.ui.widgets.form_controls import with_arrow
from app.ui.widgets.labels import ElidedLabel, IconLabel

LENGTHS_MIN = (15, 30, 45, 60, 90, 120, 180)


class MeetingCard(QFrame):
    """Edits a proposed meeting and emits `edited`. `meeting` is None if the request has no valid meeting."""

    edited = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.meeting: Meeting | None = None
        self._filling = False
        self._calendar_known = True
        self._tools: tuple[ToolStep, ...] = ()
        self._given: dict[str, object] = {}
        self._busy: tuple[BusyTime, ...] = ()
        self.title = QLineEdit()
        self.title.setProperty("role", "quiet")
        self.title.setAccessibleName(self.tr("Title"))
        comes_back(self.title)
        self.guests = RecipientField(self.tr("Guests"))
        self.start = self._box(context, self.tr("Begins"))
        self.length = self._box(context, self.tr("Lasts"))
        self.day = label("", Type.STRONG, wrap=is_large_text())
        icon = context.icons.icon
        self.earlier = tool_button(icon("earlier"), self.tr("A day earlier"), lambda: self._another_day(-1))
        self.later = tool_button(icon("later"), self.tr("A day later"), lambda: self._another_day(1))
        self.zone = label("", Type.CAPTION, "soft")
        self.standing = chip()
        self.view = DayCalendar(context.appearance)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self.view)
        for ground in (self.view, self.area.viewport()):
            ground.setAutoFillBackground(False)
        self._lay_out(IconLabel(context.icons, "calendar", size=14))
        self.title.textEdited.connect(lambda _text: self._changed())
        self.guests.edited.connect(self._changed)
        self.start.currentIndexChanged.connect(self._start_chosen)
        self.length.currentIndexChanged.connect(self._length_chosen)
        self.view.moved.connect(self._moved)

    def show_meeting(self, review: Review, around: RecipientContext, arguments: str = "") -> bool:
        """Shows the meeting of the request, or of `arguments` edited before. Returns whether it is valid."""
        _tool, self._given = request_of(review.proposal.request_json)
        try:
            self.meeting = meeting_from(json.loads(arguments) if arguments else self._given)
        except (NotAllowed, ValueError):
            self.meeting = None
            return False
        self._calendar_known = not any(step.error for step in review.proposal.tools if step.name == "check_calendar")
        self._tools = review.proposal.tools
        self._busy = busy_times(self._tools)
        self.title.setText(self.meeting.title)
        self.title.setCursorPosition(0)
        self.guests.show_addresses(tuple(Address(guest) for guest in self.meeting.guests), around)
        self._show_time()
        return True

    @property
    def arguments(self) -> str:
        """The arguments as JSON, empty if unchanged. Raises `NotAllowed` if they are not a valid meeting."""
        now = arguments_of(self._edited_meeting())
        same = now == arguments_of(meeting_from(self._given))
        return "" if same else json.dumps(now, ensure_ascii=False)

    def set_read_only(self, read_only: bool) -> None:
        """Sets whether the meeting can be edited; a decided one cannot."""
        for line in (self.title, self.guests.line):
            line.setReadOnly(read_only)
        for widget in (self.start, self.length, self.earlier, self.later):
            widget.setEnabled(not read_only)
        self.view.set_editable(not read_only)

    def _edited_meeting(self) -> Meeting:
        """Returns the meeting as edited. Raises `NotAllowed`."""
        if self.meeting is None:
            raise NotAllowed("There is no meeting.")
        guests = [guest.email for guest in self.guests.addresses]
        return meeting_from({**arguments_of(self.meeting), "title": self.title.text(), "attendees": guests})

    def _show_time(self) -> None:
        meeting = self.meeting
        if meeting is None:
            return
        self._filling = True
        self._fill_start(meeting.start)
        self._fill_length(meeting.length)
        self._filling = False
        self.day.setText(day_words(_qdate(meeting.start.date())))
        self.zone.setText(meeting.zone.replace("_", " "))
        self.view.show_slot(meeting.start, meeting.end, ZoneInfo(meeting.zone), meeting.title, self._busy, known=self._known)
        self._show_availability()
        self._show_slot()

    def _show_slot(self) -> None:
        """Scrolls to the meeting with a margin. If the area is too low, scrolls to its beginning."""
        slot, room = self.view.slot_rect(), self.area.viewport().height()
        self.area.ensureVisible(0, round(slot.center().y()), 0, min(round(slot.height() / 2) + Space.HUGE, room // 2))
        bar = self.area.verticalScrollBar()
        most = round(slot.top()) - Space.TIGHT
        bar.setValue(self.view.uncut(min(bar.value(), most), most))

    def showEvent(self, event: QShowEvent) -> None:
        """Scrolls to the meeting after the first layout."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._show_slot)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scrolls to the meeting again."""
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._show_slot)

    @property
    def _known(self) -> bool:
        """Whether the calendar was read for this time; the user may have moved the meeting to another day."""
        return self.meeting is not None and looked_at(self._tools, self.meeting.start, self.meeting.end)

    def _show_availability(self) -> None:
        taken = self.view.conflicts
        if taken:
            words, tone = self.tr("You are busy then"), "danger"
        elif not self._calendar_known:
            words, tone = self.tr("Your calendar could not be read"), "warning"
        elif self._known:
            words, tone = self.tr("You are free then"), "positive"
        else:
            words, tone = self.tr("Your calendar was not read that far"), "warning"
        self.standing.setText(words)
        set_tone(self.standing, tone)

    def _fill_start(self, start: datetime) -> None:
        clocks = sorted({*(QTime(0, 0).addSecs(900 * step) for step in range(96)), QTime(start.hour, start.minute)}, key=_secs)
        self.start.clear()
        for clock in clocks:
            self.start.addItem(QLocale().toString(clock, QLocale.FormatType.ShortFormat), _secs(clock) // 60)
        self.start.setCurrentIndex(self.start.findData(start.hour * 60 + start.minute))

    def _fill_length(self, length: timedelta) -> None:
        minutes = int(length.total_seconds() // 60)
        self.length.clear()
        for choice in sorted({*LENGTHS_MIN, minutes}):
            self.length.addItem(self.tr("%n minute(s)", "", choice), choice)
        self.length.setCurrentIndex(self.length.findData(minutes))

    def _start_chosen(self, index: int) -> None:
        if self._filling or self.meeting is None:
            return
        hour, minute = divmod(int(self.start.itemData(index)), 60)
        self._set_meeting(moved(self.meeting, self.meeting.start.replace(hour=hour, minute=minute, second=0)))

    def _length_chosen(self, index: int) -> None:
        if not self._filling and self.meeting is not None:
            self._set_meeting(lasting(self.meeting, timedelta(minutes=int(self.length.itemData(index)))))

    def _another_day(self, days: int) -> None:
        if self.meeting is not None:
            self._set_meeting(moved(self.meeting, self.meeting.start + timedelta(days=days)))

    def _moved(self, start: datetime, end: datetime) -> None:
        if self.meeting is not None:
            self._set_meeting(lasting(moved(self.meeting, start), end.astimezone(UTC) - start.astimezone(UTC)))

    def _set_meeting(self, meeting: Meeting) -> None:
        self.meeting = meeting
        self._show_time()
        self.edited.emit()

    def _changed(self) -> None:
        self.edited.emit()

    def _box(self, context: Context, name: str) -> QComboBox:
        box = ChoiceBox()
        box.setAccessibleName(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.setMinimumContentsLength(7)
        box.setMaxVisibleItems(16)
        with_arrow(box, context.icons)
        return box

    def _lay_out(self, icon: QWidget) -> None:
        head = row(None, 0, Space.TIGHT)
        head.setContentsMargins(Space.LARGE, Space.SMALL, Space.LARGE, Space.SMALL)
        head.addWidget(icon)
        head.addWidget(
            ElidedLabel(self.tr("Meeting in your calendar; the guests are invited by Google"), Type.CAPTION, "soft"), 1
        )
        head.addWidget(self.standing)
        name = label(self.tr("Title"), Type.CAPTION, "soft")
        name.setFixedWidth(at_text_size(NAME_WIDTH))
        title = row(None, 0, Space.SMALL)
        title.addWidget(name)
        title.addWidget(self.title, 1)
        when, times, more = self._time_rows()
        fields = column(None, 0, Space.TIGHT)
        fields.setContentsMargins(Space.LARGE, Space.SMALL, Space.LARGE, Space.SMALL)
        fields.addLayout(title)
        fields.addWidget(self.guests)
        fields.addLayout(when)
        fields.addLayout(times)
        fields.addLayout(more)
        body = column(None, 0, 0)
        body.setContentsMargins(Space.LARGE, Space.SMALL, Space.TIGHT, Space.SMALL)
        body.addWidget(self.area, 1)
        layout = column(self, 1, 0)
        layout.addLayout(head)
        layout.addWidget(rule())
        layout.addLayout(fields)
        layout.addWidget(rule())
        layout.addLayout(body, 1)

    def _time_rows(self) -> tuple[QHBoxLayout, QHBoxLayout, QHBoxLayout]:
        """Returns the rows of day and time; with large text the time takes two rows."""
        when = row(None, 0, Space.SMALL)
        when.addWidget(self.earlier)
        when.addWidget(self.day, 1 if is_large_text() else 0)
        when.addWidget(self.later)
        if not is_large_text():
            when.addStretch(1)
        times, more = row(None, 0, Space.SMALL), row(None, 0, Space.SMALL)
        for text, box in ((self.tr("Begins"), self.start), (self.tr("Lasts"), self.length)):
            line = more if box is self.length and is_large_text() else times
            line.addWidget(label(text, Type.CAPTION, "soft"))
            line.addWidget(box)
        (more if is_large_text() else times).addWidget(self.zone)
        for line in (times, more):
            line.addStretch(1)
        return when, times, more


def _qdate(day: date) -> QDate:
    return QDate(day.year, day.month, day.day)


def _secs(clock: QTime) -> int:
    return QTime(0, 0).secsTo(clock)
