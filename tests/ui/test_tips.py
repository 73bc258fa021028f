"""Tooltips show what somebody wrote, whatever it looks like."""

import pytest
from PySide6.QtGui import QTextDocument

from app.ui.tips import plain_tip


@pytest.mark.parametrize(
    "words",
    [
        "Re: order 4411",
        "Re: <img src='file://host/share/x.png'> hi",
        "a < b and c > d",
        "x &lt; y",
        "<b>one</b>\n  two & three",
        "",
    ],
)
def test_words_are_shown_as_they_stand(words: str) -> None:
    tip = plain_tip(words)
    assert "<img" not in tip
    assert "<b>" not in tip
    if tip != words:
        document = QTextDocument()
        document.setHtml(tip)
        assert document.toPlainText() == words


def test_plain_words_are_left_alone() -> None:
    assert plain_tip("Ana <ana@example.org>\n2 lines") == "Ana <ana@example.org>\n2 lines"
