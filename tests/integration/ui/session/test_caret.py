"""Words and caret are put back in every kind of field."""

import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.ui.session.caret import caret_of, line_of, put_caret, put_words, words_of


def box() -> QComboBox:
    """One that is typed into."""
    made = QComboBox()
    made.setEditable(True)
    return made


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit, QTextEdit, box])
def test_words_and_caret(qtbot: QtBot, kind: type[QWidget]) -> None:
    holder = kind()
    qtbot.addWidget(holder)
    field = line_of(holder)
    assert field is not None
    put_words(field, "Dear Ana")
    put_caret(field, 8, 5)
    assert (words_of(field), caret_of(field)) == ("Dear Ana", (8, 5))
    put_caret(field, 2, 6)
    assert caret_of(field) == (2, 6)
    put_caret(field, 99, 99)
    assert caret_of(field) == (8, 8), "as far as there are words"


def test_what_has_no_words(qtbot: QtBot) -> None:
    for one in (QComboBox(), QLabel("x")):
        qtbot.addWidget(one)
        assert line_of(one) is None
