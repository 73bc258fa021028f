"""A letter of nothing but words is read as a whole, one with styles stretch by stretch; both come out as they went in."""

from PySide6.QtGui import QColor, QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from app.domain.mail.letter import Style, StyleKind
from app.ui.pages.compose.editor import fill, toggled, words_of


def test_what_was_bold_for_a_while_is_plain_again(qtbot: QtBot) -> None:
    document = QTextDocument()
    fill(document, "some words", (), QColor("blue"))
    cursor = QTextCursor(document)
    cursor.movePosition(QTextCursor.MoveOperation.NextWord, QTextCursor.MoveMode.KeepAnchor)
    cursor.mergeCharFormat(toggled(StyleKind.BOLD, True))
    assert words_of(document) == ("some words", (Style(0, 5, StyleKind.BOLD),))
    cursor.mergeCharFormat(toggled(StyleKind.BOLD, False))
    assert words_of(document) == ("some words", ())
