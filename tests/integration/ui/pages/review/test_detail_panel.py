"""The panel of a review: reasons as high as what they say, the line in the message's place, and the marks of a draft in words."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.domain.drafting.draft import Span, SpanKind
from app.ui.pages.review.draft_card import marks_spoken
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


BODY = "We ship on\nMonday, by Friday."


def test_what_holds_an_approval_back_comes_first() -> None:
    source = Span(0, 17, SpanKind.FROM_SOURCE)
    spans = (source, Span(19, 28, SpanKind.UNSUPPORTED, "why"), Span(29, 29, SpanKind.OPEN_SLOT, "price"))
    assert marks_spoken(BODY, spans) == "To fill in: price. In no source: “by Friday”. From a source: “We ship on Monday”."
    assert marks_spoken(BODY, (source,)) == "From a source: “We ship on Monday”."
    assert marks_spoken(BODY, ()) == ""
