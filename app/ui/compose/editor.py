"""The letter's text, with simple styles: bold, italic, links, lists; open places are chips as in Review.

Refuses pasted markup: words come in, their looks do not.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, QUrl, Signal
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence, QTextCharFormat, QTextCursor, QTextListFormat
from PySide6.QtWidgets import QTextEdit

from app.domain.letter import Style, StyleKind
from app.ui.appearance import Appearance
from app.ui.compose.formats import LISTS, fill, fragments, link_format, list_kind, no_link, toggled, words_of
from app.ui.review.offsets import to_units
from app.ui.review.slots import (
    OBJECT,
    SLOT_TYPE,
    SlotPainter,
    at_slot,
    next_place,
    plain_words,
    slot_format,
    slot_places,
)
from app.ui.scale import Space


class LetterEditor(QTextEdit):
    """`left` on Escape, `dropped` with files that were dragged here, `looks_changed` when the cursor stands in other styles."""

    left = Signal()
    dropped = Signal(list)
    looks_changed = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setProperty("role", "draft")
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self._appearance = appearance
        self._undone: Callable[[], bool] = lambda: False
        self._painter = SlotPainter(appearance)
        self.document().documentLayout().registerHandler(SLOT_TYPE, self._painter)
        self.document().setDocumentMargin(Space.LARGE - 1)
        self.document().setIndentWidth(Space.XLARGE)
        self.cursorPositionChanged.connect(self.looks_changed)
        self.currentCharFormatChanged.connect(lambda _format: self.looks_changed.emit())
        appearance.changed.connect(self._recolour)

    def undo_before(self, undone: Callable[[], bool]) -> None:
        """Ask `undone` at Ctrl+Z first: whether something else was to be taken back, and has been."""
        self._undone = undone

    def set_words(self, body: str, styles: tuple[Style, ...]) -> None:
        """Show words and styles."""
        fill(self.document(), body, styles, self._appearance.colour("accent"))
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def words(self) -> tuple[str, tuple[Style, ...]]:
        """The words and styles as they stand."""
        return words_of(self.document())

    def has(self, kind: StyleKind) -> bool:
        """Whether the cursor stands in a style."""
        if kind in LISTS:
            return list_kind(self.textCursor().block()) is kind
        form = self.currentCharFormat()
        if kind is StyleKind.LINK:
            return bool(form.isAnchor())
        return bool(form.fontItalic()) if kind is StyleKind.ITALIC else form.fontWeight() >= QFont.Weight.DemiBold

    def toggle(self, kind: StyleKind) -> None:
        """Bold, italic or a list, on or off."""
        if kind in LISTS:
            self._toggle_list(kind)
        else:
            self.mergeCurrentCharFormat(toggled(kind, not self.has(kind)))
        self.looks_changed.emit()

    def link(self) -> str:
        """The address of the link at the cursor, empty if there is none."""
        return self.currentCharFormat().anchorHref()

    def set_link(self, address: str) -> None:
        """Make the selection, the link at the cursor, or else the address itself a link; an empty address takes the link away."""
        cursor = self.textCursor()
        if not cursor.hasSelection() and self.link():
            self._select_link(cursor)
        if not address:
            form = no_link()
            form.setForeground(self._appearance.colour("text"))
            cursor.mergeCharFormat(form)
        elif cursor.hasSelection():
            cursor.mergeCharFormat(link_format(address, self._appearance.colour("accent")))
        else:
            cursor.insertText(address, link_format(address, self._appearance.colour("accent")))
            cursor.insertText(" ", QTextCharFormat())
        self.setFocus()

    def insert(self, body: str, styles: tuple[Style, ...]) -> None:
        """Put a template's words at the cursor, its open places as chips, and go to the first of them."""
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        start = cursor.position()
        cursor.insertText(body, QTextCharFormat())
        for slot in sorted((one for one in styles if one.kind is StyleKind.SLOT), key=lambda one: one.start, reverse=True):
            cursor.setPosition(start + to_units(body, slot.start))
            cursor.insertText(OBJECT, slot_format(slot.value))
        cursor.endEditBlock()
        place = QTextCursor(self.document())
        place.setPosition(start)
        self.setTextCursor(place)
        self.select_slot()

    def select_slot(self, forward: bool = True) -> bool:
        """Select the next open place, around the end if need be; whether there is one."""
        places = slot_places(self.document())
        if not places:
            return False
        here = self.textCursor().selectionStart() if self.textCursor().hasSelection() else self.textCursor().position() - 1
        self.setTextCursor(at_slot(self.document(), next_place(places, here, forward=forward)))
        self.setFocus()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves, Tab goes from place to place, Return in an empty list line ends the list."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        if event.matches(QKeySequence.StandardKey.Undo) and self._undone():
            return
        back = event.key() == Qt.Key.Key_Backtab
        if (event.key() == Qt.Key.Key_Tab or back) and self.select_slot(not back):
            return
        block = self.textCursor().block()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Backspace) and not block.text() and list_kind(block):
            self._leave_list()
            return
        super().keyPressEvent(event)

    def focusNextPrevChild(self, next_: bool) -> bool:
        """Tab is ours while a place is open."""
        return False if slot_places(self.document()) else super().focusNextPrevChild(next_)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text, and files, which are attached."""
        return source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Files are attached; anything else comes as plain words."""
        files = local_files(source)
        if files:
            self.dropped.emit(files)
            return
        self.textCursor().insertText(plain_words(source), QTextCharFormat())

    def _toggle_list(self, kind: StyleKind) -> None:
        if self.has(kind):
            self._leave_list()
            return
        made = QTextListFormat()
        made.setStyle(LISTS[kind])
        self.textCursor().createList(made)

    def _leave_list(self) -> None:
        cursor = self.textCursor()
        document, end = self.document(), self.document().findBlock(cursor.selectionEnd())
        block = document.findBlock(cursor.selectionStart())
        while block.isValid():
            if list_kind(block) is not None:
                block.textList().remove(block)
                form = block.blockFormat()
                form.setIndent(0)
                QTextCursor(block).setBlockFormat(form)
            if block == end:
                break
            block = block.next()
        self.looks_changed.emit()

    def _select_link(self, cursor: QTextCursor) -> None:
        """The whole link that the cursor stands in."""
        at = cursor.position()
        for fragment in fragments(cursor.block()):
            if fragment.charFormat().isAnchor() and fragment.position() <= at <= fragment.position() + fragment.length():
                cursor.setPosition(fragment.position())
                cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)

    def _recolour(self) -> None:
        """Another theme: links in its colour."""
        body, styles = self.words()
        if any(style.kind is StyleKind.LINK for style in styles):
            at = self.textCursor().position()
            self.set_words(body, styles)
            cursor = self.textCursor()
            cursor.setPosition(min(at, self.document().characterCount() - 1))
            self.setTextCursor(cursor)


def local_files(source: QMimeData) -> list[Path]:
    """The files of a drop or paste that lie on this machine."""
    urls: list[QUrl] = source.urls() if source.hasUrls() else []
    return [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
