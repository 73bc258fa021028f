"""The bar to ask: files that go with a request, and lines that are commands about mail and need no request."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.domain.agents.requests import Capability, PlannedStep, StepResult
from app.domain.ids import ThreadId
from app.domain.protocol.assistant_commands import AskAssistant
from app.domain.protocol.changes import ChangeLabels, UndoChange
from app.domain.protocol.commands import SearchMail, ThreadIds
from app.ui.pages.assistant.page import AssistantPage
from fakes.engine.request_tables import RequestOffice
from fakes.window.page_setup import Stage, until

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def office(lively_stage: Stage) -> Iterator[RequestOffice]:
    """An account that can be asked about."""
    made = RequestOffice(lively_stage)
    made.connect()
    yield made
    made.db.close()


async def page_of(stage: Stage) -> AssistantPage:
    page = AssistantPage(stage.context)
    stage.show(page, 1000, 700, wait=False)
    await until(lambda: bool(page.bar.account))
    return page


def typed(page: AssistantPage, words: str) -> None:
    page.bar.field.setPlainText(words)
    page.bar.submit()


async def test_given_files_go_with_the_request_and_can_be_taken_away(lively_stage: Stage, tmp_path: Path) -> None:
    page = await page_of(lively_stage)
    prices, notes = tmp_path / "prices.pdf", tmp_path / "notes.txt"
    page.bar.give((prices, notes, prices))
    kept = page.save_state()
    next(one for one in page.bar.findChildren(QPushButton) if one.text().startswith("notes.txt")).click()
    assert page.bar.files == (prices,)
    typed(page, "Sum up my price list")
    (asked,) = [one for one in lively_stage.engine.commands if isinstance(one, AskAssistant)]
    assert (asked.text, asked.files) == ("Sum up my price list", (prices,))
    assert page.bar.files == ()
    assert "files" not in kept, "files without words are nothing to restore"
    page.bar.refuse("Sum up my price list", "A file cannot be read.", asked.files)
    assert page.bar.files == (prices,)
    again = await page_of(lively_stage)
    again.restore_state(page.save_state())
    assert (again.bar.words, again.bar.files) == ("Sum up my price list", (prices,))


async def test_a_look_up_opens_the_search(lively_stage: Stage) -> None:
    page = await page_of(lively_stage)
    typed(page, "unread from Ann")
    assert lively_stage.neighbours.went[-1] == ("search", "is:unread from:Ann")
    assert not [one for one in lively_stage.engine.commands if isinstance(one, AskAssistant)]


async def test_a_change_is_previewed_made_at_one_go_and_undone_by_one_undo(lively_stage: Stage, qtbot: QtBot) -> None:
    page = await page_of(lively_stage)
    typed(page, "archive newsletters older than 30 days")
    await until(lambda: any(isinstance(one, SearchMail) for one in lively_stage.engine.queries))
    lively_stage.engine.answer(ThreadIds((ThreadId(1), ThreadId(2), ThreadId(3))), to=SearchMail)
    await until(lambda: "3" in page.bar.offer.words)
    assert not [one for one in lively_stage.engine.commands if isinstance(one, ChangeLabels)], "nothing changes before the click"
    page.bar.offer.button.click()
    (made,) = [one for one in lively_stage.engine.commands if isinstance(one, ChangeLabels)]
    assert (made.thread_ids, made.add, made.remove) == ((1, 2, 3), (), ("INBOX",))
    lively_stage.neighbours.offers[-1]()
    assert [one.key for one in lively_stage.engine.commands if isinstance(one, UndoChange)] == [made.key]


async def test_nothing_that_matches_is_said(lively_stage: Stage) -> None:
    page = await page_of(lively_stage)
    typed(page, "delete promotions older than 1 year")
    await until(lambda: any(isinstance(one, SearchMail) for one in lively_stage.engine.queries))
    lively_stage.engine.answer(ThreadIds(()), to=SearchMail)
    await until(lambda: "older_than:1y" in page.bar.offer.words)
    assert page.bar.offer.button.isHidden()


async def test_a_follow_up_names_the_open_request(lively_stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "When does the order ship?", PlannedStep(Capability.RESEARCH, "Find the order."), run=True)
    page = await page_of(lively_stage)
    page.open_number(page.model.id_at(0))
    assert page.bar.follow.isHidden(), "there is no answer yet"
    office.steps.begin(request_id, 0)
    office.steps.finish(request_id, 0, StepResult("{}", "On Friday."))
    page.refresh()
    assert not page.bar.follow.isHidden()
    page.bar.follow.click()
    typed(page, "unread from Ann")
    (asked,) = [one for one in lively_stage.engine.commands if isinstance(one, AskAssistant)]
    assert (asked.text, asked.after) == ("unread from Ann", request_id), "in a conversation it is no command"
