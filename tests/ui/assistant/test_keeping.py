"""What comes back after a restart and a crash: words, the open request, what was handed over, edited plans."""

import pytest
from pytestqt.qtbot import QtBot

from app.domain.assistant import Capability, PlannedStep, RequestStatus
from app.domain.assistant_commands import Ask, RunPlan
from app.domain.ids import AccountId, RequestId
from app.ui.assistant.asked import Asked
from app.ui.assistant.keeping import keep_assistant
from app.ui.assistant.page import AssistantPage
from fakes.page_stage import NOW, Stage
from fakes.request_office import RequestOffice

PLAN = (PlannedStep(Capability.RESEARCH, "Find the order."), PlannedStep(Capability.GMAIL, "Send it to Ana."))


def shown(stage: Stage, height: int = 760) -> AssistantPage:
    """The page on screen."""
    page = AssistantPage(stage.context)
    keep_assistant(page)
    stage.show(page, 1000, height)
    return page


def again(stage: Stage, page: AssistantPage) -> AssistantPage:
    """The page of the next start, as the window makes it."""
    place, parts = page.place(), page.parts.place()
    made = AssistantPage(stage.context)
    keep_assistant(made)
    made.begin_at(place)
    made.parts.begin_at(parts)
    stage.show(made, 1000, page.height())
    return made


def test_words_and_the_open_request_come_back(qtbot: QtBot, lively_stage: Stage) -> None:
    office = RequestOffice(lively_stage)
    office.connect()
    other = office.connect("mia@second.example")
    first, _second = office.ask("a", "One", *PLAN), office.ask("b", "Two", *PLAN)
    page = shown(lively_stage)
    page.list.select_row(1)
    qtbot.keyClicks(page.bar.field, "Half a req")
    page.bar.accounts.setCurrentIndex(page.bar.accounts.findData(other))
    made = again(lively_stage, page)
    assert made.bar.field.toPlainText() == "Half a req"
    assert made.bar.field.textCursor().position() == 10
    assert made.bar.account == other
    assert made.open_id == first
    office.db.close()


def test_an_edited_plan_comes_back_and_goes_when_it_runs(lively_stage: Stage) -> None:
    office = RequestOffice(lively_stage)
    office.connect()
    request_id = office.ask("a", "Find it", *PLAN)
    page = shown(lively_stage)
    page.detail.plan.lines[1].tools["out"].click()
    page.detail.plan.lines[0].field.setPlainText("Find order 4411.")
    edited = (PlannedStep(Capability.RESEARCH, "Find order 4411."),)
    made = again(lively_stage, page)
    assert made.detail.plan.steps == edited
    made.desk.run()
    assert lively_stage.engine.commands == [RunPlan(request_id, edited)]
    office.requests.run(request_id, edited)
    made.refresh()
    assert office.get(request_id).status is RequestStatus.RUNNING
    assert made.parts.place().get("plans") is None
    office.db.close()


def test_what_the_engine_never_got_is_asked_again(lively_stage: Stage) -> None:
    office = RequestOffice(lively_stage)
    account = office.connect()
    page = shown(lively_stage)
    page.ask("One")
    page.ask("Two")
    one, two = lively_stage.engine.commands
    assert isinstance(one, Ask)
    office.requests.add(one)
    made = again(lively_stage, page)
    assert lively_stage.engine.commands[2:] == [two], "the first one is there"
    assert made.model.rowCount() == 2
    assert made.bar.account == account
    office.requests.add(two) if isinstance(two, Ask) else None
    made.refresh()
    assert made.asked.ids == ()
    assert "asked" not in made.parts.place()
    office.db.close()


@pytest.mark.parametrize("value", ["", "[]", "[1]", '["x", "y", 1]', "[1, 2, 1e400]", "{}", 7, "[" * 5000])
def test_a_damaged_note_is_none(value: str | int) -> None:
    asked = Asked()
    assert asked.begin_at({"a": value}) == ()
    assert asked.ids == ()


def test_the_oldest_one_is_refused_first() -> None:
    asked = Asked()
    first, second = asked.add(AccountId(1), "One", NOW), asked.add(AccountId(1), "Two", NOW)
    assert asked.ids == (second.request_id, first.request_id)
    assert asked.refused() == first
    assert not asked.settle([RequestId("other")])
    assert asked.settle([second.request_id])
    assert asked.refused() is None


def test_a_plan_is_scrolled_where_it_was(qtbot: QtBot, lively_stage: Stage) -> None:
    office = RequestOffice(lively_stage)
    office.connect()
    office.ask("a", "Find it", *(PLAN * 4))
    page = shown(lively_stage, 480)
    bar = page.detail.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 200)
    bar.setValue(150)
    made = again(lively_stage, page)
    qtbot.waitUntil(lambda: made.detail.area.verticalScrollBar().value() == 150)
    office.db.close()
