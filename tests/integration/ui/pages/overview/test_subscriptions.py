"""Senders of newsletters by volume, each left, archived for good or blocked by one key; read newsletters archived together."""

import pytest

from app.domain.agents.routing import RuleAction
from app.domain.mail.files import Unsubscribe, Unsubscribed
from app.domain.mail.message import Address
from app.domain.mail.triage import Category, Decision, ReasonCode, Triage
from app.domain.protocol.agent_commands import AddRule, RemoveRule
from app.domain.protocol.changes import ChangeLabels, UndoChange
from app.domain.record import replace
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.ui.lists.row_painter import LOOK_ROLE
from app.ui.pages.overview.subscriptions import SubscriptionsPage
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import NEW, SHOP, LivelyStore, Mail, remote
from fakes.window.answering_engine import AnsweringEngine
from fakes.window.keyboard import press

DAILY = Address("daily@news.example", "The Daily")
LIST = Triage(Decision.IGNORE, Category.OTHER, 0.9, ReasonCode.LIST_MAIL, "rule:list-mail")
ONE_CLICK = (
    ("List-Unsubscribe", "<https://news.example/out?u=1>"),
    ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
    ("Authentication-Results", "mx.google.com; dkim=pass"),
)


@pytest.fixture
def link(store: LivelyStore) -> AnsweringEngine:
    return AnsweringEngine(store)


@pytest.fixture
def page(window: MainWindow, store: LivelyStore) -> SubscriptionsPage:
    for number in range(4):
        labels = NEW if number else frozenset({"INBOX"})
        mail = Mail(f"d{number}", f"td{number}", DAILY, f"News {number}", "Read all about it", number, labels=labels, triage=LIST)
        store.put(mail)
        Messages(store.db).apply(store.account_id, SyncPage(messages=(replace(remote(mail, store.now), headers=ONE_CLICK),)))
    store.put(Mail("p0", "tp0", SHOP, "Sale", "Up to 40 %", 9, triage=LIST))
    window.show_page("subscriptions")
    window.activateWindow()
    page = window.page("subscriptions")
    assert isinstance(page, SubscriptionsPage)
    page.take_focus()
    return page


def test_senders_stand_by_volume_with_what_was_read(page: SubscriptionsPage) -> None:
    looks = [page.model.index(at, 0).data(LOOK_ROLE) for at in range(page.model.rowCount())]
    assert [(one.who, one.subject) for one in looks] == [
        ("The Daily", "4 messages, 1 read"),
        ("Parts & More", "2 messages, 2 read"),
    ]


def test_u_unsubscribes_with_one_request_and_the_row_says_so(
    page: SubscriptionsPage, store: LivelyStore, link: AnsweringEngine, window: MainWindow
) -> None:
    press("U")
    assert link.commands[-1] == Unsubscribe(store.mails["d0"].id)
    link.tell(Unsubscribed(store.mails["d0"].id, "news.example"))
    assert page.model.index(0, 0).data(LOOK_ROLE).chips[0].text == "Unsubscribed"
    press("Down", "U")
    assert "no way to unsubscribe" in window.findChildren(Toast)[0].words.text()


def test_all_of_a_sender_is_archived_once_or_for_good_with_one_undo(
    page: SubscriptionsPage, store: LivelyStore, link: AnsweringEngine
) -> None:
    press("E")
    change = link.commands[-1]
    assert isinstance(change, ChangeLabels)
    assert set(change.thread_ids) == {store.mails[f"d{number}"].thread_id for number in range(4)}
    press("Ctrl+Z")
    assert link.commands[-1] == UndoChange(change.key)
    press("A")
    added = link.commands[-1]
    assert isinstance(added, AddRule)
    assert (added.rule.match.sender_email, added.rule.actions) == (DAILY.email, (RuleAction.ARCHIVE,))
    press("Ctrl+Z")
    assert link.commands[-1] == RemoveRule(added.rule.name)


def test_read_newsletters_are_selected_first_and_archived_with_one_undo(
    page: SubscriptionsPage, store: LivelyStore, link: AnsweringEngine, window: MainWindow
) -> None:
    window.show_page("inbox")
    window.actions_by_id["mail.select_read"].trigger()
    mails = window.mail_page
    wanted = {store.mails[key].thread_id for key in ("d0", "p0")}
    assert {mails.model.id_at(at) for at in mails.list.selected_rows()} >= wanted
    chosen = {mails.model.id_at(at) for at in mails.list.selected_rows()}
    assert store.mails["d1"].thread_id not in chosen, "unread"
    press("E")
    (change,) = [one for one in link.commands if isinstance(one, ChangeLabels) and "INBOX" in one.remove]
    assert set(change.thread_ids) == chosen
    press("Ctrl+Z")
    assert link.commands[-1] == UndoChange(change.key)
