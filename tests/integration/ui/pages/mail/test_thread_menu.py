"""The menu of a conversation, its page at Gmail, and its sender's address."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.ui.pages.mail.page import MailPage
from app.ui.pages.mail.thread_actions import PARTS, gmail_page
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore


@pytest.fixture
def page(window: MainWindow, store: LivelyStore) -> MailPage:
    window.show_page("inbox")
    window.mail_page.open_message(store.mails["m03"].id)
    return window.mail_page


@pytest.fixture
def opened(page: MailPage, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    addresses: list[str] = []
    monkeypatch.setattr(page.context.navigator, "open_link", lambda address, _opened: addresses.append(address))
    return addresses


def test_a_conversation_opens_in_gmail(page: MailPage, window: MainWindow, store: LivelyStore, opened: list[str]) -> None:
    window.actions_by_id["mail.gmail"].trigger()
    (account,) = page.context.reader.accounts()
    assert opened == [gmail_page(account.email, store.mails["m03"].gmail_thread_id)]


def test_a_senders_address_is_copied(page: MailPage, window: MainWindow, store: LivelyStore) -> None:
    QGuiApplication.clipboard().clear()
    window.actions_by_id["mail.copy_address"].trigger()
    email = store.mails["m03"].sender.email
    assert QGuiApplication.clipboard().text() == email
    QGuiApplication.clipboard().clear()
    page.reading._header.actions()[0].trigger()
    assert QGuiApplication.clipboard().text() == email


def test_the_menu_has_every_action_with_its_key(qtbot: QtBot, page: MailPage, window: MainWindow) -> None:
    page.list.customContextMenuRequested.emit(QPoint(5, 5))
    (menu,) = page.list.findChildren(QMenu)
    listed = [one for one in menu.actions() if not one.isSeparator()]
    assert [one.objectName() for one in listed] == [name for part in PARTS for name in part]
    assert all(one.isEnabled() for one in listed)
    with qtbot.waitSignal(menu.destroyed, timeout=30_000):
        menu.close()
