"""Text of any input field. Works for line edits, plain text, rich text and editable combo boxes."""

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from app.ui.session.session_store import PageState

Field = QLineEdit | QPlainTextEdit | QTextEdit


def line_of(field: QWidget) -> Field | None:
    """The text field of a widget, None if it has none."""
    if isinstance(field, QComboBox):
        return field.lineEdit()
    return field if isinstance(field, Field) else None


def text_of(field: Field) -> str:
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText()


def typed_texts(**fields: Field) -> PageState:
    return {name: text_of(field) for name, field in fields.items()}


def type_again(state: PageState, **fields: Field) -> None:
    """Sets the saved texts, with the cursor at their end. Fields that the state does not name stay as they are."""
    for name, field in fields.items():
        text = state.get(name)
        if not isinstance(text, str) or text == text_of(field):
            continue
        if isinstance(field, QLineEdit):
            field.setText(text)
        else:
            field.setPlainText(text)
            field.moveCursor(QTextCursor.MoveOperation.End)
