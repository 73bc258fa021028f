"""A day as a column of hours with busy times and one meeting. Mouse and keys move and resize the meeting."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from PySide6.QtCore import QLocale, QPointF, QRectF, QSize, Qt, QTime, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.domain.drafting.meeting import BusyTime, overlapping
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Radius, Space, Type

STEP = timedelta(minutes=15)
SHORTEST = timedelta(minutes=15)
LONGEST = timedelta(hours=12)
FIRST_HOUR, LAST_HOUR = 8, 18
"""Hours that are always shown."""
LEAST_HOUR_HEIGHT = 34
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
        self.setAccessibleName(self.tr("The day with the meeting. Arrow keys move it, with Shift its end."))
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
        """Sets whether the meeting can be moved; a decided one cannot."""
        self._editable = editable

    @property
    def conflicts(self) -> tuple[BusyTime, ...]:
        """The busy times that overlap the meeting."""
        return overlapping(self._busy, self._start, self._end)

    def sizeHint(self) -> QSize:
        first, last = self._hours()
        return QSize(280, (last - first) * LEAST_HOUR_HEIGHT + Space.SMALL)

    def minimumSizeHint(self) -> QSize:
        """The smallest size in which every hour is readable."""
        first, last = self._hours()
        return QSize(160, (last - first) * LEAST_HOUR_HEIGHT + Space.SMALL)

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

    def uncut(self, y: int, most: int) -> int:
        """Returns the scroll offset nearest to `y` that cuts no hour label; at most `most`."""
        first, last = self._hours()
        high = QFontMetrics(self._appearance.fonts[Type.CAPTION]).height()
        for hour in range(first, last):
            top = round(self._top((hour - first) * 60))
            if top < y < top + high:
                return top + high if top + high <= most else top
        return y

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Starts moving the meeting, or resizing it at its lower edge."""
        rect = self.slot_rect()
        if not self._editable or not rect.adjusted(0, 0, 0, EDGE).contains(event.position()):
            return
        stretches = event.position().y() >= rect.bottom() - EDGE
        self._drag = (self._moment(event.position()) - (self._end if stretches else self._start), stretches)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Moves or resizes the meeting in steps of 15 minutes."""
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

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

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
        opens = datetime.combine(self._day(), time(), self._zone)
        return list(overlapping(self._busy, opens, opens + timedelta(days=1)))

    def _day(self) -> date:
        return self._start.date()

    def _hours(self) -> tuple[int, int]:
        """Returns the first hour shown and the hour where the view ends."""
        stretches = [(self._start, self._end), *((busy.start, busy.end) for busy in self._of_day())]
        ends = [(self._minutes(start), self._minutes(end)) for start, end in stretches]
        whole = [(begins, stops) for begins, stops in ends if (begins, stops) != (0, MINUTES_A_DAY)]
        first = min([FIRST_HOUR, *(begins // 60 for begins, _ in whole)])
        last = max([LAST_HOUR, *(-(-stops // 60) for _, stops in whole)])
        return first, last

    def _minutes(self, moment: datetime) -> int:
        """Returns wall-clock minutes since midnight of the shown day, within that day."""
        local = moment.astimezone(self._zone)
        days = (local.date() - self._day()).days
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
        """Returns the wall-clock time at a height."""
        first, last = self._hours()
        share = (place.y() - Space.TIGHT) / max(1, self.height() - Space.SMALL)
        minutes = first * 60 + round(share * (last - first) * 60)
        return datetime.combine(self._day(), time(), self._zone) + timedelta(minutes=min(max(minutes, 0), MINUTES_A_DAY - 15))

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
        free = self.tr("free") if self._known else self.tr("not known")
        return f"{words}, {taken or free}"


def _stepped(moment: datetime) -> datetime:
    """Rounds to 15 minutes of the wall clock."""
    minutes = round((moment.minute + moment.second / 60) / 15) * 15
    return moment.replace(minute=0, second=0, microsecond=0) + timedelta(minutes=minutes)


def _clock(moment: datetime) -> str:
    """Returns the time of day in the locale's short format, in the moment's own zone."""
    return QLocale().toString(QTime(moment.hour, moment.minute), QLocale.FormatType.ShortFormat)


def _hour(hour: int) -> str:
    return QLocale().toString(QTime(hour, 0), QLocale.FormatType.ShortFormat)
