"""Paints the window's first frame before the widgets exist. Its shape, the places and the first rows of the list.

All of it is real data, but it takes no clicks: input waits for the widgets that replace it. Imports only what it paints with.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QPoint, QRect, QSettings
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.domain.protocol.views import Glance, GlanceRow, MailView
from app.ui.i18n.formatting import from_ms, periods, recipients_words, section_words, when_short
from app.ui.lists.row_painter import RowPainter, RowPresentation
from app.ui.navigation.painter import Place, PlacePainter, place_height, places_width
from app.ui.session.ini_file import remembered
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Radius, Space, Type, at_text_size
from app.ui.theme.painting import fill

FOLD_BELOW = 1000
"""Window width in pixels below which the navigation shows icons only."""
ROWS = 24
TWO_PANES_FROM = 720
LIST_WIDTH = 380
TWO_LINES_BELOW = 480
"""In a list narrower than this the splits of the inbox take two lines."""


def row_look(row: GlanceRow, now: datetime) -> RowPresentation:
    """A list row without the real list's chips and marks."""
    when = when_short(datetime.fromtimestamp(row.date_ms / 1000, UTC), now)
    if not row.goes_out:
        return RowPresentation(row.who, row.subject, row.snippet, when, "", row.messages, row.unread)
    who, person = recipients_words(row.who), row.who.partition(", ")[0]
    return RowPresentation(who, row.subject, row.snippet, when, "", person=person)


class FirstFrame(QWidget):
    """Paints navigation, header, list and status line where they will be. Without an account only the background, since Welcome
    has none of them. Eight parameters: the context does not exist yet when the first frame is painted.
    """

    def __init__(
        self,
        appearance: Appearance,
        icons: Icons,
        places: Sequence[Place],
        page: str,
        state: QSettings,
        seen: Glance,
        now: datetime,
        compact: bool = False,
    ) -> None:
        super().__init__()
        self._appearance = appearance
        self._places, self._page = places, page
        self._seen = seen
        self._looks = [row_look(row, now) for row in seen.rows]
        self._sections = [section_words(row.kind) for row in seen.rows]
        if page in set(MailView) - {MailView.SNOOZED}:
            named = periods(now)
            dates = (from_ms(row.date_ms) for row in seen.rows)
            self._sections = [next((words for began, words in named if at >= began), "") for at in dates]
        self._rows = RowPainter(appearance, icons)
        if compact and page in set(MailView):
            self._rows.compact = True
            self._rows.refresh()
        self._place = PlacePainter(appearance, icons)
        self._list_width = remembered(state, "splitters/review" if page == "review" else "splitters/mail", LIST_WIDTH)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = self.rect()
        fill(painter, whole, self._appearance.colour("window"))
        if self._seen.accounts:
            line = QFontMetrics(self._appearance.fonts[Type.BODY]).height()
            header = line + 2 * Space.SMALL + 2 * Space.SMALL
            footer = QFontMetrics(self._appearance.fonts[Type.CAPTION]).height() + 2 * Space.TIGHT
            field = QRect(0, 0, whole.width(), header).adjusted(
                whole.width() // 8, Space.SMALL, -whole.width() // 3, -Space.SMALL
            )
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self._appearance.colour("line"))
            painter.setBrush(self._appearance.colour("surface"))
            painter.drawRoundedRect(field, Radius.CONTROL, Radius.CONTROL)
            fill(painter, QRect(0, header - 1, whole.width(), 1), self._appearance.colour("line"))
            fill(painter, QRect(0, whole.height() - footer, whole.width(), 1), self._appearance.colour("line"))
            wide = places_width(whole.width() < FOLD_BELOW)
            middle = QRect(0, header, whole.width(), whole.height() - header - footer)
            metrics, top = QFontMetrics(self._appearance.fonts[Type.BODY]), middle.top()
            for place in self._places:
                high = place_height(place, metrics)
                if top + high > middle.bottom():
                    break
                ground = "selection" if place.name == self._page else ""
                self._place.paint_place(painter, QRect(0, top, wide, high), place, ground)
                top += high
            self._paint_page(painter, middle.adjusted(wide, 0, 0, 0))
        painter.end()

    def _paint_page(self, painter: QPainter, rect: QRect) -> None:
        fill(painter, rect, self._appearance.colour("surface"))
        if not self._looks:
            return
        width = self._list_width if rect.width() >= TWO_PANES_FROM else rect.width()
        title = QFontMetrics(self._appearance.fonts[Type.TITLE])
        heading = title.height() + 2 * Space.MEDIUM
        words = next((place.title for place in self._places if place.name == self._page), "")
        painter.setFont(self._appearance.fonts[Type.TITLE])
        painter.setPen(self._appearance.colour("text"))
        painter.drawText(QPoint(rect.left() + Space.LARGE, rect.top() + Space.MEDIUM + title.ascent()), words)
        fill(painter, QRect(rect.left(), rect.top() + heading, width, 1), self._appearance.colour("line"))
        fill(painter, QRect(rect.left() + width, rect.top(), 1, rect.height()), self._appearance.colour("line"))
        painter.setClipRect(QRect(rect.left(), rect.top() + heading + 1, width, rect.height() - heading - 1))
        top, section = rect.top() + heading + 1, ""
        if self._page == MailView.INBOX:  # the splits are above the rows
            line = QFontMetrics(self._appearance.fonts[Type.BODY]).height()
            top += line + 3 * Space.TIGHT + (line + 2 * Space.TIGHT if width < at_text_size(TWO_LINES_BELOW) else 0)
        for look, words in zip(self._looks, self._sections, strict=True):
            if top > rect.bottom():
                break
            if words != section:
                self._rows.paint_heading(painter, QRect(rect.left(), top, width, self._rows.heading_height), words)
                top, section = top + self._rows.heading_height, words
            self._rows.paint_row(painter, QRect(rect.left(), top, width, self._rows.row_height), look)
            top += self._rows.row_height
