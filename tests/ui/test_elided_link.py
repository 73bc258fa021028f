"""A link that is cut where there is too little room, and nowhere else."""

from pytestqt.qtbot import QtBot

from app.ui.elided_link import ElidedLink
from fakes.page_stage import Stage


def test_words_are_cut_on_screen_only(qtbot: QtBot, lively_stage: Stage) -> None:
    words = "find " * 60
    link = ElidedLink(words)
    link.setIcon(lively_stage.context.icons.icon("assistant"))
    qtbot.addWidget(link)
    link.resize(200, 30)
    link.show()
    assert link.text().endswith("…")
    assert link.fontMetrics().horizontalAdvance(link.text()) <= 200
    assert link.accessibleName() == words
    link.resize(link.sizeHint())
    assert link.text() == words
