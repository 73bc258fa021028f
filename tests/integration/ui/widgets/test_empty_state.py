"""Every empty page stands on the ground of the headings, whatever lies around it."""

import pytest
from pytestqt.qtbot import QtBot

from app.ui.widgets.empty_state import EmptyState
from app.ui.window.main_window import MainWindow


@pytest.mark.parametrize("name", ["review", "memory", "templates", "waiting", "outbox", "assistant", "activity"])
def test_an_empty_page_has_one_ground(qtbot: QtBot, window: MainWindow, name: str) -> None:
    window.show_page(name)
    page = window.page(name)
    for state in page.findChildren(EmptyState):
        state.show_state("empty", "Nothing", "")
        state.setParent(page)
        state.resize(200, 200)
        state.show()
        corner = state.grab().toImage().pixelColor(2, 2)
        assert corner == window.review_page.context.appearance.colour("surface"), name
