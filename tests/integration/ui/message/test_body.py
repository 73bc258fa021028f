"""The mail page: lists, reading, search, label changes, links, and what happens as the administrator.

HTML that waits to be cleaned: its words are shown at once, the engine is asked once, and nothing else of it is.

Modules are imported beside the window, and whoever asks is told when they are there.
"""

from typing import cast

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.domain.agents.routing import RoutingRule, RuleMatch
from app.domain.agents.runs import Route
from app.domain.errors import Offline
from app.domain.ids import MessageId, ThreadId
from app.domain.ports.window import MailView
from app.domain.protocol.account_commands import PrepareHtml
from app.domain.protocol.commands import SearchMail, ThreadIds
from app.domain.protocol.events import Initiator, MailChanged
from app.domain.record import replace
from app.store.mail.messages import Messages
from app.ui.lists.row_looks import triage_chips
from app.ui.lists.row_painter import LOOK_ROLE
from app.ui.message.banners import LinkBar, real_host
from app.ui.message.body import BodyView
from app.ui.pages.mail.page import MailPage
from app.ui.pages.settings.page import SettingsPage
from app.ui.pages.settings.rules.rules_section import RulesSection
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LEE, LivelyStore, Mail
from fakes.gmail.messages import mail
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage, until
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def page(window: MainWindow) -> MailPage:
    window.show_page("inbox")
    window.activateWindow()
    return window.mail_page


def choose(page: MailPage, store: LivelyStore, key: str) -> None:
    """Make the thread of a mail current, and let it be seen."""
    page.list.select_row(page.model.row_of(store.mails[key].thread_id))
    page.reading.settle()


