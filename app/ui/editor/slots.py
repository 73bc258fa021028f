"""Open slots in an editor: inline objects on U+FFFC, painted as chips. Also converts character offsets to Qt positions, which
count UTF-16 units.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import QMimeData, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Radius, Space, Type
from app.ui.widgets.factory import plain_tip

_WIDE = re.compile("[\U00010000-\U0010ffff]")
"""Characters of two UTF-16 units."""


class Positions:
    """Converts many offsets of one text. A position inside a surrogate pair counts as the pair's start."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._wide = [] if text.isascii() else [found.start() for found in _WIDE.finditer(text)]
        self._units = [at + before for before, at in enumerate(self._wide)]

    def position(self, offset: int) -> int:
        """Qt position of a character offset, at most the text's end."""
        offset = min(offset, self._length)
        return offset + bisect_left(self._wide, offset)

    def offset(self, position: int) -> int:
        """Character offset of a Qt position."""
        return min(position - bisect_left(self._units, position), self._length)


SLOT_TYPE = int(QTextFormat.ObjectTypes.UserObject) + 1
PROMPT = int(QTextFormat.Property.UserProperty) + 1
OBJECT = "\ufffc"
WIDEST = 320.0


def slot_format(prompt: str) -> QTextCharFormat:
    """Character format that makes U+FFFC a slot with this prompt."""
    made = QTextCharFormat()
    made.setObjectType(SLOT_TYPE)
    made.setProperty(PROMPT, prompt)
    made.setToolTip(plain_tip(prompt))
    made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
    return made


def prompt_of(char_format: QTextCharFormat) -> str | None:
    """Prompt of a slot's format, None for any other format."""
    return str(char_format.property(PROMPT)) if char_format.objectType() == SLOT_TYPE else None


def objects_in(raw: str) -> list[int]:
    return [found.start() for found in re.finditer(OBJECT, raw)]


def slot_at(document: QTextDocument, position: int) -> str | None:
    """Prompt of the slot at a position, None if there is none."""
    if document.characterAt(position) != OBJECT:
        return None
    return prompt_of(at_slot(document, position).charFormat())


def slot_places(document: QTextDocument) -> list[int]:
    """Qt positions of the slots, in order."""
    raw = document.toRawText()
    places = map(Positions(raw).position, objects_in(raw))
    return [at for at in places if slot_at(document, at) is not None]


def next_place(places: Sequence[int], here: int, *, forward: bool) -> int:
    """The place after `here`, or before it, wrapping around. `places` must not be empty."""
    if forward:
        return next((place for place in places if place > here), places[0])
    return next((place for place in reversed(places) if place < here), places[-1])


def at_slot(document: QTextDocument, place: int) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(place)
    cursor.setPosition(place + 1, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def plain_words(source: QMimeData) -> str:
    """Pasted text without U+FFFC, so that no slot comes from outside."""
    return source.text().replace(OBJECT, "")


class SlotPainter(QPyTextObject):
    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.selected = -1
        """Position of the selected slot, -1 for none."""

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:
        """Size of a chip. Qt puts the middle of an object a quarter of the x-height above the baseline; with this height the chip
        starts where the text beside it does.
        """
        metrics = QFontMetricsF(self._appearance.fonts[Type.BODY])
        width = min(WIDEST, metrics.horizontalAdvance(self._words(format)) + 2 * Space.SMALL)
        return QSizeF(width, 2 * metrics.ascent() - QFontMetrics(format.toCharFormat().font()).xHeight() / 2)

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, doc: QTextDocument, posInDocument: int, format: QTextFormat
    ) -> None:
        """Paints the chip on the baseline of the text beside it."""
        font = self._appearance.fonts[Type.BODY]
        rect = QRectF(rect)
        rect.setHeight(QFontMetricsF(font).height())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = painter.pen()
        chosen = posInDocument == self.selected
        pen.setColor(self._appearance.colour("slot"))
        pen.setStyle(Qt.PenStyle.SolidLine if chosen else Qt.PenStyle.DashLine)
        pen.setWidthF(2.0 if chosen else 1.0)
        painter.setPen(pen)
        painter.setBrush(self._appearance.colour("slot_soft"))
        painter.drawRoundedRect(rect.adjusted(1, 0, -1, 1), Radius.CHIP, Radius.CHIP)
        painter.setFont(font)
        if chosen:
            painter.setPen(self._appearance.colour("text"))
        words = QFontMetricsF(font).elidedText(
            self._words(format), Qt.TextElideMode.ElideRight, rect.width() - 2 * Space.SMALL + 1
        )
        painter.drawText(rect, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, words)
        painter.restore()

    def _words(self, char_format: QTextFormat) -> str:
        return str(char_format.property(PROMPT) or "…")
