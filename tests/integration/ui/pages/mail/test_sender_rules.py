"""Rules about a sender: proposed from the open message, offered after five were archived, and blocking, each undone."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.domain.agents.routing import RoutingRule, RuleAction, RuleMatch
from app.domain.agents.runs import Route
from app.domain.protocol.agent_commands import AddRule, RemoveRule
from app.domain.protocol.changes import ChangeLabels, UndoChange
from app.domain.record import replace
from app.ui.pages.mail.page import MailPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import SHOP, LivelyStore, Mail
from fakes.window.answering_engine import AnsweringEngine
from fakes.window.keyboard import press

ARCHIVING = RoutingRule(
    "Archive news@parts.example", RuleMatch(sender_email=SHOP.email), Route.SORT, actions=(RuleAction.ARCHIVE,)
)


@pytest.fixture
def link(store: LivelyStore) -> AnsweringEngine:
    return AnsweringEngine(store)


@pytest.fixture
def page(window: MainWindow, store: LivelyStore) -> MailPage:
    for number in range(5):
        store.put(Mail(f"s{number}", f"ts{number}", SHOP, f"Offer {number}", "Up to 40 %", number))
    window.show_page("inbox")
    window.activateWindow()
    window.mail_page.take_focus()
    return window.mail_page


def open_at(page: MailPage, store: LivelyStore, qtbot: QtBot, key: str) -> None:
    page.list.select_row(page.model.row_of(store.mails[key].thread_id))
    qtbot.waitUntil(lambda: page.reading.settled and page.reading.thread_id == store.mails[key].thread_id)


def archive_five(qtbot: QtBot, page: MailPage, store: LivelyStore) -> None:
    for number in range(5):
        open_at(page, store, qtbot, f"s{number}")
        assert not page.desk.offer.isVisible()
        press("E")
        qtbot.waitUntil(lambda at=number: page.model.row_of(store.mails[f"s{at}"].thread_id) < 0)


def test_archiving_for_good_is_offered_after_five(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: AnsweringEngine
) -> None:
    archive_five(qtbot, page, store)
    qtbot.waitUntil(page.desk.offer.isVisible)
    assert "the last five messages from Parts & More" in page.desk.offer.words
    qtbot.mouseClick(page.desk.offer.button, Qt.MouseButton.LeftButton)
    assert link.commands[-1] == AddRule(ARCHIVING)
    assert not page.desk.offer.isVisible()
    press("Ctrl+Z")
    assert link.commands[-1] == RemoveRule(ARCHIVING.name)


def test_a_declined_offer_is_not_made_again(qtbot: QtBot, page: MailPage, store: LivelyStore) -> None:
    archive_five(qtbot, page, store)
    qtbot.waitUntil(page.desk.offer.isVisible)
    qtbot.mouseClick(page.desk.offer.other, Qt.MouseButton.LeftButton)
    store.put(Mail("s9", "ts9", SHOP, "Offer 9", "Up to 50 %", 0))
    page.touch_now()
    open_at(page, store, qtbot, "s9")
    press("E")
    qtbot.waitUntil(lambda: page.model.row_of(store.mails["s9"].thread_id) < 0)
    qtbot.wait(50)
    assert not page.desk.offer.isVisible()


def test_a_blocked_senders_mail_goes_to_spam_and_one_undo_takes_both_back(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: AnsweringEngine, window: MainWindow
) -> None:
    open_at(page, store, qtbot, "s0")
    window.actions_by_id["mail.block"].trigger()
    rule, change = link.commands[-2:]
    assert isinstance(rule, AddRule)
    assert rule.rule.actions == (RuleAction.SPAM,)
    assert isinstance(change, ChangeLabels)
    assert change.add == ("SPAM",)
    press("Ctrl+Z")
    assert link.commands[-2:] == [RemoveRule(rule.rule.name), UndoChange(change.key)]


def test_a_newsletter_proposes_archiving_and_a_person_a_label(
    qtbot: QtBot, page: MailPage, store: LivelyStore, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[RoutingRule] = []
    monkeypatch.setattr(page.context.navigator, "make_rule", made.append)
    open_at(page, store, qtbot, "m03")
    press("Ctrl+Shift+R")
    assert (made[-1].match.sender_email, made[-1].label, made[-1].route) == (
        "ana.novak@partner.example",
        "Ana Novák",
        Route.PIPELINE,
    )
    open_at(page, store, qtbot, "s0")
    message = page.reading.message
    page.reading.message = replace(message, headers=(*message.headers, ("List-Id", "<news.parts.example>")))
    press("Ctrl+Shift+R")
    assert made[-1] == ARCHIVING
