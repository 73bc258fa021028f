"""The assistant page over a real file: what is asked, what is shown of it, and what the owner's hand sends to the engine.

What comes back after a restart and a crash: words, the open request, what was handed over, edited plans.

The page with the real engine process behind it, without a model and offline: asked while the engine is down, answered when it
is there, and still there at the next start.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import cast

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.agents.requests import Capability, PlannedStep, RequestStatus, StepResult
from app.domain.drafting.draft import Source, SourceKind
from app.domain.error_texts import ErrorText
from app.domain.ids import AccountId, MessageId, RequestId, ReviewId
from app.domain.protocol.assistant_commands import (
    AskAssistant,
    ForgetRequest,
    RecallRequest,
    RequestChanged,
    RetryStep,
    RunPlan,
    StepProgress,
    StopRequest,
)
from app.domain.protocol.events import CommandFailed
from app.store.db.database import Database
from app.ui.pages.assistant.page import AssistantPage
from app.ui.services.engine_bridge import EngineBridge
from app.ui.session.pending_requests import PendingRequests
from app.ui.startup.application import WindowOptions
from app.ui.window.main_window import MainWindow
from fakes.engine.request_tables import RequestOffice
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import press
from fakes.window.page_setup import NOW, Stage, cut, nameless, until
from fakes.window.ready_window import engine_window

PLAN = (PlannedStep(Capability.RESEARCH, "Find the order."), PlannedStep(Capability.GMAIL, "Send it to Ana."))
CITED = (Source(SourceKind.MESSAGE, "Order 4411", "It ships on Friday, see https://shop.example/4411", MessageId(7)),)


@pytest.fixture
def office(stage: Stage) -> Iterator[RequestOffice]:
    made = RequestOffice(stage)
    made.connect()
    yield made
    made.db.close()


def shown(stage: Stage, width: int = 1000, height: int = 760) -> AssistantPage:
    page = AssistantPage(stage.context)
    stage.show(page, width, height)
    return page


def sent(stage: Stage) -> list[object]:
    return list(stage.engine.commands)


def test_enter_asks_and_the_request_stands_in_the_list_at_once(qtbot: QtBot, stage: Stage, office: RequestOffice) -> None:
    page = shown(stage)
    page.take_focus()
    qtbot.keyClicks(page.bar.field, "Find the order")
    press("Shift+Return", on=page.bar.field)
    qtbot.keyClicks(page.bar.field, "and send it")
    assert sent(stage) == []
    press("Return", on=page.bar.field)
    (ask,) = stage.engine.commands
    assert isinstance(ask, AskAssistant)
    assert (ask.account_id, ask.text) == (office.account, "Find the order\nand send it")
    assert page.bar.words == ""
    assert page.model.rowCount() == 1
    assert page.detail.status.text() == page.detail.tr("starting")
    assert "Queued" in page.detail.notice.words
    office.requests.add(ask)
    office.requests.plan(ask.request_id, PLAN, "rules", run=False)
    office.tell(ask.request_id)
    qtbot.waitUntil(lambda: page.detail.plan.isVisible())
    assert page.model.rowCount() == 1
    assert page.asked.ids == ()
    assert not nameless(page)
    qtbot.waitUntil(lambda: not cut(page))


def test_a_plan_is_changed_and_run_by_keyboard(qtbot: QtBot, stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Find the order and send it", *PLAN)
    page = shown(stage)
    first, second = page.detail.plan.lines
    assert not first.tools["up"].isEnabled()
    second.tools["up"].click()
    assert [one.capability for one in page.detail.plan.steps] == [Capability.GMAIL, Capability.RESEARCH]
    assert page.detail.plan.lines[0].tools["down"].hasFocus()
    page.detail.plan.lines[1].tools["out"].click()
    field = page.detail.plan.lines[0].field
    assert field.hasFocus()
    field.selectAll()
    qtbot.keyClicks(field, "Send it to Lee.")
    press("Ctrl+Return", on=field)
    assert sent(stage) == [RunPlan(request_id, (PlannedStep(Capability.GMAIL, "Send it to Lee."),))]
    assert not stage.context.actions["assistant.run"].isEnabled(), "one wish at a time"


def test_the_keyboard_goes_to_the_list_when_what_had_it_is_gone(qtbot: QtBot, stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Find the order and send it", *PLAN)
    page = shown(stage)
    run = page.detail.buttons[0]
    run.setFocus()
    press("Return", on=run)
    assert sent(stage) == [RunPlan(request_id)]
    assert page.list.hasFocus(), "a second Return must not press whatever comes next"
    office.requests.run(request_id)
    office.tell(request_id)
    stop = page.detail.buttons[3]
    qtbot.waitUntil(stop.isVisible)
    stop.setFocus()
    office.requests.stop(request_id)
    office.tell(request_id)
    qtbot.waitUntil(page.list.hasFocus)


def test_a_narrow_window_shows_what_was_asked_and_leads_back(stage: Stage, office: RequestOffice) -> None:
    office.ask("a", "One", *PLAN)
    page = shown(stage, 600)
    assert page.list.isVisible()
    page.ask("Two")
    assert page.detail.words.isVisible()
    assert page.detail.words.text() == "Two"
    assert page.detail.back_button.isVisible()
    page.detail.back_button.click()
    assert page.list.hasFocus()
    press("Down", "Return", on=page.list)
    assert page.detail.words.text() == "One"
    assert page.detail.words.isVisible()


def test_steps_are_told_and_answers_cite_mails(qtbot: QtBot, stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Find the order and send it", *PLAN, run=True)
    office.steps.begin(request_id, 0)
    page = shown(stage)
    stage.engine.tell(StepProgress(request_id, 0, "Reading 3 mails"))
    assert page.detail.cards[0].doing.text() == "Reading 3 mails"
    answer = "It ships on **Friday**: https://shop.example/4411, not https://evil.example/4411"
    office.steps.finish(request_id, 0, StepResult("{}", answer, CITED))
    office.tell(request_id)
    card = page.detail.cards[0]
    qtbot.waitUntil(lambda: card.answer.isVisible())
    assert not card.doing.isVisible()
    html = card.answer.toHtml()
    assert 'href="https://shop.example/4411"' in html
    assert "evil.example/4411" in card.answer.toPlainText()
    assert 'href="https://evil' not in html
    next(one for one in card.chips.findChildren(QPushButton) if "Order 4411" in one.text()).click()
    assert stage.neighbours.went == [("message", 7)]
    card.copy.click()
    assert QApplication.clipboard().text() == answer
    assert not nameless(page)


def test_a_mail_that_waits_leads_to_review(stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Find the order and send it", *PLAN, run=True)
    office.steps.begin(request_id, 0)
    office.steps.finish(request_id, 0, StepResult("{}", "Found."))
    office.steps.begin(request_id, 1)
    office.steps.wait(request_id, 1, ReviewId(41))
    page = shown(stage)
    assert office.get(request_id).status is RequestStatus.WAITING
    page.list.setFocus()
    press("O", on=page.list)
    page.detail.cards[1].waiting.button.click()
    assert stage.neighbours.went == [("review", 41), ("review", 41)]
    assert not page.detail.cards[0].again.isVisible(), "its mail waits behind it"
    press("X", on=page.list)
    assert sent(stage) == [StopRequest(request_id)]


def test_a_failed_step_is_tried_again(qtbot: QtBot, stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Find the order and send it", *PLAN, run=True)
    office.steps.begin(request_id, 0)
    office.steps.fail(request_id, 0, ErrorText.of("Nothing was found."))
    page = shown(stage)
    assert page.detail.cards[0].failed.words == "Nothing was found."
    page.detail.cards[0].failed.button.click()
    page.list.setFocus()
    press("T", on=page.list)
    assert sent(stage) == [RetryStep(request_id, 0)], "twice is once"
    event = CommandFailed("RetryStep", "refused", ErrorText.of("A step is running.", "Stop it first."))
    assert page.says(event)
    stage.engine.tell(event)
    qtbot.waitUntil(lambda: "A step is running." in page.detail.notice.words)


def test_what_is_forgotten_goes_at_once_and_comes_back(qtbot: QtBot, stage: Stage, office: RequestOffice) -> None:
    first, second = office.ask("a", "One", *PLAN), office.ask("b", "Two", *PLAN)
    page = shown(stage)
    page.list.setFocus()
    press("Delete", on=page.list)
    assert page.model.rowCount() == 1
    assert page.open_id == first
    office.requests.forget(second)
    stage.engine.tell(RequestChanged(second, ""))
    stage.neighbours.offers[0]()
    assert sent(stage) == [ForgetRequest(second), RecallRequest(second)]
    office.requests.forget(second, forgotten=False)
    office.tell(second)
    qtbot.waitUntil(lambda: page.model.rowCount() == 2)


def test_a_refused_request_stands_in_the_line_again(qtbot: QtBot, stage: Stage, office: RequestOffice) -> None:
    page = shown(stage)
    qtbot.keyClicks(page.bar.field, "Find it")
    page.bar.ask.click()
    stage.engine.tell(CommandFailed("AskAssistant", "refused", ErrorText.of("The account is gone.")))
    assert page.bar.words == "Find it"
    assert "The account is gone." in page.bar.refused.words
    assert page.asked.ids == ()
    qtbot.keyClicks(page.bar.field, "!")
    assert not page.bar.refused.isVisible()


def test_nothing_yet_and_examples(stage: Stage) -> None:
    Database.open(stage.data.database).close()
    page = shown(stage)
    page.ask("Find it")
    assert not page.bar.ask.isEnabled() and sent(stage) == []
    assert page.bar.words == "Find it", "kept for when there is an account"
    office = RequestOffice(stage)
    office.connect()
    page.refresh()
    assert page.beginning.isVisible()
    assert "AI" in page.bar.standing.words
    page.bar.standing.button.click()
    assert stage.neighbours.went == ["model"]
    assert [one.isVisible() for one in page.beginning.examples[True]] == [False] * 3
    first = page.beginning.examples[False][0]
    assert first.isVisible()
    first.click()
    assert page.bar.words == first.accessibleName()
    assert page.bar.field.hasFocus()
    assert not nameless(page)
    assert not cut(page)
    office.db.close()


def again(stage: Stage, page: AssistantPage) -> AssistantPage:
    state = page.save_state()
    made = AssistantPage(stage.context)
    made.restore_state(state)
    stage.show(made, 1000, page.height())
    return made


def test_words_and_the_open_request_come_back(qtbot: QtBot, stage: Stage, office: RequestOffice) -> None:
    other = office.connect("mia@second.example")
    first, _second = office.ask("a", "One", *PLAN), office.ask("b", "Two", *PLAN)
    page = shown(stage)
    page.list.select_row(1)
    qtbot.keyClicks(page.bar.field, "Half a req")
    page.bar.accounts.setCurrentIndex(page.bar.accounts.findData(other))
    made = again(stage, page)
    assert made.bar.field.toPlainText() == "Half a req"
    assert made.bar.field.textCursor().position() == 10
    assert made.bar.account == other
    assert made.open_id == first


def test_an_edited_plan_comes_back_and_goes_when_it_runs(stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Find it", *PLAN)
    page = shown(stage)
    page.detail.plan.lines[1].tools["out"].click()
    page.detail.plan.lines[0].field.setPlainText("Find order 4411.")
    edited = (PlannedStep(Capability.RESEARCH, "Find order 4411."),)
    made = again(stage, page)
    assert made.detail.plan.steps == edited
    made.detail.run()
    assert stage.engine.commands == [RunPlan(request_id, edited)]
    office.requests.run(request_id, edited)
    made.refresh()
    assert office.get(request_id).status is RequestStatus.RUNNING
    assert not [key for key in made.save_state() if key.startswith("plan:")]


def test_what_the_engine_never_got_is_asked_again(stage: Stage, office: RequestOffice) -> None:
    page = shown(stage)
    page.ask("One")
    page.ask("Two")
    one, two = stage.engine.commands
    assert isinstance(one, AskAssistant)
    office.requests.add(one)
    made = again(stage, page)
    assert stage.engine.commands[2:] == [two], "the first one is there"
    assert made.model.rowCount() == 2
    assert made.bar.account == office.account
    office.requests.add(two) if isinstance(two, AskAssistant) else None
    made.refresh()
    assert made.asked.ids == ()
    assert not [key for key in made.save_state() if key.startswith("asked:")]


@pytest.mark.parametrize("value", ["", "[]", "[1]", '["x", "y", 1]', "[1, 2, 1e400]", "{}", 7, "[" * 5000])
def test_a_damaged_note_is_none(value: str | int) -> None:
    asked = PendingRequests()
    assert asked.restore_state({"asked:a": value}) == ()
    assert asked.ids == ()


def test_the_oldest_one_is_refused_first() -> None:
    asked = PendingRequests()
    first, second = (AskAssistant(RequestId(words), AccountId(1), words) for words in ("One", "Two"))
    asked.add(first, NOW)
    asked.add(second, NOW)
    assert asked.ids == (second.request_id, first.request_id)
    assert asked.refused() == first
    assert not asked.settle([RequestId("other")])
    assert asked.settle([second.request_id])
    assert asked.refused() is None


Part = Callable[[MainWindow, EngineBridge, AssistantPage], Coroutine[None, None, None]]


def spend(app: QApplication, data: DataFolder, part: Part) -> None:
    with engine_window(app, data, WindowOptions(page="assistant", open_link=lambda address: None)) as opened:
        page = cast("AssistantPage", opened.window.page("assistant"))
        opened.loop.run_until_complete(asyncio.wait_for(part(opened.window, opened.bridge, page), 120))


async def _ask(window: MainWindow, bridge: EngineBridge, page: AssistantPage) -> None:
    QTest.keyClicks(page.bar.field, "Delivery of order 4411")
    press("Return", on=page.bar.field)
    assert page.detail.status.text() == "starting"
    bridge.start()
    await until(lambda: page.detail.request is not None and page.detail.request.status is RequestStatus.DONE)
    await until(lambda: page.detail.cards[0].answer.isVisible())
    card = page.detail.cards[0]
    assert card.step.sources, "the mails found are cited"
    assert "Delivery of order 4411" in card.answer.toPlainText()
    card.chips.findChildren(QPushButton)[0].click()
    assert window.mail_page.reading.thread_id is not None
    await asyncio.sleep(0.6)


async def _look(_window: MainWindow, _bridge: EngineBridge, page: AssistantPage) -> None:
    assert page.detail.request.text == "Delivery of order 4411"
    assert page.detail.cards[0].answer.isVisible()
    assert page.asked.ids == ()
    await asyncio.sleep(0)


def test_a_request_is_answered_once_the_engine_is_there(qapp: QApplication, data: DataFolder, store: LivelyStore) -> None:
    data.settings.write_text("[sync]\npoll_s = 300\n", encoding="utf-8")
    store.close()
    spend(qapp, data, _ask)
    spend(qapp, data, _look)
