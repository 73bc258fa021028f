"""The card of a question scrolls when it must, and only then."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.review.detail_card import DetailCard
from app.ui.scrolled import Scrolled
from fakes.lively_store import LivelyStore
from fakes.page_stage import Stage


@pytest.mark.parametrize(("spare", "scrolls"), [(0, False), (-40, True)])
def test_a_question_scrolls_only_where_it_must(
    qtbot: QtBot, qapp: QApplication, lively_stage: Stage, store: LivelyStore, spare: int, scrolls: bool
) -> None:
    card = DetailCard(lively_stage.context)
    qtbot.addWidget(card)
    card.show_review(store.desk().review(store.reviews["question"]))
    card.resize(660, 600)
    with qtbot.waitExposed(card, timeout=30_000):
        card.show()
    area = card.findChildren(Scrolled)[0]
    layout = area.widget().layout()
    assert layout is not None
    around = card.height() - area.viewport().height()
    card.resize(660, layout.totalHeightForWidth(area.viewport().width()) + around + spare)
    qapp.processEvents()
    assert (area.verticalScrollBar().maximum() > 0) is scrolls
    assert card.answer.height() == card.answer.maximumHeight(), "never squeezed"
