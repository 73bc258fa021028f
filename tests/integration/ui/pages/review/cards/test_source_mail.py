"""The line in the original's place has the height of its words."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.pages.review.cards.source_mail import SourceMailLine


def test_a_style_sheets_rounding_cuts_no_words(qtbot: QtBot) -> None:
    """At 125 % text size the height that a style sheet gives a link was a pixel less than its words need."""
    original, answer = QWidget(), QWidget()
    strip = SourceMailLine(original, answer)
    for one in (original, answer, strip):
        qtbot.addWidget(one)
    strip.share(True)
    needed = strip.turn.sizeHint().height()
    strip.turn.setMinimumHeight(needed - 1)
    assert strip.minimumSizeHint().height() == needed
