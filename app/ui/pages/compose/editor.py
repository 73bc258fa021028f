"""The text editor of a letter. Converts between text with styles and a `QTextDocument`.

Supports bold, italic, links, lists, pictures and slots; other formatting is dropped.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QImageWriter,
    QKeyEvent,
    QKeySequence,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFragment,
    QTextImageFormat,
    QTextListFormat,
)
from PySide6.QtWidgets import QApplication, QTextEdit

from app.domain.mail.letter import MOST_PICTURE_BYTES, Style, StyleKind, picture_type
from app.ui.editor.slots import (
    OBJECT,
    SLOT_TYPE,
    Positions,
    SlotPainter,
    at_slot,
    next_place,
    plain_words,
    prompt_of,
    slot_format,
    slot_places,
)
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Space, at_text_size
from app.ui.widgets.factory import plain_tip

SEPARATOR = "\u2028"
SHORT_NAME = re.compile(r"(?:^|(?<=\s));(\w[\w-]*)$")
LINKABLE = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
LONGEST_PASTED = 1_000_000
PLAIN_PASTE = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier | Qt.Key.Key_V
LISTS = {StyleKind.BULLET: QTextListFormat.Style.ListDisc, StyleKind.NUMBERED: QTextListFormat.Style.ListDecimal}


def fill(document: QTextDocument, body: str, styles: tuple[Style, ...], link_colour: QColor) -> None:
    """Fills the document with text and styles and clears its undo history."""
    document.setUndoRedoEnabled(False)
    document.setPlainText(body)  # unlike inserted text, it is laid out only as far as visible, the rest later
    put_styles(QTextCursor(document), 0, body, styles, link_colour)
    document.setUndoRedoEnabled(True)


def put_styles(cursor: QTextCursor, start: int, body: str, styles: tuple[Style, ...], link_colour: QColor) -> None:
    """Gives a text that stands at `start` its styles, slots and pictures."""
    places = Positions(body)
    for style in styles:
        if style.kind in NO_WIDTH:
            continue
        cursor.setPosition(start + places.position(max(0, style.start)))
        cursor.setPosition(start + places.position(max(0, style.end)), QTextCursor.MoveMode.KeepAnchor)
        if style.kind in LISTS:
            cursor.createList(LISTS[style.kind])
        elif style.kind is StyleKind.LINK:
            cursor.mergeCharFormat(link_format(style.value, link_colour))
        else:
            cursor.mergeCharFormat(toggled(style.kind, True))
    objects = sorted((style for style in styles if style.kind in NO_WIDTH), key=lambda style: style.start)
    for one in reversed(objects):
        cursor.setPosition(start + places.position(one.start))
        if one.kind is StyleKind.SLOT:
            cursor.insertText(OBJECT, slot_format(one.value))
        else:
            cursor.insertImage(picture_format(cursor.document(), one.value))


NO_WIDTH = (StyleKind.SLOT, StyleKind.PICTURE)
PICTURE = "picture"
WIDEST_PICTURE = 480
"""In pixels at 100 %. A picture is sent as it is; this is how it is shown."""


def picture_format(document: QTextDocument, name: str) -> QTextImageFormat:
    """The format that shows a picture of the letter, no wider than `WIDEST_PICTURE`."""
    made, address = QTextImageFormat(), QUrl(f"{PICTURE}:{name}")
    made.setName(address.toString())
    made.setToolTip(plain_tip(name))
    found = document.resource(int(QTextDocument.ResourceType.ImageResource), address)
    if isinstance(found, QImage) and not found.isNull():
        made.setWidth(min(found.width(), at_text_size(WIDEST_PICTURE)))
    return made


def words_of(document: QTextDocument) -> tuple[str, tuple[Style, ...]]:
    body = ""
    styles: list[Style] = []
    block = document.begin()
    while block.isValid():
        start = len(body)
        for fragment in fragments(block):
            body += _read(fragment, len(body), styles)
        kind = list_kind(block)
        if kind is not None:
            styles.append(Style(start, len(body), kind))
        before, block = block, block.next()
        if block.isValid():  # between two paragraphs of pasted HTML may be room, in the editor there is none
            listed = kind is not None and list_kind(block) is not None
            apart = not listed and max(before.blockFormat().bottomMargin(), block.blockFormat().topMargin()) > 0
            body += "\n\n" if apart else "\n"
    return body, tuple(_joined(styles, body))


def fragments(block: QTextBlock) -> Iterator[QTextFragment]:
    at = block.begin()
    while not at.atEnd():
        yield at.fragment()
        at += 1


def list_kind(block: QTextBlock) -> StyleKind | None:
    """Returns the kind of list the block is in, None outside lists."""
    if block.blockFormat().objectIndex() < 0:
        return None
    return StyleKind.NUMBERED if block.textList().format().style() == QTextListFormat.Style.ListDecimal else StyleKind.BULLET


def link_format(address: str, colour: QColor) -> QTextCharFormat:
    """The format of a link. Without an address it removes one when merged."""
    made = QTextCharFormat()
    made.setAnchor(bool(address))
    made.setAnchorHref(address)
    made.setForeground(colour)
    made.setFontUnderline(bool(address))
    made.setToolTip(plain_tip(address))
    return made


def toggled(kind: StyleKind, on: bool) -> QTextCharFormat:
    """Returns the format that switches bold or italic on or off."""
    made = QTextCharFormat()
    if kind is StyleKind.BOLD:
        made.setFontWeight(QFont.Weight.Bold if on else QFont.Weight.Normal)
    else:
        made.setFontItalic(on)
    return made


def _read(fragment: QTextFragment, at: int, styles: list[Style]) -> str:
    """Returns a fragment's text and appends its styles to `styles`."""
    form = fragment.charFormat()
    text = fragment.text().replace(SEPARATOR, "\n")
    prompt = QUrl(form.toImageFormat().name()).path() if form.isImageFormat() else prompt_of(form)
    if prompt is not None:
        kind = StyleKind.PICTURE if form.isImageFormat() else StyleKind.SLOT
        styles += [Style(at, at, kind, prompt)] * text.count(OBJECT)
        return ""
    text = text.replace(OBJECT, "")
    looks = {
        StyleKind.BOLD: form.fontWeight() >= QFont.Weight.DemiBold,
        StyleKind.ITALIC: form.fontItalic(),
        StyleKind.LINK: form.isAnchor() and bool(form.anchorHref()),
    }
    for kind, has in looks.items():
        if has:
            styles.append(Style(at, at + len(text), kind, form.anchorHref() if kind is StyleKind.LINK else ""))
    return text


