"""A suspected message says why, asks before its links and answers, and can be reported or trusted."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.domain.mail.message import Address
from app.domain.mail.triage import OwnerVerdict
from app.domain.protocol.changes import CorrectVerdict
from app.domain.protocol.commands import DraftReply
from app.ui.pages.mail.page import MailPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import ANA, FAKE, LivelyStore, Mail
from fakes.window.keyboard import press
from fakes.window.recorded_engine import RecordedEngine

FRAUD = "Our bank account changed. Please pay invoice 88 to the new one."


@pytest.fixture
def page(store: LivelyStore, window: MainWindow) -> MailPage:
    """The inbox with a fraud opened: a known name, another address, a new bank account.
    Below it is a mail from a look-alike domain.
    """
    store.put(Mail("fraud", "t77", FAKE, "Invoice 88", FRAUD, 1))
    store.put(Mail("doubt", "t78", Address("mail@paypal-service.com", "Pay"), "Hello", "Can we meet?", 2))
    window.show_page("inbox")
    window.activateWindow()
    page = window.mail_page
    page.list.select_row(page.model.row_of(store.mails["fraud"].thread_id))
    page.take_focus()
    page.reading.settle()
    return page


def button(page: MailPage, words: str) -> QPushButton:
    return next(one for one in page.reading.suspicion.findChildren(QPushButton) if one.text() == words)


def test_the_banner_says_whom_it_poses_as(page: MailPage, store: LivelyStore) -> None:
    words = page.reading.suspicion.words.text()
    assert page.reading.suspicion.isVisible()
    assert ANA.email in words and FAKE.email in words
    assert "bank details changed" in words
    page.list.select_row(page.model.row_of(store.mails["m04"].thread_id))
    page.reading.settle()
    assert not page.reading.suspicion.isVisible()


def test_it_is_answered_only_when_asked_twice(page: MailPage, window: MainWindow, link: RecordedEngine) -> None:
    for _ in range(2):
        assert not any(isinstance(one, DraftReply) for one in link.commands)
        press("D")
    assert any(isinstance(one, DraftReply) for one in link.commands)


def test_reporting_moves_it_to_spam(qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine) -> None:
    qtbot.mouseClick(button(page, "Report phishing"), Qt.MouseButton.LeftButton)
    change = next(one for one in link.commands if isinstance(one, CorrectVerdict))
    assert (change.thread_ids, change.verdict) == ((store.mails["fraud"].thread_id,), OwnerVerdict.PHISHING)


def test_trusted_it_stays_so(qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine) -> None:
    qtbot.mouseClick(button(page, "Not suspicious"), Qt.MouseButton.LeftButton)
    change = next(one for one in link.commands if isinstance(one, CorrectVerdict))
    assert (change.message_id, change.verdict) == (store.mails["fraud"].id, OwnerVerdict.NOT_SUSPICIOUS)
    assert not page.reading.suspicion.isVisible()
    for name in ("m04", "fraud"):
        page.list.select_row(page.model.row_of(store.mails[name].thread_id))
        page.reading.settle()
    assert not page.reading.suspicion.isVisible()


def test_one_doubt_alone_warns_mildly_and_answers_at_once(
    page: MailPage, store: LivelyStore, window: MainWindow, link: RecordedEngine
) -> None:
    banner = page.reading.suspicion
    assert banner.accessibleName().startswith("This message looks like phishing.")
    page.list.select_row(page.model.row_of(store.mails["doubt"].thread_id))
    page.reading.settle()
    assert banner.accessibleName().startswith("Be careful with this message.")
    assert banner.property("tone") == "warning"
    press("D")
    assert any(isinstance(one, DraftReply) for one in link.commands)
