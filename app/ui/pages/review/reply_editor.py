"""Editor of a draft's text. Slots are shown as chips; spans are underlined and move with the text."""

from bisect import bisect_left

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QToolTip

from app.domain.drafting.draft import Span, SpanKind
from app.domain.record import Record, replace
from app.ui.editor.slots import (
    OBJECT,
    SLOT_TYPE,
    Positions,
    SlotPainter,
    at_slot,
    next_place,
    objects_in,
    plain_words,
    slot_at,
    slot_format,
    slot_places,
)
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Space
from app.ui.widgets.factory import plain_tip


class Mark(Record):
    """A span and the cursor that follows it through edits."""

    cursor: QTextCursor
    span: Span


class DraftEditor(QTextEdit):
    """Edits text with spans. Emits `left` on Escape."""

    left = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setProperty("role", "draft")
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self._appearance = appearance
        self._marks: list[Mark] = []
        self._painter = SlotPainter(appearance)
        self.document().documentLayout().registerHandler(SLOT_TYPE, self._painter)
        self.document().setDocumentMargin(Space.LARGE - 1)
        self.selectionChanged.connect(self._show_selected)
        appearance.changed.connect(self._paint_marks)

    def set_draft(self, body: str, spans: tuple[Span, ...]) -> None:
        """Shows a text with its spans and clears the undo history."""
        document = self.document()
        document.setUndoRedoEnabled(False)
        document.setPlainText(body)  # unlike inserted text, it is laid out only as far as visible, the rest later
        places = Positions(body)
        slots = [span for span in spans if span.kind is SpanKind.OPEN_SLOT]
        for slot in reversed(slots):
            self._cursor(places.position(slot.start)).insertText(OBJECT, slot_format(slot.note))
        self._marks = [self._mark(places, slots, span) for span in spans if span.kind is not SpanKind.OPEN_SLOT]
        document.setUndoRedoEnabled(True)
        self._paint_marks()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def draft(self) -> tuple[str, tuple[Span, ...]]:
        """Returns the text without slot objects, and the spans at their current positions."""
        raw = self.document().toRawText()
        places, objects = Positions(raw), objects_in(raw)
        body = raw.replace(OBJECT, "").replace("\u2029", "\n").replace("\u2028", "\n")
        spans: list[Span] = []
        for before, at in enumerate(objects):
            prompt = slot_at(self.document(), places.position(at))
            if prompt is not None:
                spans.append(Span(at - before, at - before, SpanKind.OPEN_SLOT, prompt))
        for mark in self._marks:
            ends = (places.offset(at) for at in (mark.cursor.selectionStart(), mark.cursor.selectionEnd()))
            start, end = (at - bisect_left(objects, at) for at in ends)
            if end > start:
                spans.append(replace(mark.span, start=start, end=end))
        return body, tuple(sorted(spans, key=lambda span: (span.start, span.end)))

    @property
    def slots(self) -> tuple[str, ...]:
        return tuple(span.note for span in self.draft()[1] if span.kind is SpanKind.OPEN_SLOT)

    def select_slot(self, forward: bool = True, from_start: bool = False) -> bool:
        places = slot_places(self.document())
        if not places:
            return False
        here = -1 if from_start else self.textCursor().selectionStart()
        self._select(next_place(places, here, forward=forward))
        self.setFocus()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        backwards = event.key() == Qt.Key.Key_Backtab
        if event.key() == Qt.Key.Key_Tab or backwards:
            if not self.select_slot(forward=not backwards):
                event.ignore()
            return
        super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Lets Tab change the focus only if there are no open slots."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
        ):
            self.setTabChangesFocus(not slot_places(self.document()))
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            note = self.note_at(self.cursorForPosition(event.pos()).position())
            QToolTip.showText(event.globalPos(), plain_tip(note), self)
            return True
        return super().viewportEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Selects a clicked slot, so that typing replaces it."""
        super().mouseReleaseEvent(event)
        if not self.textCursor().hasSelection():
            at = self.textCursor().position()
            spot = next((place for place in (at, at - 1) if place >= 0 and slot_at(self.document(), place) is not None), -1)
            if spot >= 0 and self.cursorRect(self._cursor(spot)).adjusted(0, 0, 4000, 0).contains(event.position().toPoint()):
                self._select(spot)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._painter.selected >= 0:
            QTimer.singleShot(0, self, self._reveal)

    def note_at(self, position: int) -> str:
        for mark in self._marks:
            if mark.cursor.selectionStart() <= position <= mark.cursor.selectionEnd() and mark.cursor.hasSelection():
                return mark.span.note
        return slot_at(self.document(), position) or ""

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.textCursor().insertText(plain_words(source), QTextCharFormat())

    def _mark(self, places: Positions, slots: list[Span], span: Span) -> Mark:
        """Returns the mark of a span. Document positions count the slot objects before it."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(places.position(span.start) + sum(1 for slot in slots if slot.start <= span.start))
        end = places.position(span.end) + sum(1 for slot in slots if slot.start < span.end)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return Mark(cursor, span)

    def _paint_marks(self) -> None:
        selections = []
        for mark in self._marks:
            unsupported = mark.span.kind is SpanKind.UNSUPPORTED
            selection = QTextEdit.ExtraSelection()
            form = QTextCharFormat()
            form.setUnderlineStyle(
                QTextCharFormat.UnderlineStyle.WaveUnderline if unsupported else QTextCharFormat.UnderlineStyle.DotLine
            )
            form.setUnderlineColor(self._appearance.colour("danger" if unsupported else "accent"))
            form.setBackground(self._appearance.colour("danger_soft" if unsupported else "accent_soft"))
            selection.cursor = mark.cursor
            selection.format = form
            selections.append(selection)
        self.setExtraSelections(selections)

    def _show_selected(self) -> None:
        """Draws a selected slot as such, because the usual selection would hide its text."""
        cursor = self.textCursor()
        single = cursor.selectionEnd() - cursor.selectionStart() == 1
        chosen = cursor.selectionStart() if single and slot_at(self.document(), cursor.selectionStart()) is not None else -1
        if chosen != self._painter.selected:
            self._painter.selected = chosen
            self.setProperty("slot", chosen >= 0)
            self.style().unpolish(self)
            self.style().polish(self)

    def _cursor(self, position: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        return cursor

    def _select(self, position: int) -> None:
        self.setTextCursor(at_slot(self.document(), position))
        self._reveal()

    def _reveal(self) -> None:
        self.ensureCursorVisible()
        below = self.cursorRect().bottom() + Space.LARGE - self.viewport().height()
        if below > 0:
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + below)
