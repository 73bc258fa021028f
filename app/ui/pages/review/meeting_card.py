"""The meeting card: title, guests, day, start and length of a proposed meeting, above its day with the busy times."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from PySide6.QtCore import QDate, QLocale, QPointF, QRectF, QSize, Qt, QTime, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QLineEdit, QScrollArea, QSizePolicy, QWidget

from app.domain.drafting.meeting import (
    CHECK_CALENDAR,
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
from app.ui.widgets.factory import RoleFrame, chip, column, label, named, named_row, row, rule, say, tool_button
from app.ui.widgets.form_controls import ChoiceBox
from app.ui.widgets.labels import ElidedLabel, IconLabel

STEP_MIN = 15
SHORTEST, LONGEST = timedelta(minutes=STEP_MIN), timedelta(hours=12)
LENGTHS_MIN = (15, 30, 45, 60, 90, 120, 180)
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
    """Day view of a meeting. Emits `moved` with the meeting at another time.

    Up and Down move it by 15 minutes, with Shift its end; Left and Right move it by a day.
    """

    moved = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        now = datetime.now(UTC)
        self._meeting = Meeting("", now, now, "UTC", (), "")
        self._busy: tuple[BusyTime, ...] = ()
        self.conflicts: tuple[BusyTime, ...] = ()
        self.editable = True
        self._drag: tuple[timedelta, bool] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("The day with the meeting. Arrow keys move it; Shift moves its end."))
        appearance.changed.connect(self.update)

    def show_meeting(self, meeting: Meeting, busy: Sequence[BusyTime], *, known: bool) -> None:
        """Shows the meeting's day in its time zone. `known` is whether `busy` is complete for that time."""
        self._meeting = meeting
        midnight = datetime.combine(meeting.start.date(), time(), ZoneInfo(meeting.zone))
        self._busy = overlapping(busy, midnight, midnight + timedelta(days=1))
        self.conflicts = overlapping(busy, meeting.start, meeting.end)
        words = self.tr("%1 to %2").replace("%1", _clock(meeting.start)).replace("%2", _clock(meeting.end))
        free = self.tr("free") if known else self.tr("unknown")
        taken = ", ".join(busy.title or self.tr("busy") for busy in self.conflicts)
        self.setAccessibleDescription(f"{words}, {taken or free}")
        self.setMinimumHeight(self.minimumSizeHint().height())
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(280, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        first, last = self._hours()
        return QSize(160, (last - first) * at_text_size(LEAST_HOUR_HEIGHT) + Space.SMALL)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, meeting = QPainter(self), self._meeting
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._appearance.fonts[Type.CAPTION])
        first, last = self._hours()
        ascent = QFontMetrics(painter.font()).ascent()
        for hour in range(first, last + 1):
            y = self._top(hour * 60)
            painter.setPen(QPen(self._appearance.colour("line"), 1))
            painter.drawLine(QPointF(self._hours_width(), y), QPointF(self.width(), y))
            if hour < last:
                painter.setPen(self._appearance.colour("text_soft"))
                painter.drawText(QPointF(Space.TIGHT, y + ascent), _short(QTime(hour, 0)))
        for busy in self._busy:
            self._paint_block(painter, self._rect(busy.start, busy.end), busy.title or self.tr("busy"), "neutral_soft", "neutral")
        tone, text = ("danger", "danger") if self.conflicts else ("accent", "on_accent_soft")
        words = f"{_clock(meeting.start)}–{_clock(meeting.end)}  {meeting.title}"
        self._paint_block(painter, self.slot_rect(), words, f"{tone}_soft", text, tone)
        painter.end()

    def slot_rect(self) -> QRectF:
        """Returns the meeting's rectangle; narrower if it overlaps busy times, so that both are readable."""
        rect = self._rect(self._meeting.start, self._meeting.end)
        return rect.adjusted(rect.width() * BESIDE, 0, 0, 0) if self.conflicts else rect

    def mousePressEvent(self, event: QMouseEvent) -> None:
        rect, place = self.slot_rect(), event.position()
        if self.editable and rect.adjusted(0, 0, 0, EDGE).contains(place):
            stretches = place.y() >= rect.bottom() - EDGE
            self._drag = (self._moment(place) - (self._meeting.end if stretches else self._meeting.start), stretches)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        near_edge = abs(event.position().y() - self.slot_rect().bottom()) <= EDGE
        self.setCursor(Qt.CursorShape.SizeVerCursor if near_edge and self.editable else Qt.CursorShape.ArrowCursor)
        if self._drag is not None:
            offset, stretches = self._drag
            self._change(self._moment(event.position()) - offset, stretches)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._drag = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step, day = timedelta(minutes=STEP_MIN), timedelta(days=1)
        by = {Qt.Key.Key_Up: -step, Qt.Key.Key_Down: step, Qt.Key.Key_Left: -day, Qt.Key.Key_Right: day}.get(Qt.Key(event.key()))
        if not self.editable or by is None:
            super().keyPressEvent(event)
            return
        stretches = abs(by) == step and bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._change((self._meeting.end if stretches else self._meeting.start) + by, stretches)

    def _change(self, at: datetime, stretches: bool) -> None:
        """Moves the meeting, which keeps its length also across a clock change, or its end, to the quarter-hour near `at`."""
        quarters = round((at.minute + at.second / 60) / STEP_MIN)
        at = at.replace(minute=0, second=0, microsecond=0) + timedelta(minutes=quarters * STEP_MIN)
        changed = moved(self._meeting, at)
        if stretches:
            length = at.astimezone(UTC) - self._meeting.start.astimezone(UTC)
            changed = lasting(self._meeting, min(max(length, SHORTEST), LONGEST))
        if changed != self._meeting:
            self.moved.emit(changed)

    def _hours(self) -> tuple[int, int]:
        """First and last hour: the usual ones, and those of what takes a part of the day."""
        stretches = [(self._meeting.start, self._meeting.end), *((busy.start, busy.end) for busy in self._busy)]
        ends = [(self._minutes(start), self._minutes(end)) for start, end in stretches]
        parts = [(begins, stops) for begins, stops in ends if (begins, stops) != (0, MINUTES_A_DAY)]
        first = min([FIRST_HOUR, *(begins // 60 for begins, _ in parts)])
        last = max([LAST_HOUR, *(-(-stops // 60) for _, stops in parts)])
        return first, last

    def _minutes(self, moment: datetime) -> int:
        """Minutes since the beginning of the day shown, within it."""
        local = moment.astimezone(ZoneInfo(self._meeting.zone))
        days = (local.date() - self._meeting.start.date()).days
        return min(max(days * MINUTES_A_DAY + local.hour * 60 + local.minute, 0), MINUTES_A_DAY)

    def _rect(self, start: datetime, end: datetime) -> QRectF:
        left = self._hours_width()
        top, bottom = self._top(self._minutes(start)), self._top(self._minutes(end))
        return QRectF(left, top, max(1.0, self.width() - left - Space.HAIR), max(bottom - top, LEAST_HOUR_HEIGHT / 4))

    def _top(self, minutes: int) -> float:
        first, last = self._hours()
        return Space.TIGHT + (minutes - first * 60) * (self.height() - Space.SMALL) / ((last - first) * 60)

    def _moment(self, place: QPointF) -> datetime:
        first, last = self._hours()
        share = (place.y() - Space.TIGHT) / max(1, self.height() - Space.SMALL)
        minutes = min(max(first * 60 + round(share * (last - first) * 60), 0), MINUTES_A_DAY - STEP_MIN)
        return datetime.combine(self._meeting.start.date(), time(), ZoneInfo(self._meeting.zone)) + timedelta(minutes=minutes)

    def _hours_width(self) -> int:
        caption = QFontMetrics(self._appearance.fonts[Type.CAPTION])
        return caption.horizontalAdvance(_short(QTime(22, 0))) + Space.MEDIUM

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


def _short(clock: QTime) -> str:
    return QLocale().toString(clock, QLocale.FormatType.ShortFormat)


def _clock(moment: datetime) -> str:
    """Returns the time of day in the locale's short format, in the moment's own zone."""
    return _short(QTime(moment.hour, moment.minute))


class MeetingCard(RoleFrame):
    """Edits a proposed meeting and emits `edited`. `meeting` is None if the request has no valid meeting."""

    edited = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__("card")
        self.meeting: Meeting | None = None
        self._tools: tuple[ToolStep, ...] = ()
        self._given: dict[str, object] = {}
        self.title = named(QLineEdit(), self.tr("Title"))
        self.title.setProperty("role", "quiet")
        self.guests = RecipientField(self.tr("Guests"))
        self.start, self.length = ChoiceBox(context.icons, self.tr("Starts")), ChoiceBox(context.icons, self.tr("Duration"))
        for box in (self.start, self.length):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumContentsLength(7)
            box.setMaxVisibleItems(16)
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
        self.start.activated.connect(self._start_chosen)
        self.length.activated.connect(self._length_chosen)
        self.view.moved.connect(self._set_meeting)

    def show_meeting(self, review: Review, around: RecipientContext, arguments: str = "") -> bool:
        """Shows the meeting of the request, or of `arguments` edited before. Returns whether it is valid."""
        _tool, self._given = request_of(review.proposal.request_json)
        try:
            self.meeting = meeting_from(json.loads(arguments) if arguments else self._given)
        except (NotAllowed, ValueError):
            self.meeting = None
            return False
        self._tools = review.proposal.tools
        self.title.setText(self.meeting.title)
        self.title.setCursorPosition(0)
        self.guests.show_addresses(tuple(Address(guest) for guest in self.meeting.guests), around)
        self._show_time(self.meeting)
        return True

    @property
    def arguments(self) -> str:
        """The arguments as JSON, empty if unchanged. Raises `NotAllowed` if they are not a valid meeting."""
        if self.meeting is None:
            raise NotAllowed("There is no meeting.")
        guests = [guest.email for guest in self.guests.addresses]
        edited = meeting_from({**arguments_of(self.meeting), "title": self.title.text(), "attendees": guests})
        now = arguments_of(edited)
        return "" if now == arguments_of(meeting_from(self._given)) else json.dumps(now, ensure_ascii=False)

    def set_read_only(self, read_only: bool) -> None:
        for line in (self.title, self.guests.line):
            line.setReadOnly(read_only)
        for widget in (self.start, self.length, self.earlier, self.later):
            widget.setEnabled(not read_only)
        self.view.editable = not read_only

    def _show_time(self, meeting: Meeting) -> None:
        start, minutes = meeting.start.hour * 60 + meeting.start.minute, int(meeting.length.total_seconds() // 60)
        self.start.clear()
        for choice in sorted({*range(0, MINUTES_A_DAY, STEP_MIN), start}):
            self.start.addItem(_short(QTime(*divmod(choice, 60))), choice)
        self.start.setCurrentIndex(self.start.findData(start))
        self.length.clear()
        for choice in sorted({*LENGTHS_MIN, minutes}):
            self.length.addItem(self.tr("%n minute(s)", "", choice), choice)
        self.length.setCurrentIndex(self.length.findData(minutes))
        self.day.setText(day_words(QDate(meeting.start.year, meeting.start.month, meeting.start.day)))
        self.zone.setText(meeting.zone.replace("_", " "))
        # the user may have moved the meeting to a day for which the calendar was not read
        known = looked_at(self._tools, meeting.start, meeting.end)
        self.view.show_meeting(meeting, busy_times(self._tools), known=known)
        if self.view.conflicts:
            say(self.standing, self.tr("You're busy"), "danger")
        elif any(step.error for step in self._tools if step.name == CHECK_CALENDAR):
            say(self.standing, self.tr("Your calendar couldn't be read"), "warning")
        elif known:
            say(self.standing, self.tr("You're free"), "positive")
        else:
            say(self.standing, self.tr("Your calendar isn't loaded that far ahead"), "warning")
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

    def _start_chosen(self, index: int) -> None:
        if self.meeting is not None:
            hour, minute = divmod(int(self.start.itemData(index)), 60)
            self._set_meeting(moved(self.meeting, self.meeting.start.replace(hour=hour, minute=minute, second=0)))

    def _length_chosen(self, index: int) -> None:
        if self.meeting is not None:
            self._set_meeting(lasting(self.meeting, timedelta(minutes=int(self.length.itemData(index)))))

    def _another_day(self, days: int) -> None:
        if self.meeting is not None:
            self._set_meeting(moved(self.meeting, self.meeting.start + timedelta(days=days)))

    def _set_meeting(self, meeting: Meeting) -> None:
        self.meeting = meeting
        self._show_time(meeting)
        self.edited.emit()

    def _lay_out(self, icon: QWidget) -> None:
        words = ElidedLabel(self.tr("Adds to your calendar and invites the guests"), Type.CAPTION, "soft")
        head = row(None, (Space.LARGE, Space.SMALL), Space.TIGHT, icon, (words, 1), self.standing)
        pairs = []
        for name, box in ((self.tr("Starts"), self.start), (self.tr("Duration"), self.length)):
            pairs.append(QWidget())
            row(pairs[-1], 0, Space.SMALL, label(name, Type.CAPTION, "soft"), box)
        when = row(None, 0, Space.SMALL, self.earlier, (self.day, 1), self.later, self.zone)
        if not is_large_text():
            when.setStretch(1, 0)
            when.insertStretch(3, 1)
        times = column(None, 0, Space.TIGHT, *pairs) if is_large_text() else FlowRow(pairs, Space.SMALL)
        title = named_row(self.tr("Title"), NAME_WIDTH, self.title)
        fields = column(None, (Space.LARGE, Space.SMALL), Space.TIGHT, title, self.guests, when, times)
        body = column(None, (Space.LARGE, Space.SMALL, Space.TIGHT, Space.SMALL), 0, (self.area, 1))
        column(self, 1, 0, head, rule(), fields, rule(), (body, 1))
