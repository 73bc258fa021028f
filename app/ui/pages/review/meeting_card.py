"""The meeting card: title, guests, day, start and length of a proposed meeting, above its day with the busy times."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from PySide6.QtCore import QDate, QLocale, QPointF, QRectF, QSize, Qt, QTime, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QLineEdit, QScrollArea, QSizePolicy, QWidget

from app.domain.drafting.meeting import (
    BusyTime,
    Meeting,
    arguments_of,
    busy_times,
    lasting,
    looked_at,
    meeting_from,
    moved,
    overlapping,
)
from app.domain.drafting.review import Review, ToolStep, request_of
from app.domain.errors import NotAllowed
from app.domain.mail.message import Address
from app.ui.context import Context
from app.ui.editor.recipient_field import NAME_WIDTH, RecipientContext, RecipientField
from app.ui.i18n.formatting import day_words
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Radius, Space, Type, at_text_size, is_large_text
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import RoleFrame, chip, column, label, named, named_row, row, rule, set_tone, tool_button
from app.ui.widgets.form_controls import ChoiceBox
from app.ui.widgets.labels import ElidedLabel, IconLabel

STEP = timedelta(minutes=15)
SHORTEST = timedelta(minutes=15)
LONGEST = timedelta(hours=12)
FIRST_HOUR, LAST_HOUR = 8, 18
"""Hours that are always shown."""
LEAST_HOUR_HEIGHT = 26
"""Pixels at 100 % text size."""
BESIDE = 0.42
"""Left edge of a conflicting meeting, as a share of the width, so that both are readable."""

EDGE = 6
"""Pixels at the meeting's lower edge where dragging resizes it."""
MINUTES_A_DAY = 24 * 60


