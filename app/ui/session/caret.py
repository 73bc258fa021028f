"""Text and cursor of any input field. Works for line edits, plain text, rich text and editable combo boxes."""

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from app.ui.session.session_store import SavedPosition, number

Field = QLineEdit | QPlainTextEdit | QTextEdit


def line_of(field: QWidget) -> Field | None:
    """The text field of a widget, None if it has none."""
    if isinstance(field, QComboBox):
        return field.lineEdit()
    return field if isinstance(field, Field) else None


def words_of(field: Field) -> str:
    """The field's text."""
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText()


def put_words(field: Field, words: str) -> None:
    """Sets the text, unless it is the same."""
    if words_of(field) == words:
        return
    if isinstance(field, QLineEdit):
        field.setText(words)
    else:
        field.setPlainText(words)


def caret_of(field: Field) -> tuple[int, int]:
    """Cursor position and start of the selection, in characters."""
    if isinstance(field, QLineEdit):
        at, start = field.cursorPosition(), field.selectionStart()
        return (at, at) if start < 0 else (at, field.selectionEnd() if at == start else start)
    cursor = field.textCursor()
    return cursor.position(), cursor.anchor()


def put_caret(field: Field, at: int, anchor: int) -> None:
    """Sets cursor and selection, limited to the text's length."""
    last = len(words_of(field))
    at, anchor = min(max(at, 0), last), min(max(anchor, 0), last)
    if isinstance(field, QLineEdit):
        field.setCursorPosition(at)
        if at != anchor:
            field.setSelection(anchor, at - anchor)
        return
    cursor = field.textCursor()
    cursor.setPosition(anchor)
    cursor.setPosition(at, QTextCursor.MoveMode.KeepAnchor)
    field.setTextCursor(cursor)


def spot_of(**fields: Field) -> SavedPosition:
    """Text and cursor of each field, by name."""
    found: SavedPosition = {}
    for name, field in fields.items():
        at, anchor = caret_of(field)
        found |= {name: words_of(field), f"{name}.at": at, f"{name}.from": anchor}
    return found


def put_spot(spot: SavedPosition, **fields: Field) -> None:
    """Restores text and cursor. Fields that the spot does not name stay as they are."""
    for name, field in fields.items():
        words = spot.get(name)
        if isinstance(words, str):
            put_words(field, words)
            put_caret(field, number(spot, f"{name}.at"), number(spot, f"{name}.from"))
