"""What stands beside and above a conversation: tools by view, times and labels in rows, the menu, the sender's card."""

from datetime import timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.ids import ThreadId
from app.domain.protocol.changes import ChangeLabels
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import SettingsChanged
from app.domain.protocol.views import MailView
from app.store.mail.snoozes import Snoozes
from app.ui.lists.row_painter import LOOK_ROLE
from app.ui.message.header import Monogram
from app.ui.pages.mail.desk import NAMES
from app.ui.pages.mail.page import MailPage
from app.ui.pages.mail.thread_actions import PARTS, gmail_page
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.answering_engine import AnsweringEngine
from fakes.window.keyboard import press

CLUB = "Label_7"


@pytest.fixture
def link(store: LivelyStore) -> AnsweringEngine:
    """An engine that makes the changes."""
    return AnsweringEngine(store)


@pytest.fixture
def page(window: MainWindow, store: LivelyStore, qtbot: QtBot) -> MailPage:
    with store.db.transaction() as connection:
        connection.execute("INSERT INTO labels VALUES (?, ?, 'Club', 'user')", (store.account_id, CLUB))
    window.show_page("inbox")
    window.activateWindow()
    page = window.mail_page
    page.list.select_row(page.model.row_of(store.mails["m03"].thread_id))
    qtbot.waitUntil(lambda: page.reading.settled and page.reading.thread_id == store.mails["m03"].thread_id)
    page.take_focus()
    return page


def shown(part: QWidget) -> list[QPushButton]:
    return [one for one in part.findChildren(QPushButton) if one.isVisible()]


def in_row(page: MailPage, row: int) -> list[str]:
    return [chip.text for chip in page.model.data(page.model.index(row, 0), LOOK_ROLE).chips]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("view", "gone"),
    [
        (MailView.INBOX, {"mail.inbox"}),
        (MailView.SPAM, {"mail.archive"}),
        (MailView.TRASH, {"mail.archive", "mail.trash"}),
    ],
)
def test_what_changes_nothing_is_not_offered(page: MailPage, view: MailView, gone: set[str]) -> None:
    page.show_view(view)
    assert {name for name, tool in page.tools.tools.items() if not tool.isHidden()} == set(NAMES) - gone


def test_a_snoozed_row_says_when_it_comes_back(page: MailPage, window: MainWindow, store: LivelyStore) -> None:
    def spoken() -> str:
        return str(page.model.data(page.model.index(0, 0), int(Qt.ItemDataRole.AccessibleTextRole)))

    Snoozes(store.db, store.clock).put("k", [ThreadId(store.mails["m01"].thread_id)], store.now + timedelta(days=2))
    window.show_page("snoozed")
    assert page.model.rowCount() == 1
    assert "back on Sun" in spoken()
    window.show_page("all")
    assert "back" not in spoken()


def test_rows_become_compact(page: MailPage, window: MainWindow, data: DataFolder, link: AnsweringEngine) -> None:
    before, current = page.list.row_height, page.list.current_row()
    window.actions_by_id["mail.density"].trigger()
    assert link.commands[-1] == ChangeSettings((("reading.density", '"compact"'),))
    data.settings.write_text('[reading]\ndensity = "compact"\n', encoding="utf-8")
    link.tell(SettingsChanged(""))
    assert page.list.row_height < before * 0.7
    assert page.list.verticalHeader().sectionSize(1) == page.list.row_height  # the first has a heading
    assert page.list.current_row() == current


def test_a_label_is_seen_at_the_conversation_and_taken_off_there(qtbot: QtBot, page: MailPage, link: AnsweringEngine) -> None:
    plain = next(row for row in range(page.model.rowCount()) if not in_row(page, row))
    busy = next(row for row in range(page.model.rowCount()) if in_row(page, row))
    state, both = in_row(page, busy), [page.model.id_at(one) for one in (plain, busy)]
    page.list.select_row(plain)
    page.reading.settle()
    assert not page.desk.labels.isVisible()
    link.send(ChangeLabels("k", tuple(both), (CLUB,), ()))  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: [one.text() for one in shown(page.desk.labels)] == ["Club  ×"])
    assert in_row(page, plain) == ["Club"]
    assert in_row(page, busy) == state, "what is to be done comes first"
    shown(page.desk.labels)[0].click()
    assert isinstance(link.commands[-1], ChangeLabels) and link.commands[-1].remove == (CLUB,)
    qtbot.waitUntil(lambda: not page.desk.labels.isVisible() and not in_row(page, plain))
    page.context.actions["window.undo"].trigger()
    qtbot.waitUntil(page.desk.labels.isVisible)


def test_the_menu_has_every_action_and_leads_to_gmail(
    qtbot: QtBot, page: MailPage, window: MainWindow, store: LivelyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(page.context.navigator, "open_link", lambda address, _opened: opened.append(address))
    page.list.customContextMenuRequested.emit(QPoint(5, 5))
    (menu,) = page.list.findChildren(QMenu)
    listed = {one.objectName(): one for one in menu.actions() if not one.isSeparator()}
    assert list(listed) == [name for part in PARTS for name in part]
    assert all(one.isEnabled() for one in listed.values())
    listed["mail.gmail"].trigger()
    assert opened == [gmail_page(window.accounts()[0].email, store.mails["m03"].gmail_thread_id)]
    QGuiApplication.clipboard().clear()
    listed["mail.copy_address"].trigger()
    assert QGuiApplication.clipboard().text() == store.mails["m03"].sender.email
    with qtbot.waitSignal(menu.destroyed, timeout=30_000):
        menu.close()


def test_the_card_is_shown_by_key_and_a_line_opens_a_conversation(
    qtbot: QtBot, page: MailPage, store: LivelyStore, window: MainWindow
) -> None:
    card = page.desk.card
    assert not card.isVisible(), "the pane is narrow"
    press("Shift+P")
    qtbot.waitUntil(lambda: [one.text() for one in shown(card)] == ["Invoice for the accountant"])
    qtbot.mouseClick(shown(card)[0], Qt.MouseButton.LeftButton)
    assert (window.name, page.reading.thread_id) == ("all", store.mails["m10"].thread_id)
    qtbot.mouseClick(page.reading.findChildren(Monogram)[0], Qt.MouseButton.LeftButton)
    assert not card.isVisible()
    window.context.state.remove("mail/sender_card")
    window.resize(1800, 900)
    qtbot.waitUntil(card.isVisible)
    window.resize(1280, 820)
    qtbot.waitUntil(lambda: not card.isVisible())
