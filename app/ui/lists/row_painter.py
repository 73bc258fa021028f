"""A list row, `RowPresentation`, and how it is painted: monogram, three lines, chips.

Does not depend on the view, so that the first frame can use it. Font metrics are cached until fonts or colours change, painted
rows in `RowPictures`.
"""

from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import bidirectional

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QPainter, QPen

from app.ui.i18n.formatting import initials
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Radius, Space, Type, at_text_size
from app.ui.theme.painting import MEASURED, fill, visual_rect

LOOK_ROLE = int(Qt.ItemDataRole.UserRole) + 1
ID_ROLE = int(Qt.ItemDataRole.UserRole) + 2


class Chip(NamedTuple):
    """A small tinted label. `tone` is empty (neutral), accent, positive, warning, danger or slot."""

    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class RowPresentation:
    """Content of a row: three lines beside a monogram. They hold `who` and `when`, `subject`, then chips and `snippet`. `spoken`
    is the text for screen readers. A `count` over 1 follows the name. `marks` are (icon, tone) pairs before the time. `icon`
    replaces the monogram where the row is no person; `person` names the monogram's person if `who` is not a bare name. `heading`
    stands above the first row of a section (`RowList.set_headings`). `found` are the characters of `snippet` that a search found.
    `dot` is the colour of the account, #rrggbb, where several are listed together.
    """

    who: str
    subject: str
    snippet: str
    when: str
    spoken: str
    count: int = 0
    strong: bool = False
    chips: tuple[Chip, ...] = ()
    marks: tuple[tuple[str, str], ...] = ()
    icon: str = ""
    person: str = ""
    heading: str = ""
    found: tuple[int, int] = (0, 0)
    dot: str = ""


MARK = 14
DOT = 10