def test_views_show_what_is_filed_there(page: MailPage, store: LivelyStore, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(page.model)
    inbox = page.model.rowCount()
    page.show_view(MailView.SENT)
    assert 0 < page.model.rowCount() < inbox
    page.show_view(MailView.STARRED)
    assert page.model.rowCount() == 1
    page.show_view(MailView.ALL)
    assert page.model.rowCount() > inbox


def test_rows_say_what_triage_said(page: MailPage, store: LivelyStore) -> None:
    row = page.model.row_of(store.mails["m05"].thread_id)
    look = page.model.data(page.model.index(row, 0), LOOK_ROLE)
    assert [chip.text for chip in look.chips] == ["Draft ready"]  # type: ignore[attr-defined]
    assert "unread" in page.model.data(page.model.index(row, 0))  # type: ignore[operator]
    assert [chip.text for chip in triage_chips("respond", "complaint", 0.5)] == ["needs reply", "complaint", "low confidence"]
    assert triage_chips("", "", 0.0) == ()


def test_reading_a_thread_message_by_message(qtbot: QtBot, page: MailPage, store: LivelyStore) -> None:
    choose(page, store, "m03")
    reading = page.reading
    assert reading.message.id == store.mails["m03"].id
    assert "when will order 4411 arrive" in reading.body.text
    assert "We ship on Monday" not in reading.body.text
    quoted = next(one for one in reading.body.findChildren(QPushButton) if "quoted" in one.text())
    quoted.click()
    assert "we ship on Monday" in reading.body.text
    page.open_message(store.mails["m01"].id)
    assert reading.message.id == store.mails["m01"].id


def test_who_walks_quickly_sees_only_where_he_arrives(qtbot: QtBot, page: MailPage, store: LivelyStore) -> None:
    choose(page, store, "m03")
    showed: list[MessageId | None] = []
    page.reading.showed.connect(lambda: showed.append(page.reading.message.id if page.reading.message is not None else None))
    for name in ("m05", "m07", "m04"):
        page.list.select_row(page.model.row_of(store.mails[name].thread_id))
        assert page.desk.targets() == [store.mails[name].thread_id], "what is done now is done to the row that is chosen"
        assert page.reading.message.id == store.mails[name].id
    assert not page.reading.settled
    assert "when will order 4411 arrive" in page.reading.body.text
    qtbot.waitUntil(lambda: page.reading.settled, timeout=30_000)
    assert showed == [store.mails["m04"].id]
    assert "when will order 4411 arrive" not in page.reading.body.text
    page.refresh()
    assert page.reading.settled, "nothing has changed, nothing is shown again"


def test_a_rule_is_begun_from_the_open_mail(page: MailPage, store: LivelyStore, window: MainWindow) -> None:
    choose(page, store, "m07")
    page.take_focus()
    press("Ctrl+Shift+R")
    assert window.name == "settings"
    section = cast(SettingsPage, window.page("settings")).sections["rules"]
    assert isinstance(section, RulesSection)
    sender = store.mails["m07"].sender
    match = RuleMatch(sender_email=sender.email)
    assert section.begun[0] == RoutingRule(f"Label {sender.name}", match, Route.PIPELINE, label=sender.name)


def test_new_mail_comes_in_above_and_the_place_is_kept(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine
) -> None:
    choose(page, store, "m05")
    store.put(Mail("n1", "n1", LEE, "Just in", "Hello", 0))
    link.tell(MailChanged(store.account_id, (store.mails["n1"].thread_id,), Initiator.SYNC))
    qtbot.waitUntil(lambda: page.model.row_of(store.mails["n1"].thread_id) == 0)
    assert page.model.id_at(page.list.current_row()) == store.mails["m05"].thread_id
    assert page.reading.thread_id == store.mails["m05"].thread_id


async def test_search_asks_the_engine_and_a_newer_one_cancels(
    page: MailPage, store: LivelyStore, link: RecordedEngine, window: MainWindow
) -> None:
    page.search("order")
    await until(lambda: len(link.queries) == 1)
    page.search("order 4411")
    await until(lambda: len(link.queries) == 2)
    assert link.withdrawn == [SearchMail("order")]
    link.answer(ThreadIds((store.mails["m03"].thread_id,)))
    await until(lambda: page.model.rowCount() == 1)
    assert page.list.isVisible()
    page.search("nothing")
    await until(lambda: len(link.queries) == 3)
    link.answer(ThreadIds(()))
    await until(lambda: "Nothing found" in page._state.accessibleName())
    page.search("broken")
    await until(lambda: len(link.queries) == 4)
    link.refuse(Offline())
    await until(lambda: "failed" in page._state.accessibleName())
    page.refresh()  # mail came meanwhile
    assert "failed" in page._state.accessibleName()
    page.search("label:Orders")
    await until(lambda: len(link.queries) == 5)
    link.refuse(Offline())
    await until(lambda: "This page couldn't be loaded" in page._state.accessibleName())
    page.show_view(MailView.INBOX)
    assert page.model.rowCount() > 5


async def test_a_labels_list_follows_the_mail(page: MailPage, store: LivelyStore, link: RecordedEngine) -> None:
    order, scratch = store.mails["m03"].thread_id, store.mails["m01"].thread_id
    changed = MailChanged(store.account_id, (order,), Initiator.SYNC)
    page.search("label:Orders")
    await until(lambda: link.queries == [SearchMail("label:Orders")])
    link.answer(ThreadIds((order,)))
    await until(lambda: list(page.model.ids) == [order])
    assert page._heading.text() == "Orders", "a label that nobody has any more is still called by its name"
    page.hear(changed)
    await until(lambda: len(link.queries) == 2)
    assert list(page.model.ids) == [order], "it stays until the answer is here"
    page.hear(changed)
    link.answer(ThreadIds((scratch, order)))
    await until(lambda: list(page.model.ids) == [scratch, order])
    await until(lambda: len(link.queries) == 3)  # what came meanwhile is asked for behind it
    link.answer(ThreadIds((scratch,)))
    await until(lambda: list(page.model.ids) == [scratch])


def test_the_rest_of_a_long_list_is_read_while_idle(
    qtbot: QtBot, page: MailPage, store: LivelyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ui.pages.mail.page.FIRST", 3)
    monkeypatch.setattr("app.ui.pages.mail.page.CHUNK", 4)
    page.show_view(MailView.SENT)
    page.show_view(MailView.ALL)
    everything = len(page.context.reader.thread_ids(MailView.ALL))
    qtbot.waitUntil(lambda: page.model.rowCount() == everything)


def test_a_missing_mail_is_said(page: MailPage, window: MainWindow) -> None:
    page.open_message(999_999)  # type: ignore[arg-type]
    from app.ui.window.toast import Toast

    assert "no longer" in window.findChild(Toast).words.text()


def test_html_is_shown_in_chromium_made_on_the_first_one(qtbot: QtBot, page: MailPage, store: LivelyStore) -> None:
    choose(page, store, "m05")
    assert page.reading.body.web is None
    choose(page, store, "m06")
    body = page.reading.body
    assert "Winter sale" in body.text
    qtbot.waitUntil(lambda: body.web is not None, timeout=20_000)
    assert body.web is not None
    assert "1 remote image" in body.notice
    found: list[str] = []
    qtbot.waitSignal(body.web.loadFinished, timeout=20_000).wait()
    body.web.page().toPlainText(found.append)
    qtbot.waitUntil(lambda: bool(found), timeout=30_000)
    assert "Winter sale" in found[0]
    choose(page, store, "m05")
    assert body.notice == ""
    assert "scratch" in body.text


def test_words_of_another_mail_do_not_stay_until_chromium_has_its_first_page(
    qtbot: QtBot, page: MailPage, store: LivelyStore
) -> None:
    """Chromium was made for one that was left before its page was loaded."""
    body = page.reading.body
    first, plain = store.mails["m06"], store.mails["m05"]
    body.show_message(first)
    qtbot.waitUntil(lambda: body.web is not None, timeout=30_000)
    body.show_message(plain)
    assert body.web is not None and body.web.url().isEmpty()
    body.show_message(replace(first, id=MessageId(99)))
    assert "Winter sale" in body.text and "scratch" not in body.text


def test_as_the_administrator_the_plain_text_is_shown(
    page: MailPage, store: LivelyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ui.message.body.web_refused", lambda: True)
    choose(page, store, "m06")
    assert page.reading.body.web is None
    assert "Winter sale" in page.reading.body.text
    assert "as root" in page.reading.body.notice


def test_a_mail_that_was_too_slow_says_so(stage: Stage) -> None:
    body = BodyView(stage.context)
    slow = replace(mail("Hello from Ann", number=7), too_slow=True)
    body.show_message(slow)
    assert body.text == "Hello from Ann"
    assert "too long to show with its formatting" in body.notice
    body.show_conversation((slow, replace(mail("Hello from Bob", number=8))), {})
    assert "too long to show with its formatting" in body.conversation.toPlainText()
    body.show_conversation((), {})
    body.show_message(mail("Hello from Bob", number=8))
    assert body.notice == ""
    body.deleteLater()


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://partner.example/a?b", "partner.example"),
        ("https://user:x@evil.example/partner.example", "evil.example"),
        ("https://p\u0430ypal.example/", "xn--pypal-4ve.example"),
    ],
)
def test_the_real_host_is_named(address: str, host: str) -> None:
    assert real_host(QUrl(address)) == host


def test_a_link_opens_only_after_a_look(qtbot: QtBot) -> None:
    opened: list[str] = []
    bar = LinkBar(opened.append)
    qtbot.addWidget(bar)
    bar.offer(QUrl("https://partner.example/very?long=1"))
    assert bar.isVisible()
    assert bar.host.text() == "partner.example"
    assert opened == []
    buttons = bar.findChildren(QPushButton)
    buttons[1].click()
    assert QGuiApplication.clipboard().text() == "https://partner.example/very?long=1"
    bar.offer(QUrl("https://partner.example/"))
    buttons[0].click()
    assert opened == ["https://partner.example/"]
    for bad in ("javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "mailmsg:1"):
        bar.hide()
        bar.offer(QUrl(bad))
        assert not bar.isVisible()


def test_a_long_list_is_read_again_from_its_beginning(
    qtbot: QtBot, page: MailPage, store: LivelyStore, link: RecordedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change far below that an event names comes at once; what no event names comes a little later."""
    monkeypatch.setattr("app.ui.pages.mail.page.FIRST", 3)
    monkeypatch.setattr("app.ui.pages.mail.page.WHOLE_MS", 200)
    rows, messages = list(page.model.ids), Messages(store.db)

    def archived(named: bool) -> None:
        last = ThreadId(rows.pop())
        messages.modify_local([one.id for one in messages.thread(last)], (), ("INBOX",))
        link.tell(MailChanged(store.account_id, (last,) if named else (), Initiator.SYNC))
        qtbot.waitUntil(lambda: list(page.model.ids) == rows, timeout=30_000)

    archived(named=True)
    archived(named=False)
    monkeypatch.setattr("app.ui.pages.mail.page.WHOLE_MS", 600_000)
    store.put(Mail("n1", "n1", LEE, "Just in", "Hello", 0))
    link.tell(MailChanged(store.account_id, (), Initiator.SYNC))
    qtbot.waitUntil(lambda: list(page.model.ids) == [store.mails["n1"].thread_id, *rows], timeout=30_000)


def test_the_engine_is_asked_once_and_the_words_are_there_meanwhile(stage: Stage) -> None:
    body = BodyView(stage.context)
    waiting = replace(mail("Hello from Ann", number=7), html_waits=True)
    body.show_message(waiting)
    assert body.text == "Hello from Ann"
    assert stage.engine.commands == [PrepareHtml(waiting.id)]
    body.show_message(replace(waiting, labels=frozenset()))
    assert stage.engine.commands == [PrepareHtml(waiting.id)], "a change of labels asks for nothing again"
    body.show_message(replace(waiting, html_waits=False))
    assert stage.engine.commands == [PrepareHtml(waiting.id)]
    body.deleteLater()
