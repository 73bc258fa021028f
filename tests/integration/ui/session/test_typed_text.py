"""Typed text is put back in every kind of field."""

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.ui.session.session_store import line_of, text_of, type_again, typed_texts


def box() -> QComboBox:
    made = QComboBox()
    made.setEditable(True)
    return made


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit, QTextEdit, box])
def test_text_is_set_again(qtbot: QtBot, kind: type[QWidget]) -> None:
    holder = kind()
    qtbot.addWidget(holder)
    field = line_of(holder)
    assert field is not None
    type_again({"text": "Dear Ana"}, text=field)
    assert typed_texts(text=field) == {"text": "Dear Ana"}
    type_again({"other": "x", "text": 3}, text=field)
    assert text_of(field) == "Dear Ana", "only text, and only its own"