def _joined(styles: list[Style], body: str) -> list[Style]:
    """Merges adjacent styles of the same kind and value; list lines are adjacent across a line break.

    Slots and pictures stay in their order, which may be of several at one place.
    """
    objects = [style for style in styles if style.kind in NO_WIDTH]
    joined: list[Style] = []
    for style in sorted(set(styles) - set(objects), key=lambda style: (style.kind, style.value, style.start)):
        last = joined[-1] if joined else None
        gap = 1 if style.kind in LISTS else 0
        same = last is not None and (last.kind, last.value) == (style.kind, style.value)
        if last is not None and same and last.end + gap == style.start and (not gap or body[last.end : style.start] == "\n"):
            joined[-1] = Style(last.start, style.end, style.kind, style.value)
        else:
            joined.append(style)
    wide = [style for style in joined if style.kind in LISTS or style.end > style.start]
    return sorted((*objects, *wide), key=lambda style: style.start)


class LetterTextEditor(QTextEdit):
    """Text editor of a letter.

    Emits `left` on Escape, `dropped` with dropped or pasted files, `pictured` with the bytes of a picture, and `looks_changed`
    when the styles at the cursor may have changed.
    """

    left = Signal()
    dropped = Signal(list)
    pictured = Signal(bytes)
    looks_changed = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setProperty("role", "draft")
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self._appearance = appearance
        self.picture: Callable[[str], bytes] = lambda _name: b""
        """Reads a picture of the letter by its name."""
        self.undo_first: Callable[[], bool] = lambda: False
        """Is called on Ctrl+Z; if it returns True, the editor undoes nothing."""
        self.expand: Callable[[str], bool] = lambda _name: False
        """Inserts a template by name, on Tab behind `;name`, which is taken out first."""
        self._painter = SlotPainter(appearance)
        self.document().documentLayout().registerHandler(SLOT_TYPE, self._painter)
        self.document().setDocumentMargin(Space.LARGE - 1)
        self.document().setIndentWidth(Space.XLARGE)
        self.cursorPositionChanged.connect(self.looks_changed)
        self.currentCharFormatChanged.connect(lambda _format: self.looks_changed.emit())
        appearance.changed.connect(self._recolour)

    def _short_name(self) -> str:
        """The name behind a semicolon at the cursor, empty for none."""
        cursor = self.textCursor()
        found = SHORT_NAME.search(cursor.block().text()[: cursor.positionInBlock()])
        return found[1] if found and not cursor.hasSelection() else ""

    def _expand_name(self) -> bool:
        """Replaces `;name` by the template of that name. Returns whether there is one."""
        name, cursor = self._short_name(), self.textCursor()
        if not name:
            return False
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(name) + 1)
        self.setTextCursor(cursor)
        if self.expand(name):
            return True
        cursor.clearSelection()
        cursor.movePosition(QTextCursor.MoveOperation.Right, n=len(name) + 1)
        self.setTextCursor(cursor)
        return False

    def set_words(self, body: str, styles: tuple[Style, ...]) -> None:
        fill(self.document(), body, styles, self._appearance.colour("accent"))
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def words(self) -> tuple[str, tuple[Style, ...]]:
        return words_of(self.document())

    def has(self, kind: StyleKind) -> bool:
        if kind in LISTS:
            return list_kind(self.textCursor().block()) is kind
        form = self.currentCharFormat()
        if kind is StyleKind.LINK:
            return bool(form.isAnchor())
        return bool(form.fontItalic()) if kind is StyleKind.ITALIC else form.fontWeight() >= QFont.Weight.DemiBold

    def toggle(self, kind: StyleKind) -> None:
        if kind not in LISTS:
            self.mergeCurrentCharFormat(toggled(kind, not self.has(kind)))
        elif self.has(kind):
            self._leave_list()
        else:
            self.textCursor().createList(LISTS[kind])
        self.looks_changed.emit()

    def link(self) -> str:
        return self.currentCharFormat().anchorHref()

    def set_link(self, address: str) -> None:
        """Links the selection, else changes the link at the cursor, else inserts a link.

        An empty address removes the link.
        """
        cursor = self.textCursor()
        at = cursor.position()
        for fragment in fragments(cursor.block()) if not cursor.hasSelection() and self.link() else ():
            if fragment.charFormat().isAnchor() and fragment.position() <= at <= fragment.position() + fragment.length():
                cursor.setPosition(fragment.position())
                cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
        form = link_format(address, self._appearance.colour("accent" if address else "text"))
        if cursor.hasSelection() or not address:
            cursor.mergeCharFormat(form)
        else:
            cursor.insertText(address, form)
            cursor.insertText(" ", QTextCharFormat())
        self.setFocus()

    def insert(self, body: str, styles: tuple[Style, ...]) -> None:
        """Inserts a text with styles and slots at the cursor and selects the first slot."""
        cursor, colour = self.textCursor(), self._appearance.colour("accent")
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        start = cursor.position()
        cursor.insertText(body, QTextCharFormat())
        end = QTextCursor(cursor)
        put_styles(cursor, start, body, styles, colour)
        cursor.endEditBlock()
        cursor.setPosition(start)
        self.setTextCursor(cursor)
        if not self.select_slot():
            self.setTextCursor(end)
            self.setCurrentCharFormat(QTextCharFormat())

    def rewrite(self, body: str, styles: tuple[Style, ...]) -> None:
        """Puts a text in place of the selection, else of the whole text. One step to undo."""
        if not self.textCursor().hasSelection():
            self.selectAll()
        self.insert(body, styles)
        self.setFocus()

    def select_slot(self, forward: bool = True) -> bool:
        """Selects the next slot, or the previous one, wrapping around. Returns whether there is one."""
        places = slot_places(self.document())
        if not places:
            return False
        here = self.textCursor().selectionStart() if self.textCursor().hasSelection() else self.textCursor().position() - 1
        self.setTextCursor(at_slot(self.document(), next_place(places, here, forward=forward)))
        self.setFocus()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handles Escape and Tab between slots. Return or Backspace in an empty list item ends the list."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        if event.matches(QKeySequence.StandardKey.Undo) and self.undo_first():
            return
        back = event.key() == Qt.Key.Key_Backtab
        if event.key() == Qt.Key.Key_Tab and self._expand_name():
            return
        if (event.key() == Qt.Key.Key_Tab or back) and self.select_slot(not back):
            return
        if event.keyCombination() == PLAIN_PASTE:
            self.paste_plain()
            return
        block = self.textCursor().block()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Backspace) and not block.text() and list_kind(block):
            self._leave_list()
            return
        super().keyPressEvent(event)

    def focusNextPrevChild(self, next_: bool) -> bool:
        """Keeps Tab in the editor while there are slots, or a template's name at the cursor."""
        if next_ and self._short_name() and self._expand_name():
            return True
        return False if slot_places(self.document()) else super().focusNextPrevChild(next_)

    def loadResource(self, type: int, name: QUrl | str) -> object:
        """Loads a picture of the letter. Anything else stays unread."""
        address = QUrl(name)
        return QImage.fromData(self.picture(address.path())) if address.scheme() == PICTURE else None

    def put_picture(self, name: str) -> None:
        self.textCursor().insertImage(picture_format(self.document(), name))

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Accepts text, pictures, and files to attach."""
        return source.hasUrls() or source.hasImage() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Emits files as `dropped` and pictures as `pictured`; inserts text with the styles that a letter has."""
        files = local_files(source)
        pictures = {path: data for path in files if (data := picture_data(path))}
        for data in pictures.values():
            self.pictured.emit(data)
        if files:
            rest = [one for one in files if one not in pictures]
            self.dropped.emit(rest) if rest else None
            return
        if source.hasImage() and not source.hasText():
            self.pictured.emit(as_png(QImage(source.imageData())))
            return
        self.insert(*styled_words(source))

    def paste_plain(self) -> None:
        """Pastes text without its styles."""
        self.insert(plain_words(QApplication.clipboard().mimeData()), ())

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

    def _recolour(self) -> None:
        body, styles = self.words()
        if any(style.kind is StyleKind.LINK for style in styles):
            at = self.textCursor().position()
            self.set_words(body, styles)
            cursor = self.textCursor()
            cursor.setPosition(min(at, self.document().characterCount() - 1))
            self.setTextCursor(cursor)


def styled_words(source: QMimeData) -> tuple[str, tuple[Style, ...]]:
    """Pasted text with the styles of its HTML. Tables and very long HTML are plain text."""
    html = source.html().replace(OBJECT, "") if source.hasHtml() else ""
    if not html or len(html) > LONGEST_PASTED or "<table" in html.lower():
        return plain_words(source), ()
    document = QTextDocument()
    document.setHtml(html)
    body, styles = words_of(document)
    kept = (one for one in styles if one.kind not in NO_WIDTH)
    return body, tuple(one for one in kept if one.kind is not StyleKind.LINK or LINKABLE.match(one.value))


def picture_data(path: Path) -> bytes:
    """The bytes of a picture that the text can show, empty for any other file."""
    try:
        data = path.read_bytes() if path.stat().st_size <= MOST_PICTURE_BYTES else b""
    except OSError:
        return b""  # attaching it says why
    return data if picture_type(data) else b""


def as_png(image: QImage) -> bytes:
    data = QBuffer()
    data.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(data, QByteArray(b"PNG")).write(image)
    return bytes(data.data().data())


def local_files(source: QMimeData) -> list[Path]:
    urls: list[QUrl] = source.urls() if source.hasUrls() else []
    return [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
