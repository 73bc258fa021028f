"""The assistant page over a real file: what is asked, what is shown of it, and what the owner's hand sends to the engine."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.domain.assistant import Capability, PlannedStep, RequestStatus, StepResult
from app.domain.assistant_commands import (
    Ask,
    ForgetRequest,
    PlanAgain,
    RecallRequest,
    RequestChanged,
    RetryStep,
    RunPlan,
    StepTold,
    StopRequest,
)
from app.domain.draft import Source, SourceKind
from app.domain.events import CommandFailed
from app.domain.ids import MessageId, RequestId, ReviewId
from app.store.database import Database
from app.ui.assistant.keeping import keep_assistant
from app.ui.assistant.page import AssistantPage
from fakes.page_stage import Stage, cut, nameless
from fakes.request_office import RequestOffice

PLAN = (PlannedStep(Capability.RESEARCH, "Find the order."), PlannedStep(Capability.GMAIL, "Send it to Ana."))
CITED = (Source(SourceKind.MESSAGE, "Order 4411", "It ships on Friday, see https://shop.example/4411", MessageId(7)),)


@pytest.fixture
def office(lively_stage: Stage) -> Iterator[RequestOffice]:
    """An account, and nothing asked yet."""
    made = RequestOffice(lively_stage)
    made.connect()
    yield made
    made.db.close()


def shown(stage: Stage, width: int = 1000, height: int = 760) -> AssistantPage:
    """The page on screen."""
    page = AssistantPage(stage.context)
    keep_assistant(page)
    stage.show(page, width, height)
    return page


def sent(stage: Stage) -> list[object]:
    """What the engine was asked for."""
    return list(stage.engine.commands)


def test_enter_asks_and_the_request_stands_in_the_list_at_once(qtbot: QtBot, lively_stage: Stage, office: RequestOffice) -> None:
    page = shown(lively_stage)
    page.take_focus()
    qtbot.keyClicks(page.bar.field, "Find the order")
    qtbot.keyClick(page.bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(page.bar.field, "and send it")
    assert sent(lively_stage) == []
    qtbot.keyClick(page.bar.field, Qt.Key.Key_Return)
    (ask,) = lively_stage.engine.commands
    assert isinstance(ask, Ask)
    assert (ask.account_id, ask.text) == (office.account, "Find the order\nand send it")
    assert page.bar.words == ""
    assert page.model.rowCount() == 1
    assert page.detail.status.text() == page.detail.tr("handed over")
    assert "engine" in page.detail.notice.words
    office.requests.add(ask)
    office.requests.plan(ask.request_id, PLAN, "rules", run=False)
    office.tell(ask.request_id)
    qtbot.waitUntil(lambda: page.detail.plan.isVisible())
    assert page.model.rowCount() == 1
    assert page.asked.ids == ()
    assert not nameless(page)
    qtbot.waitUntil(lambda: not cut(page))


def test_a_plan_is_changed_and_run_by_keyboard(qtbot: QtBot, lively_stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Find the order and send it", *PLAN)
    page = shown(lively_stage)
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
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert sent(lively_stage) == [RunPlan(request_id, (PlannedStep(Capability.GMAIL, "Send it to Lee."),))]
    assert not lively_stage.context.actions["assistant.run"].isEnabled(), "one wish at a time"


def test_a_plan_that_nobody_changed_runs_as_it_stands(qtbot: QtBot, lively_stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Find the order and send it", *PLAN)
    page = shown(lively_stage)
    page.take_focus()
    qtbot.keyClick(page.bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert sent(lively_stage) == [RunPlan(request_id)]
    page.detail.plan.lines[0].field.setPlainText(" ")
    assert not page.detail.plan.fits


def test_the_keyboard_goes_to_the_list_when_what_had_it_is_gone(qtbot: QtBot, lively_stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Find the order and send it", *PLAN)
    page = shown(lively_stage)
    run = page.detail.buttons[0]
    run.setFocus()
    qtbot.keyClick(run, Qt.Key.Key_Return)
    assert sent(lively_stage) == [RunPlan(request_id)]
    assert page.list.hasFocus(), "a second Return must not press whatever comes next"
    office.requests.run(request_id)
    office.tell(request_id)
    stop = page.detail.buttons[3]
    qtbot.waitUntil(stop.isVisible)
    stop.setFocus()
    office.requests.stop(request_id)
    office.tell(request_id)
    qtbot.waitUntil(page.list.hasFocus)


def test_a_narrow_window_shows_what_was_asked_and_leads_back(qtbot: QtBot, lively_stage: Stage, office: RequestOffice) -> None:
    office.ask("a", "One", *PLAN)
    page = shown(lively_stage, 600)
    assert page.list.isVisible()
    page.ask("Two")
    assert page.detail.words.isVisible()
    assert page.detail.words.text() == "Two"
    assert page.detail.back_button.isVisible()
    page.detail.back_button.click()
    assert page.list.hasFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert page.detail.words.text() == "One"
    assert page.detail.words.isVisible()


def test_steps_are_told_and_answers_cite_mails(qtbot: QtBot, lively_stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Find the order and send it", *PLAN, run=True)
    office.steps.begin(request_id, 0)
    page = shown(lively_stage)
    lively_stage.engine.tell(StepTold(request_id, 0, "Reading 3 mails"))
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
    assert lively_stage.neighbours.went == [("message", 7)]
    card.copy.click()
    assert QApplication.clipboard().text() == answer
    assert not nameless(page)


def test_a_mail_that_waits_leads_to_review(qtbot: QtBot, lively_stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Find the order and send it", *PLAN, run=True)
    office.steps.begin(request_id, 0)
    office.steps.finish(request_id, 0, StepResult("{}", "Found."))
    office.steps.begin(request_id, 1)
    office.steps.wait(request_id, 1, ReviewId(41))
    page = shown(lively_stage)
    assert office.get(request_id).status is RequestStatus.WAITING
    page.list.setFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_O)
    page.detail.cards[1].waiting.button.click()
    assert lively_stage.neighbours.went == [("review", 41), ("review", 41)]
    assert not page.detail.cards[0].again.isVisible(), "its mail waits behind it"
    qtbot.keyClick(page.list, Qt.Key.Key_X)
    assert sent(lively_stage) == [StopRequest(request_id)]


def test_a_failed_step_is_tried_again(qtbot: QtBot, lively_stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Find the order and send it", *PLAN, run=True)
    office.steps.begin(request_id, 0)
    office.steps.fail(request_id, 0, "Nothing was found.")
    page = shown(lively_stage)
    assert page.detail.cards[0].failed.words == "Nothing was found."
    page.detail.cards[0].failed.button.click()
    page.list.setFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_T)
    assert sent(lively_stage) == [RetryStep(request_id, 0)], "twice is once"
    event = CommandFailed("RetryStep", "refused", "A step is running.", "Stop it first.")
    assert page.says(event)
    lively_stage.engine.tell(event)
    qtbot.waitUntil(lambda: "A step is running." in page.detail.notice.words)


def test_a_failed_plan_is_made_again(lively_stage: Stage, office: RequestOffice) -> None:
    request_id = office.ask("a", "Do all")
    office.requests.fail_plan(request_id, "The model's answer could not be used.")
    page = shown(lively_stage)
    assert page.detail.failed.words == "The model's answer could not be used."
    lively_stage.context.actions["assistant.again"].trigger()
    assert sent(lively_stage) == [PlanAgain(request_id)]


def test_what_is_forgotten_goes_at_once_and_comes_back(
    qtbot: QtBot, lively_stage: Stage, office: RequestOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = office.ask("a", "One", *PLAN), office.ask("b", "Two", *PLAN)
    page = shown(lively_stage)
    offers: list[Callable[[], object]] = []
    monkeypatch.setattr(lively_stage.neighbours, "tell", lambda _words, _action, act, _ms: offers.append(act))
    page.list.setFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    assert page.model.rowCount() == 1
    assert page.open_id == first
    office.requests.forget(second)
    lively_stage.engine.tell(RequestChanged(second, ""))
    offers[0]()
    assert sent(lively_stage) == [ForgetRequest(second), RecallRequest(second)]
    office.requests.forget(second, forgotten=False)
    office.tell(second)
    qtbot.waitUntil(lambda: page.model.rowCount() == 2)


def test_a_refused_request_stands_in_the_line_again(qtbot: QtBot, lively_stage: Stage, office: RequestOffice) -> None:
    page = shown(lively_stage)
    qtbot.keyClicks(page.bar.field, "Find it")
    page.bar.ask.click()
    lively_stage.engine.tell(CommandFailed("Ask", "refused", "The account is gone.", ""))
    assert page.bar.words == "Find it"
    assert "The account is gone." in page.bar.refused.words
    assert page.asked.ids == ()
    qtbot.keyClicks(page.bar.field, "!")
    assert not page.bar.refused.isVisible()


def test_nothing_yet_and_examples(lively_stage: Stage, office: RequestOffice) -> None:
    page = shown(lively_stage)
    assert page.beginning.isVisible()
    assert "model" in page.bar.standing.words
    page.bar.standing.button.click()
    assert lively_stage.neighbours.went == ["model"]
    assert [one.isVisible() for one in page.beginning.examples[True]] == [False] * 3
    first = page.beginning.examples[False][0]
    assert first.isVisible()
    first.click()
    assert page.bar.words == first.accessibleName()
    assert page.bar.field.hasFocus()
    assert not nameless(page)
    assert not cut(page)


def test_without_an_account_nothing_can_be_asked(lively_stage: Stage) -> None:
    Database.open(lively_stage.data.database).close()
    page = shown(lively_stage)
    page.ask("Find it")
    assert not page.bar.ask.isEnabled()
    assert sent(lively_stage) == []
    assert page.bar.words == "Find it", "kept for when there is one"


def test_hundreds_are_read_as_they_are_looked_at(lively_stage: Stage, office: RequestOffice, qtmodeltester: ModelTester) -> None:
    for number in range(300):
        office.ask(f"{number:04}", f"Request {number}")
    page = shown(lively_stage)
    assert page.model.rowCount() == 300
    assert page.open_id == RequestId("0299-4000-8000-000000000000")
    qtmodeltester.check(page.model)
