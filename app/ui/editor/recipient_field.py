"""A line of recipients with a status chip; Cc and Bcc lines."""

from collections import Counter
from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, QEvent, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QStyle, QStyleOptionFrame, QWidget

from app.domain.mail.message import Address
from app.ui.editor.recipients import RecipientContext, RecipientStatus, read, standing, standing_words, written
from app.ui.theme.metrics import Type, at_text_size
from app.ui.theme.painting import MEASURED
from app.ui.widgets.factory import button, chip, label, put, row, say
from app.ui.widgets.hints import plain_tip

INSET = 2
"""Pixels that Qt leaves at either side of a line edit's text."""


class RecipientLine(QLineEdit):
    """A line edit that elides its text while it has no focus. The tooltip then has all addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "quiet")
        self._whole = ""
        self.textChanged.connect(lambda _text: self._update_tooltip())

    @property
    def is_cut(self) -> bool:
        return self.fontMetrics().horizontalAdvance(self.text()[:MEASURED]) > self._room().width()

    def say_whole(self, addresses: Iterable[str]) -> None:
        """Sets the tooltip for an elided line, one address per line."""
        self._whole = "\n".join(addresses)
        self._update_tooltip()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_tooltip()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._update_tooltip()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints from the beginning, with an ellipsis if it does not fit."""
        if self.hasFocus() or not self.is_cut:
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        room = self._room()
        shown = self.fontMetrics().elidedText(self.text()[:MEASURED], Qt.TextElideMode.ElideRight, room.width())
        side = Qt.AlignmentFlag.AlignRight if self.isRightToLeft() else Qt.AlignmentFlag.AlignLeft
        painter.setPen(self.palette().text().color())
        painter.drawText(room, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
        painter.end()

    def _room(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        inside = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        return inside.adjusted(INSET, 0, -INSET, 0)

    def _update_tooltip(self) -> None:
        self.setToolTip(plain_tip(self._whole if self.is_cut else ""))


WORST_FIRST = (
    RecipientStatus.INVALID,
    RecipientStatus.LOOK_ALIKE,
    RecipientStatus.NEW,
    RecipientStatus.KNOWN,
    RecipientStatus.IN_THREAD,
)
NAME_WIDTH = 64


class RecipientField(QWidget):
    """Label, line and chip. Emits `edited` while the user types."""

    edited = Signal()

    def __init__(self, title: str) -> None:
        super().__init__()
        self._status_context = RecipientContext(frozenset(), frozenset(), frozenset())
        self._shown: tuple[str, tuple[Address, ...]] = ("", ())
        name = label(title, Type.CAPTION, "soft")
        name.setFixedWidth(at_text_size(NAME_WIDTH))
        self.line = RecipientLine()
        self.line.setAccessibleName(title)
        self._chip = chip()
        put(row(self), name, (self.line, 1), self._chip)
        self.line.textChanged.connect(self._mark)
        self.line.textEdited.connect(lambda _text: self.edited.emit())

    def show_addresses(self, addresses: tuple[Address, ...], around: RecipientContext) -> None:
        """Shows addresses; `around` decides what is known of them."""
        self._status_context = around
        self._shown = (written(addresses), addresses)
        self.line.setText(self._shown[0])
        self.line.setCursorPosition(0)
        self._mark()

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The addresses in the line. An unedited line returns exactly those that were shown."""
        text = self.line.text()
        return self._shown[1] if text == self._shown[0] else read(text)

    @property
    def standings(self) -> tuple[RecipientStatus, ...]:
        return tuple(standing(address, self._status_context) for address in self.addresses)

    @property
    def wrong(self) -> str:
        """The first invalid address as typed, empty if all are valid."""
        found = (one for one in self.addresses if standing(one, self._status_context) is RecipientStatus.INVALID)
        return next((one.email or one.name for one in found), "")

    def _mark(self) -> None:
        counts = Counter(self.standings)
        shown = [one for one in WORST_FIRST if counts[one]]
        self._chip.setVisible(bool(shown))
        lines = [f"{address.email}: {standing_words(standing(address, self._status_context))[0]}" for address in self.addresses]
        self.line.setAccessibleDescription("; ".join(lines))
        self.line.say_whole(written((one,)) for one in self.addresses)
        if not shown:
            return
        single = len(shown) == 1 and counts[shown[0]] == 1
        words = [standing_words(one)[0] if single else f"{counts[one]} {standing_words(one)[0]}" for one in shown]
        say(self._chip, ", ".join(words), standing_words(shown[0])[1])
        self._chip.setToolTip(plain_tip("\n".join(lines)))


class CopyLines:
    """The Cc and Bcc lines, hidden while empty. `more` is the link that shows them."""

    def __init__(self, cc: RecipientField, bcc: RecipientField) -> None:
        self._cc, self._bcc = cc, bcc
        self.more: QPushButton = button(self._missing(), "link", self.show)

    def fold(self) -> None:
        """Hides empty lines and names them in the link."""
        for field in (self._cc, self._bcc):
            field.setVisible(bool(field.addresses))
        self.more.setVisible(not (self._cc.addresses and self._bcc.addresses))
        self.more.setText(self._missing())

    def show(self) -> None:
        for field in (self._cc, self._bcc):
            field.show()
        self.more.hide()
        (self._bcc if self._cc.line.text() else self._cc).line.setFocus()

    def _missing(self) -> str:
        if self._cc.addresses:
            return QCoreApplication.translate("LetterCard", "Bcc")
        both = QCoreApplication.translate("LetterCard", "Cc, Bcc")
        return QCoreApplication.translate("LetterCard", "Cc") if self._bcc.addresses else both
