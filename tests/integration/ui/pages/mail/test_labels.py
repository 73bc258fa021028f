"""The owner's own labels: a chip in the row and above the conversation, which takes the label off."""

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.domain.protocol.changes import ChangeLabels
from app.ui.lists.row_painter import LOOK_ROLE, RowPresentation
from app.ui.pages.mail.page import MailPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.answering_engine import AnsweringEngine

CLUB = "Label_7"


@pytest.fixture
def link(store: LivelyStore) -> AnsweringEngine:
    """An engine that makes the changes."""
    return AnsweringEngine(store)


@pytest.fixture
def page(window: MainWindow, store: LivelyStore) -> MailPage:
    with store.db.transaction() as connection:
        connection.execute("INSERT INTO labels VALUES (?, ?, 'Club', 'user')", (store.account_id, CLUB))
    window.show_page("inbox")
    window.activateWindow()
    return window.mail_page


def chips(page: MailPage) -> list[QPushButton]:
    return [one for one in page.desk.labels.findChildren(QPushButton) if one.isVisible()]


def in_row(page: MailPage, row: int) -> list[str]:
    look = page.model.data(page.model.index(row, 0), LOOK_ROLE)
    assert isinstance(look, RowPresentation)
    return [chip.text for chip in look.chips]


def test_a_label_is_seen_at_the_conversation_and_taken_off_there(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    plain = next(row for row in range(page.model.rowCount()) if not in_row(page, row))
    busy = next(row for row in range(page.model.rowCount()) if in_row(page, row))
    state, both = in_row(page, busy), [page.model.id_at(one) for one in (plain, busy)]
    page.list.select_row(plain)
    page.take_focus()
    page.reading.settle()
    assert not page.desk.labels.isVisible()
    link.send(ChangeLabels("k", tuple(both), (CLUB,), ()))  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: [one.text() for one in chips(page)] == ["Club  ×"])
    assert in_row(page, plain) == ["Club"]
    assert in_row(page, busy) == state, "what is to be done comes first"
    chips(page)[0].click()
    assert isinstance(link.commands[-1], ChangeLabels) and link.commands[-1].remove == (CLUB,)
    qtbot.waitUntil(lambda: not page.desk.labels.isVisible() and not in_row(page, plain))
    page.context.actions["window.undo"].trigger()
    qtbot.waitUntil(page.desk.labels.isVisible)