class RowPainter:
    """Paints row presentations. Call `refresh` after fonts or colours changed."""

    def __init__(self, appearance: Appearance, icons: Icons) -> None:
        self._appearance, self._icons = appearance, icons
        self._metrics: dict[Type, QFontMetrics] = {}
        self._on_selection = False
        self._whole = QRect()
        self.row_height = 0
        self.compact = False
        """Two lines without a monogram instead of three beside one."""
        self.refresh()

    def refresh(self) -> None:
        """Measures the fonts and the height of a row."""
        self._metrics = {role: QFontMetrics(self._appearance.fonts[role]) for role in Type}
        self.row_height = self.measured_height()

    def measured_height(self) -> int:
        body, caption = self._metrics[Type.BODY], self._metrics[Type.CAPTION]
        if self.compact:
            return int(2 * Space.SMALL + 2 * body.height() + Space.HAIR)
        return int(2 * Space.MEDIUM + 2 * body.height() + caption.height() + 2 * Space.TIGHT)

    @property
    def heading_height(self) -> int:
        return int(self._metrics[Type.CAPTION].height() + 2 * Space.SMALL)

    def paint_heading(self, painter: QPainter, rect: QRect, words: str) -> None:
        """Paints the line above the first row of a section."""
        self._whole = rect
        fill(painter, rect, self._colour("window"))
        fill(painter, QRect(rect.left(), rect.bottom(), rect.width(), 1), self._colour("line"))
        self._text(painter, rect.adjusted(Space.LARGE, 0, -Space.LARGE, -1), words, Type.STRONG, "text")

    def paint_row(
        self, painter: QPainter, rect: QRect, look: RowPresentation, selected: bool = False, hovered: bool = False
    ) -> None:
        self._whole = rect
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each text in its own direction
        fill(painter, rect, self._colour("selection" if selected else "hover" if hovered else "surface"))
        if selected:
            fill(painter, self._placed(QRect(rect.left(), rect.top(), 3, rect.height())), self._colour("accent"))
        self._on_selection = selected
        self.paint_look(painter, rect, look)
        fill(painter, QRect(rect.left(), rect.bottom(), rect.width(), 1), self._colour("line"))

    def paint_look(self, painter: QPainter, rect: QRect, look: RowPresentation) -> None:
        if self.compact:
            self._paint_two_lines(painter, rect, look)
            return
        size = self._metrics[Type.BODY].height() * 2 - Space.HAIR
        top = rect.top() + Space.MEDIUM
        self._paint_monogram(painter, QRect(rect.left() + Space.LARGE, top, size, size), look)
        left = rect.left() + Space.LARGE + size + Space.MEDIUM
        width = rect.right() - Space.LARGE - left
        line = self._metrics[Type.BODY].height()
        self._paint_first(painter, QRect(left, top, width, line), look)
        role = Type.STRONG if look.strong else Type.BODY
        second = QRect(left, top + line + Space.HAIR, width, line)
        self._text(painter, second, look.subject, role, "text")
        third = QRect(left, second.bottom() + Space.TIGHT + 1, width, self._metrics[Type.CAPTION].height())
        used = self._paint_chips(painter, third, look.chips)
        self._paint_snippet(painter, third.adjusted(used, 0, 0, 0), look)

    def _paint_two_lines(self, painter: QPainter, rect: QRect, look: RowPresentation) -> None:
        """Paints name and time, then chip, subject and what is left of the snippet."""
        line, caption = self._metrics[Type.BODY].height(), self._metrics[Type.CAPTION].height()
        first = QRect(rect.left() + Space.LARGE, rect.top() + Space.SMALL, rect.width() - 2 * Space.LARGE, line)
        self._paint_first(painter, first, look)
        second = first.translated(0, line + Space.HAIR)
        used = self._paint_chips(
            painter, QRect(second.left(), second.top() + (line - caption) // 2, second.width(), caption), look.chips
        )
        second.setLeft(second.left() + used)
        role = Type.STRONG if look.strong else Type.BODY
        self._text(painter, second, look.subject, role, "text")
        second.setLeft(second.left() + self._metrics[role].horizontalAdvance(look.subject[:MEASURED]) + Space.SMALL)
        self._paint_snippet(painter, second, look)

    def _paint_snippet(self, painter: QPainter, rect: QRect, look: RowPresentation) -> None:
        """Paints the snippet on a coloured ground where a search found it; not where text from right to left moves the place."""
        metrics, (first, last) = self._metrics[Type.CAPTION], look.found
        if last > first and not any(bidirectional(letter) in ("R", "AL") for letter in look.snippet[:last]):
            left = metrics.horizontalAdvance(look.snippet[:first])
            width = min(metrics.horizontalAdvance(look.snippet[:last]), rect.width()) - left
            if width > 0:
                ground = QRect(rect.left() + left, rect.top(), width, rect.height())
                fill(painter, self._placed(ground), self._colour("surface" if self._on_selection else "accent_soft"))
        self._text(painter, rect, look.snippet, Type.CAPTION, "text_soft")

    def _paint_first(self, painter: QPainter, rect: QRect, look: RowPresentation) -> None:
        if self.compact and look.dot:  # a row without a monogram
            side = at_text_size(DOT)
            self._paint_dot(painter, self._placed(QRect(rect.left(), rect.center().y() - side // 2, side, side)), look.dot)
            rect = rect.adjusted(side + Space.TIGHT, 0, 0, 0)
        right = rect.right()
        caption = self._metrics[Type.CAPTION]
        width = caption.horizontalAdvance(look.when)
        tone = "accent" if look.strong else "text_soft"
        self._text(painter, QRect(right - width, rect.top(), width + 1, rect.height()), look.when, Type.CAPTION, tone)
        right -= width + Space.SMALL
        for name, mark_tone in look.marks:
            side = at_text_size(MARK)
            spot = QRect(right - side, rect.center().y() - side // 2, side, side)
            self._icons.paint(painter, self._placed(spot), name, self._colour(mark_tone))
            right -= side + Space.TIGHT
        role = Type.STRONG if look.strong else Type.BODY
        count = str(look.count) if look.count > 1 else ""
        room = right - rect.left() - self._metrics[Type.CAPTION].horizontalAdvance(count) - Space.SMALL
        who = self._elide(look.who, room, role)
        self._text(painter, QRect(rect.left(), rect.top(), room, rect.height()), who, role, "text")
        after = rect.left() + self._metrics[role].horizontalAdvance(who) + Space.TIGHT
        self._text(painter, QRect(after, rect.top(), right - after, rect.height()), count, Type.CAPTION, "text_soft")

    def _paint_chips(self, painter: QPainter, rect: QRect, chips: tuple[Chip, ...]) -> int:
        """Paints chips from the left. Returns their width."""
        metrics = self._metrics[Type.CAPTION]
        at = rect.left()
        for chip in chips:
            width = metrics.horizontalAdvance(chip.text) + 2 * Space.TIGHT + 2
            if at + width > rect.right() and at > rect.left():
                break
            width = min(width, rect.right() - at)
            tone = chip.tone or "neutral"
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._colour("surface" if self._on_selection else f"{tone}_soft"))
            ground_rect = self._placed(QRect(at, rect.top() - 1, width, rect.height() + 2))
            painter.drawRoundedRect(ground_rect, Radius.CHIP, Radius.CHIP)
            inner = QRect(at + Space.TIGHT + 1, rect.top(), width - Space.TIGHT - 1, rect.height())
            self._text(painter, inner, chip.text, Type.CAPTION, "on_accent_soft" if tone == "accent" else tone)
            at += width + Space.TIGHT
        return at - rect.left() + (Space.TIGHT if chips else 0)

    def _paint_monogram(self, painter: QPainter, rect: QRect, look: RowPresentation) -> None:
        rect, who = self._placed(rect), look.person or look.who
        theme = self._appearance.theme
        plain = theme.surface if self._on_selection else theme.neutral_soft
        ground = plain if look.icon else theme.avatars[sum(who.encode()) % len(theme.avatars)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(ground))
        painter.drawEllipse(rect)
        if look.icon:
            inset = rect.width() // 4
            self._icons.paint(painter, rect.adjusted(inset, inset, -inset, -inset), look.icon, self._colour("neutral"))
            return
        painter.setFont(self._appearance.fonts[Type.CAPTION])
        painter.setPen(QColor(theme.on_avatar))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, initials(who))
        if look.dot:
            side = at_text_size(DOT)
            self._paint_dot(painter, QRect(rect.right() - side + 2, rect.bottom() - side + 2, side, side), look.dot)

    def _paint_dot(self, painter: QPainter, rect: QRect, colour: str) -> None:
        painter.setPen(QPen(QColor(self._appearance.theme.surface), 2))
        painter.setBrush(QColor(colour))
        painter.drawEllipse(rect)

    def _text(self, painter: QPainter, rect: QRect, text: str, role: Type, tone: str) -> None:
        if rect.width() <= 0 or not text:
            return
        painter.setFont(self._appearance.fonts[role])
        painter.setPen(self._colour(tone))
        metrics = self._metrics[role]
        base = rect.top() + (rect.height() - metrics.height()) // 2 + metrics.ascent()
        shown = self._elide(text, rect.width(), role)
        left = rect.left()
        if QGuiApplication.isRightToLeft():
            left = self._placed(QRect(left, rect.top(), metrics.horizontalAdvance(shown), rect.height())).left()
        painter.drawText(QPoint(left, base), shown)

    def _placed(self, rect: QRect) -> QRect:
        return visual_rect(self._whole, rect)

    def _elide(self, text: str, width: int, role: Type) -> str:
        return self._metrics[role].elidedText(text[:MEASURED], Qt.TextElideMode.ElideRight, width)

    def _colour(self, token: str) -> QColor:
        return self._appearance.colour(token)