class DayCalendar(QWidget):
    """Day view of a meeting. Emits `moved(start, end)` with aware datetimes.

    Up and Down move it by 15 minutes, with Shift its end; Left and Right move it by a day.
    """

    moved = Signal(object, object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._zone: tzinfo = UTC
        self._start = self._end = datetime.now(UTC)
        self._busy: tuple[BusyTime, ...] = ()
        self._title = ""
        self._known = True
        self._editable = True
        self._drag: tuple[timedelta, bool] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("The day with the meeting. Arrow keys move it; Shift moves its end."))
        appearance.changed.connect(self.update)

    def show_slot(
        self, start: datetime, end: datetime, zone: tzinfo, title: str, busy: Sequence[BusyTime], *, known: bool
    ) -> None:
        """Shows the meeting's day in a time zone. `known` is whether `busy` is complete for that time."""
        self._zone, self._title, self._busy, self._known = zone, title, tuple(busy), known
        self._start, self._end = start.astimezone(zone), end.astimezone(zone)
        self.setAccessibleDescription(self._spoken())
        self.setMinimumHeight(self.minimumSizeHint().height())
        self.updateGeometry()
        self.update()

    def set_editable(self, editable: bool) -> None:
        self._editable = editable

    @property
    def conflicts(self) -> tuple[BusyTime, ...]:
        return overlapping(self._busy, self._start, self._end)

    def sizeHint(self) -> QSize:
        return QSize(280, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        first, last = self._hours()
        return QSize(160, (last - first) * at_text_size(LEAST_HOUR_HEIGHT) + Space.SMALL)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._appearance.fonts[Type.CAPTION])
        self._paint_hours(painter)
        for busy in self._of_day():
            self._paint_block(painter, self._rect(busy.start, busy.end), busy.title or self.tr("busy"), "neutral_soft", "neutral")
        tone = "danger" if self.conflicts else "accent"
        words = f"{_clock(self._start)}–{_clock(self._end)}  {self._title}"
        text = "danger" if self.conflicts else "on_accent_soft"
        self._paint_block(painter, self.slot_rect(), words, f"{tone}_soft", text, tone)
        painter.end()

    def slot_rect(self) -> QRectF:
        """Returns the meeting's rectangle; narrower if it overlaps busy times, so that both are readable."""
        rect = self._rect(self._start, self._end)
        return rect.adjusted(rect.width() * BESIDE, 0, 0, 0) if self.conflicts else rect

    def mousePressEvent(self, event: QMouseEvent) -> None:
        rect = self.slot_rect()
        if not self._editable or not rect.adjusted(0, 0, 0, EDGE).contains(event.position()):
            return
        stretches = event.position().y() >= rect.bottom() - EDGE
        self._drag = (self._moment(event.position()) - (self._end if stretches else self._start), stretches)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        near_edge = abs(event.position().y() - self.slot_rect().bottom()) <= EDGE
        self.setCursor(Qt.CursorShape.SizeVerCursor if near_edge and self._editable else Qt.CursorShape.ArrowCursor)
        if self._drag is None:
            return
        offset, stretches = self._drag
        aim = self._moment(event.position()) - offset
        if stretches:
            self._stretch(aim)
        else:
            self._move(aim)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._drag = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Up: -STEP, Qt.Key.Key_Down: STEP}.get(Qt.Key(event.key()))
        days = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if not self._editable or (by is None and days is None):
            super().keyPressEvent(event)
        elif days is not None:
            self._move(self._start + timedelta(days=days))
        elif by is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._stretch(self._end + by)
        elif by is not None:
            self._move(self._start + by)

    def _move(self, start: datetime) -> None:
        """Moves the meeting and keeps its length, also across a clock change."""
        length = self._end.astimezone(UTC) - self._start.astimezone(UTC)
        begins = _stepped(start).astimezone(UTC)
        self._announce(begins, begins + length)

    def _stretch(self, end: datetime) -> None:
        """Moves the end, within `SHORTEST` and `LONGEST`."""
        begins = self._start.astimezone(UTC)
        length = min(max(_stepped(end).astimezone(UTC) - begins, SHORTEST), LONGEST)
        self._announce(begins, begins + length)

    def _announce(self, start: datetime, end: datetime) -> None:
        if (start, end) != (self._start.astimezone(UTC), self._end.astimezone(UTC)):
            self.moved.emit(start.astimezone(self._zone), end.astimezone(self._zone))

    def _of_day(self) -> list[BusyTime]:
        opens = datetime.combine(self._start.date(), time(), self._zone)
        return list(overlapping(self._busy, opens, opens + timedelta(days=1)))

    def _hours(self) -> tuple[int, int]:
        stretches = [(self._start, self._end), *((busy.start, busy.end) for busy in self._of_day())]
        ends = [(self._minutes(start), self._minutes(end)) for start, end in stretches]
        whole = [(begins, stops) for begins, stops in ends if (begins, stops) != (0, MINUTES_A_DAY)]
        first = min([FIRST_HOUR, *(begins // 60 for begins, _ in whole)])
        last = max([LAST_HOUR, *(-(-stops // 60) for _, stops in whole)])
        return first, last

    def _minutes(self, moment: datetime) -> int:
        local = moment.astimezone(self._zone)
        days = (local.date() - self._start.date()).days
        return min(max(days * MINUTES_A_DAY + local.hour * 60 + local.minute, 0), MINUTES_A_DAY)

    def _rect(self, start: datetime, end: datetime) -> QRectF:
        first, _last = self._hours()
        left = self._hours_width()
        top, bottom = (self._top(self._minutes(moment) - first * 60) for moment in (start, end))
        return QRectF(left, top, max(1.0, self.width() - left - Space.HAIR), max(bottom - top, LEAST_HOUR_HEIGHT / 4))

    def _top(self, minutes: int) -> float:
        first, last = self._hours()
        return Space.TIGHT + minutes * (self.height() - Space.SMALL) / ((last - first) * 60)

    def _moment(self, place: QPointF) -> datetime:
        first, last = self._hours()
        share = (place.y() - Space.TIGHT) / max(1, self.height() - Space.SMALL)
        minutes = first * 60 + round(share * (last - first) * 60)
        return datetime.combine(self._start.date(), time(), self._zone) + timedelta(
            minutes=min(max(minutes, 0), MINUTES_A_DAY - 15)
        )

    def _hours_width(self) -> int:
        widest = QFontMetrics(self._appearance.fonts[Type.CAPTION]).horizontalAdvance(_hour(22))
        return widest + Space.MEDIUM

    def _paint_hours(self, painter: QPainter) -> None:
        first, last = self._hours()
        metrics = QFontMetrics(painter.font())
        for hour in range(first, last + 1):
            y = self._top((hour - first) * 60)
            painter.setPen(QPen(self._appearance.colour("line"), 1))
            painter.drawLine(QPointF(self._hours_width(), y), QPointF(self.width(), y))
            if hour < last:
                painter.setPen(self._appearance.colour("text_soft"))
                painter.drawText(QPointF(Space.TIGHT, y + metrics.ascent()), _hour(hour % 24))

    def _paint_block(
        self, painter: QPainter, rect: QRectF, words: str, ground: str, text: str, edge: str = "line_strong"
    ) -> None:
        focused = edge != "line_strong" and self.hasFocus()
        painter.setPen(QPen(self._appearance.colour(edge), 2 if focused else 1))
        painter.setBrush(QColor(self._appearance.colour(ground)))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), Radius.CHIP, Radius.CHIP)
        painter.setPen(self._appearance.colour(text))
        inside = rect.adjusted(Space.SMALL, 0, -Space.SMALL, 0)
        metrics = QFontMetrics(painter.font())
        line = QRectF(inside.left(), inside.top(), inside.width(), min(inside.height(), metrics.height() + Space.TIGHT))
        shown = metrics.elidedText(" ".join(words.split()), Qt.TextElideMode.ElideRight, int(inside.width()))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def _spoken(self) -> str:
        words = self.tr("%1 to %2").replace("%1", _clock(self._start)).replace("%2", _clock(self._end))
        taken = ", ".join(busy.title or self.tr("busy") for busy in self.conflicts)
        free = self.tr("free") if self._known else self.tr("unknown")
        return f"{words}, {taken or free}"


def _stepped(moment: datetime) -> datetime:
    minutes = round((moment.minute + moment.second / 60) / 15) * 15
    return moment.replace(minute=0, second=0, microsecond=0) + timedelta(minutes=minutes)


def _clock(moment: datetime) -> str:
    """Returns the time of day in the locale's short format, in the moment's own zone."""
    return QLocale().toString(QTime(moment.hour, moment.minute), QLocale.FormatType.ShortFormat)


def _hour(hour: int) -> str:
    return QLocale().toString(QTime(hour, 0), QLocale.FormatType.ShortFormat)


LENGTHS_MIN = (15, 30, 45, 60, 90, 120, 180)


class MeetingCard(RoleFrame):
    """Edits a proposed meeting and emits `edited`. `meeting` is None if the request has no valid meeting."""

    edited = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__("card")
        self.meeting: Meeting | None = None
        self._filling = False
        self._calendar_known = True
        self._tools: tuple[ToolStep, ...] = ()
        self._given: dict[str, object] = {}
        self._busy: tuple[BusyTime, ...] = ()
        self.title = named(QLineEdit(), self.tr("Title"))
        self.title.setProperty("role", "quiet")
        self.guests = RecipientField(self.tr("Guests"))
        self.start = self._box(context, self.tr("Starts"))
        self.length = self._box(context, self.tr("Duration"))
        self.day = label("", Type.STRONG, wrap=is_large_text())
        icon = context.icons.icon
        self.earlier = tool_button(icon("earlier"), self.tr("Previous day"), lambda: self._another_day(-1))
        self.later = tool_button(icon("later"), self.tr("Next day"), lambda: self._another_day(1))
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
        self.title.textEdited.connect(lambda _text: self.edited.emit())
        self.guests.edited.connect(self.edited)
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
        for line in (self.title, self.guests.line):
            line.setReadOnly(read_only)
        for widget in (self.start, self.length, self.earlier, self.later):
            widget.setEnabled(not read_only)
        self.view.set_editable(not read_only)

    def _edited_meeting(self) -> Meeting:
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
        self.day.setText(day_words(QDate(meeting.start.year, meeting.start.month, meeting.start.day)))
        self.zone.setText(meeting.zone.replace("_", " "))
        self.view.show_slot(meeting.start, meeting.end, ZoneInfo(meeting.zone), meeting.title, self._busy, known=self._known)
        self._show_availability()
        self._show_slot()

    def _show_slot(self) -> None:
        """Scrolls to the meeting with a margin. If the area is too low, scrolls to its beginning."""
        slot, room = self.view.slot_rect(), self.area.viewport().height()
        self.area.ensureVisible(0, round(slot.center().y()), 0, min(round(slot.height() / 2) + Space.HUGE, room // 2))
        bar = self.area.verticalScrollBar()
        bar.setValue(min(bar.value(), round(slot.top()) - Space.TIGHT))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self._show_slot)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._show_slot)

    @property
    def _known(self) -> bool:
        """Whether the calendar was read for this time; the user may have moved the meeting to another day."""
        return self.meeting is not None and looked_at(self._tools, self.meeting.start, self.meeting.end)

    def _show_availability(self) -> None:
        taken = self.view.conflicts
        if taken:
            words, tone = self.tr("You're busy"), "danger"
        elif not self._calendar_known:
            words, tone = self.tr("Your calendar couldn't be read"), "warning"
        elif self._known:
            words, tone = self.tr("You're free"), "positive"
        else:
            words, tone = self.tr("Your calendar isn't loaded that far ahead"), "warning"
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

    def _box(self, context: Context, name: str) -> QComboBox:
        box = ChoiceBox(context.icons, name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.setMinimumContentsLength(7)
        box.setMaxVisibleItems(16)
        return box

    def _lay_out(self, icon: QWidget) -> None:
        head = row(
            None,
            (Space.LARGE, Space.SMALL),
            Space.TIGHT,
            icon,
            (ElidedLabel(self.tr("Adds to your calendar and invites the guests"), Type.CAPTION, "soft"), 1),
            self.standing,
        )
        title = named_row(self.tr("Title"), NAME_WIDTH, self.title)
        pairs = []
        for words, box in ((self.tr("Starts"), self.start), (self.tr("Duration"), self.length)):
            pairs.append(QWidget())
            row(pairs[-1], 0, Space.SMALL, label(words, Type.CAPTION, "soft"), box)
        when = row(None, 0, Space.SMALL, self.earlier, (self.day, 1), self.later, self.zone)
        if not is_large_text():
            when.setStretch(1, 0)
            when.insertStretch(3, 1)
        times = column(None, 0, Space.TIGHT, *pairs) if is_large_text() else FlowRow(pairs, Space.SMALL)
        fields = column(None, (Space.LARGE, Space.SMALL), Space.TIGHT, title, self.guests, when, times)
        body = column(None, (Space.LARGE, Space.SMALL, Space.TIGHT, Space.SMALL), 0, (self.area, 1))
        column(self, 1, 0, head, rule(), fields, rule(), (body, 1))


def _secs(clock: QTime) -> int:
    return QTime(0, 0).secsTo(clock)
