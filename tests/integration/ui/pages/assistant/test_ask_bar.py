"""The bar to ask: files that go with a request, and lines that are commands about mail and need no request."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from app.domain.agents.requests import ALL_MAIL, Capability, MailScope, PlannedStep, StepResult
from app.domain.agents.routing import RuleAction
from app.domain.ids import ThreadId
from app.domain.protocol.assistant_commands import AskAssistant
from app.domain.protocol.changes import ChangeLabels, UndoChange
from app.domain.protocol.commands import SearchMail, ThreadIds
from app.ui.pages.assistant.page import AssistantPage
from app.ui.widgets.menus import PageMenu
from fakes.engine.request_tables import RequestOffice
from fakes.window.page_setup import Stage, until


@pytest.fixture(autouse=True)
def office(stage: Stage) -> Iterator[RequestOffice]:
    """An account that can be asked about."""
    made = RequestOffice(stage)
    made.connect()
    yield made
    made.db.close()


async def page_of(stage: Stage) -> AssistantPage:
    page = AssistantPage(stage.context)
    stage.show(page, 1000, 700, wait=False)
    await until(lambda: bool(page.bar.account))
    return page


def pick(menu: QMenu, words: str) -> None:
    next(one for one in menu.actions() if one.text() == words).trigger()


def typed(page: AssistantPage, words: str) -> None:
    page.bar.field.setPlainText(words)
    page.bar.submit()


async def test_given_files_go_with_the_request_and_can_be_taken_away(stage: Stage, tmp_path: Path) -> None:
    page = await page_of(stage)
    prices, notes = tmp_path / "prices.pdf", tmp_path / "notes.txt"
    page.bar.give((prices, notes, prices))
    kept = page.save_state()
    next(one for one in page.bar.findChildren(QPushButton) if one.text().startswith("notes.txt")).click()
    assert page.bar.files == (prices,)
    typed(page, "Sum up my price list")
    (asked,) = [one for one in stage.engine.commands if isinstance(one, AskAssistant)]
    assert (asked.text, asked.files) == ("Sum up my price list", (prices,))
    assert page.bar.files == ()
    assert "files" not in kept, "files without words are nothing to restore"
    page.bar.refuse(asked, "A file cannot be read.")
    assert page.bar.files == (prices,)
    again = await page_of(stage)
    again.restore_state(page.save_state())
    assert (again.bar.words, again.bar.files) == ("Sum up my price list", (prices,))


def chip(page: AssistantPage, name: str) -> QAbstractButton:
    return [one for one in page.bar.findChildren(QAbstractButton) if one.accessibleName() == name][-1]


async def test_limits_are_chips_that_can_be_changed_and_removed(stage: Stage, office: RequestOffice) -> None:
    page = await page_of(stage)
    limits = page.bar.limits
    limits.add.click()
    (menu,) = page.findChildren(PageMenu)
    pick(menu, "Inbox")
    chip(page, "Change Inbox").click()
    pick(page.findChildren(PageMenu)[-1], "Inbox and sent")
    limits.add.click()
    pick(page.findChildren(PageMenu)[-1], "Last 30 days")
    assert (limits.scope.inbox, limits.scope.sent) == (True, True)
    assert limits.scope.since is not None
    page.bar.field.setPlainText("When does the order ship?")
    again = await page_of(stage)
    again.restore_state(page.save_state())
    assert again.bar.limits.scope == limits.scope
    page.bar.submit()
    (asked,) = [one for one in stage.engine.commands if isinstance(one, AskAssistant)]
    assert (asked.scope, limits.scope) == (again.bar.limits.scope, ALL_MAIL), "the next request begins without limits"
    assert page.detail.limits.text().startswith("Reads only: Inbox and sent · Since ")
    chip(again, "Remove Inbox and sent").click()
    assert again.bar.limits.scope == MailScope(since=asked.scope.since)
    page.bar.refuse(asked, "No.")
    assert limits.scope == asked.scope


@pytest.mark.parametrize(
    ("words", "scope", "query"),
    [
        ("unread from Ann", ALL_MAIL, "is:unread from:Ann"),
        ("from Ann", MailScope(sent=True, since=datetime(2026, 11, 1, tzinfo=UTC)), "from:Ann (in:sent) after:1793491200"),
    ],
)
async def test_a_look_up_searches_within_the_limits(stage: Stage, words: str, scope: MailScope, query: str) -> None:
    page = await page_of(stage)
    page.bar.limits.show_scope(scope)
    typed(page, words)
    assert stage.neighbours.went[-1] == ("search", query)
    assert not [one for one in stage.engine.commands if isinstance(one, AskAssistant)]


async def test_a_look_up_can_become_a_rule_that_labels_new_mail(stage: Stage) -> None:
    page = await page_of(stage)
    typed(page, "unread from shop@x.example")
    assert stage.neighbours.told[-1] == "A rule can label new mail like this."
    stage.neighbours.offers[-1]()
    name, rule = stage.neighbours.went[-1]
    assert (name, rule.name, rule.label, rule.match.sender_email) == (
        "rule", "Label shop@x.example", "shop@x.example", "shop@x.example",
    )  # fmt: skip
    told = len(stage.neighbours.told)
    typed(page, "unread with attachments")
    assert len(stage.neighbours.told) == told, "no rule can do it"


async def test_a_change_is_previewed_made_at_one_go_and_undone_by_one_undo(stage: Stage, qtbot: QtBot) -> None:
    page = await page_of(stage)
    typed(page, "archive newsletters older than 30 days")
    await until(lambda: any(isinstance(one, SearchMail) for one in stage.engine.queries))
    stage.engine.answer(ThreadIds((ThreadId(1), ThreadId(2), ThreadId(3))), to=SearchMail)
    await until(lambda: "3" in page.bar.offer.words)
    assert not [one for one in stage.engine.commands if isinstance(one, ChangeLabels)], "nothing changes before the click"
    page.bar.offer.button.click()
    (made,) = [one for one in stage.engine.commands if isinstance(one, ChangeLabels)]
    assert (made.thread_ids, made.add, made.remove) == ((1, 2, 3), (), ("INBOX",))
    page.bar.offer.button.click()
    name, rule = stage.neighbours.went[-1]
    assert (name, rule.name, rule.actions) == ("rule", "Archive newsletters", (RuleAction.ARCHIVE,))
    stage.neighbours.offers[-1]()
    assert [one.key for one in stage.engine.commands if isinstance(one, UndoChange)] == [made.key]


async def test_nothing_that_matches_is_said(stage: Stage) -> None:
    page = await page_of(stage)
    typed(page, "delete promotions older than 1 year")
    await until(lambda: any(isinstance(one, SearchMail) for one in stage.engine.queries))
    stage.engine.answer(ThreadIds(()), to=SearchMail)
    await until(lambda: "promotions older than 1 year" in page.bar.offer.words)
    assert page.bar.offer.button.isHidden()


async def test_a_follow_up_names_the_open_request(stage: Stage, office: RequestOffice) -> None:
    plan = PlannedStep(Capability.RESEARCH, "Find the order.")
    request_id = office.ask("a", "When does the order ship?", plan, run=True, scope=MailScope(inbox=True))
    page = await page_of(stage)
    page.open_number(page.model.id_at(0))
    assert page.bar.follow.isHidden(), "there is no answer yet"
    office.steps.begin(request_id, 0)
    office.steps.finish(request_id, 0, StepResult("{}", "On Friday."))
    page.refresh()
    assert not page.bar.follow.isHidden()
    page.bar.follow.click()
    assert page.bar.limits.scope == MailScope(inbox=True), "a follow-up reads the same mail"
    page.bar.follow.click()
    assert page.bar.limits.scope == ALL_MAIL
    page.bar.follow.click()
    typed(page, "unread from Ann")
    (asked,) = [one for one in stage.engine.commands if isinstance(one, AskAssistant)]
    assert (asked.text, asked.after) == ("unread from Ann", request_id), "in a conversation it is no command"
