"""A letter's words and styles as a text document, and back. Bold, italic, links, lists and open places; nothing else survives."""

from collections.abc import Iterator

from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextListFormat,
)

from app.domain.letter import Style, StyleKind
from app.ui.review.offsets import to_units
from app.ui.review.slots import OBJECT, SLOT_TYPE, prompt_of, slot_format
from app.ui.tips import plain_tip

SEPARATOR = "\u2028"
LISTS = {
    StyleKind.BULLET: QTextListFormat.Style.ListDisc,
    StyleKind.NUMBERED: QTextListFormat.Style.ListDecimal,
}


def fill(document: QTextDocument, body: str, styles: tuple[Style, ...], link_colour: QColor) -> None:
    """Show words with their styles; what was undone before cannot come back."""
    document.setUndoRedoEnabled(False)
    document.setPlainText(body)  # as a whole it is laid out as far as it is seen, the rest in turns; inserted, all of it now
    for style in styles:
        if style.kind is not StyleKind.SLOT:
            _apply(document, body, style, link_colour)
    for slot in sorted((one for one in styles if one.kind is StyleKind.SLOT), key=lambda one: one.start, reverse=True):
        cursor = QTextCursor(document)
        cursor.setPosition(to_units(body, slot.start))
        cursor.insertText(OBJECT, slot_format(slot.value))
    document.setUndoRedoEnabled(True)


def words_of(document: QTextDocument) -> tuple[str, tuple[Style, ...]]:
    """The words and their styles."""
    if not any(map(_styled, document.allFormats())):
        raw = document.toRawText().replace(OBJECT, "")
        return raw.replace("\u2029", "\n").replace(SEPARATOR, "\n"), ()
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
        block = block.next()
        if block.isValid():
            body += "\n"
    return body, tuple(_joined(styles, body))


def fragments(block: QTextBlock) -> Iterator[QTextFragment]:
    """A block's stretches of one format."""
    at = block.begin()
    while not at.atEnd():
        yield at.fragment()
        at += 1


def list_kind(block: QTextBlock) -> StyleKind | None:
    """The kind of list a block belongs to."""
    if block.blockFormat().objectIndex() < 0:
        return None
    return StyleKind.NUMBERED if block.textList().format().style() == QTextListFormat.Style.ListDecimal else StyleKind.BULLET


def link_format(address: str, colour: QColor) -> QTextCharFormat:
    """How a link looks."""
    made = QTextCharFormat()
    made.setAnchor(True)
    made.setAnchorHref(address)
    made.setForeground(colour)
    made.setFontUnderline(True)
    made.setToolTip(plain_tip(address))
    return made


def no_link() -> QTextCharFormat:
    """What takes a link away when it is merged."""
    made = QTextCharFormat()
    made.setAnchor(False)
    made.setAnchorHref("")
    made.setFontUnderline(False)
    made.setToolTip("")
    return made


def toggled(kind: StyleKind, on: bool) -> QTextCharFormat:
    """Bold or italic, on or off."""
    made = QTextCharFormat()
    if kind is StyleKind.BOLD:
        made.setFontWeight(QFont.Weight.Bold if on else QFont.Weight.Normal)
    else:
        made.setFontItalic(on)
    return made


def _apply(document: QTextDocument, body: str, style: Style, link_colour: QColor) -> None:
    cursor = QTextCursor(document)
    cursor.setPosition(to_units(body, max(0, min(style.start, len(body)))))
    cursor.setPosition(to_units(body, max(0, min(style.end, len(body)))), QTextCursor.MoveMode.KeepAnchor)
    if style.kind in LISTS:
        made = QTextListFormat()
        made.setStyle(LISTS[style.kind])
        cursor.createList(made)
    elif style.kind is StyleKind.LINK:
        cursor.mergeCharFormat(link_format(style.value, link_colour))
    else:
        cursor.mergeCharFormat(toggled(style.kind, True))


def _read(fragment: QTextFragment, at: int, styles: list[Style]) -> str:
    """A fragment's words; its styles are noted."""
    form = fragment.charFormat()
    text = fragment.text().replace(SEPARATOR, "\n")
    prompt = prompt_of(form)
    if prompt is not None:
        styles += [Style(at, at, StyleKind.SLOT, prompt)] * text.count(OBJECT)
        return ""
    text = text.replace(OBJECT, "")
    if form.fontWeight() >= QFont.Weight.DemiBold:
        styles.append(Style(at, at + len(text), StyleKind.BOLD))
    if form.fontItalic():
        styles.append(Style(at, at + len(text), StyleKind.ITALIC))
    if form.isAnchor() and form.anchorHref():
        styles.append(Style(at, at + len(text), StyleKind.LINK, form.anchorHref()))
    return text


def _styled(form: QTextFormat) -> bool:
    """Whether words of this format are more than words."""
    if form.isListFormat() or form.objectIndex() >= 0:
        return True
    char = form.toCharFormat()
    return char.objectType() == SLOT_TYPE or char.isAnchor() or char.fontItalic() or char.fontWeight() >= QFont.Weight.DemiBold


def _joined(styles: list[Style], body: str) -> list[Style]:
    """Neighbours of one kind and value as one; list lines touch across a line break."""
    joined: list[Style] = []
    for style in sorted(styles, key=lambda one: (one.kind, one.value, one.start)):
        last = joined[-1] if joined else None
        gap = 1 if style.kind in LISTS else 0
        same = last is not None and (last.kind, last.value) == (style.kind, style.value) and style.kind is not StyleKind.SLOT
        if last is not None and same and last.end + gap == style.start and (not gap or body[last.end : style.start] == "\n"):
            joined[-1] = Style(last.start, style.end, style.kind, style.value)
        else:
            joined.append(style)
    return sorted(
        (one for one in joined if one.kind in (StyleKind.SLOT, *LISTS) or one.end > one.start), key=lambda one: one.start
    )
