"""Why, unfolded: as high as what it says, whether it was opened over an item or the item came while it was open."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore


@pytest.mark.parametrize("name", ["notify", "question"])
@pytest.mark.parametrize("open_first", [False, True])
def test_all_of_a_short_why_is_seen_without_scrolling(
    qtbot: QtBot, qapp: QApplication, window: MainWindow, store: LivelyStore, name: str, open_first: bool
) -> None:
    page = window.review_page
    page.open(store.reviews["meeting" if open_first else name])
    page.desk.why.toggle()
    page.open(store.reviews[name])
    area = page.desk.why.area
    qtbot.waitUntil(lambda: area.widget().height() > 0 and area.isVisible(), timeout=30_000)
    qtbot.waitUntil(lambda: area.widget().width() == area.viewport().width(), timeout=30_000)
    qapp.processEvents()  # lines that came while it was open are on screen now
    assert area.verticalScrollBar().maximum() == 0
    lines = area.widget().findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    last = max(line.geometry().bottom() for line in lines if not line.isHidden())
    assert 0 <= area.viewport().height() - last < 40, "nothing hidden, and no hole below"


def test_likeness_is_written_as_sureness_is(window: MainWindow, store: LivelyStore) -> None:
    page = window.review_page
    page.open(store.reviews["slots"])
    page.desk.why.toggle()
    said = [one.text() for one in page.desk.why.findChildren(QLabel)]
    assert {"91%", "82% alike"} <= set(said)
