"""Several selected conversations are selected again after a crash, in the list that they were selected in."""

import pytest

from app.ui.session.session_store import SavedPosition
from app.ui.window.main_window import MainWindow
from fakes.window.keyboard import Keyboard


def test_several_rows(window: MainWindow) -> None:
    window.activateWindow()
    window.show_page("inbox")
    page, keys = window.mail_page, Keyboard()
    assert "selected" not in page.parts.place(), "one row is the list's own place"
    keys.press("Down", "Shift+Down", "Shift+Down")
    place: SavedPosition = {"selected": page.parts.place()["selected"]}
    wanted = page.targets()
    assert len(wanted) == 3
    keys.press("End")
    window.show_page("sent")
    page.parts.begin_at(place)
    assert page.parts.waits("selected"), "that was another list"
    window.show_page("inbox")
    assert page.targets() == wanted


@pytest.mark.soak
def test_rows_that_are_gone_select_nothing(window: MainWindow) -> None:
    window.show_page("inbox")
    page = window.mail_page
    page.parts.begin_at({"selected": '[{"list": "inbox", "rows": "999998 x 999999"}]'})
    assert page.list.selected_count() == 1
