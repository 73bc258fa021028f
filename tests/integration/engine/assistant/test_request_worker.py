"""The assistant's worker over scripted agents: order, limits, trouble, stop and restarts, as rows and events."""

import asyncio

import pytest

from app.agent.llm.turns import UnusableAnswer
from app.domain.agents.requests import Request, RequestStatus, StepStatus
from app.domain.error_texts import NO_TEXT, ErrorText
from app.domain.errors import CapReached, ModelUnavailable, NotAllowed, Offline
from app.domain.ids import RequestId
from app.domain.protocol.assistant_commands import PlanAgain, RequestChanged, RetryStep, RunPlan, StopRequest
from app.engine.assistant.assistant_service import AT_ONCE
from fakes.engine.assistant_worker import FIND, SEND, AssistantBench


async def test_what_only_reads_runs_at_once_where_wanted_and_anything_else_waits_for_the_owner(bench: AssistantBench) -> None:
    async with bench.running():
        found = await bench.ask("Find it")
        sent = await bench.ask("Send it", FIND, SEND)
        assert (await bench.stands(found, RequestStatus.DONE)).steps[0].answer == "On Friday."
        assert (await bench.stands(sent, RequestStatus.PROPOSED)).maker == "openai/gpt-4o"
        assert [one.status for one in bench.request(sent).steps] == [StepStatus.OPEN, StepStatus.OPEN]
        for _ in range(2):
            await bench.do(RunPlan(sent))
        await bench.stands(sent, RequestStatus.WAITING)
        await bench.until(lambda: _told(bench, sent)[-1] == "waiting")
    assert bench.agents.asked.count("run 1") == 1
    told = _told(bench, sent)
    order = ["planning", "proposed", "running", "waiting"]
    assert sorted(dict.fromkeys(told), key=order.index) == list(dict.fromkeys(told))
    assert (told[0], told[-1]) == ("planning", "waiting")


def _told(bench: AssistantBench, request_id: RequestId) -> list[str]:
    """The statuses that the window heard."""
    return [one.status for one in bench.parts.events(RequestChanged) if one.request_id == request_id]


async def test_the_newest_first_and_two_at_once(bench: AssistantBench) -> None:
    bench.agents.hold.clear()
    for number in range(4):
        await bench.ask(f"Ask {number}")
    async with bench.running():
        await bench.until(lambda: len(bench.agents.asked) == AT_ONCE)
        await asyncio.sleep(0.05)
        assert set(bench.agents.asked) == {"plan Ask 3", "plan Ask 2"}
        bench.agents.hold.set()
        await bench.until(lambda: not bench.parts.tables.requests.due())
    assert bench.agents.most_at_once == AT_ONCE


def _delay(request: Request) -> tuple[RequestStatus, str, ErrorText]:
    return request.status, request.delayed_by, request.error


@pytest.mark.parametrize("error", [ModelUnavailable("No answer."), CapReached("500 calls"), Offline("No route.")])
async def test_trouble_that_passes_is_shown_and_left_behind(bench: AssistantBench, error: ModelUnavailable) -> None:
    bench.agents.troubles.extend([error, None, error])
    async with bench.running() as worker:
        request = await bench.ask()
        for status in (RequestStatus.PLANNING, RequestStatus.RUNNING):
            told = (status, error.code, error.text)
            await bench.until(lambda told=told: _delay(bench.request(request)) == told)
            tries = len(bench.agents.asked)
            await asyncio.sleep(0.05)
            assert len(bench.agents.asked) == tries, "it waits before it tries again"
            worker.run_now()
            await bench.until(lambda tries=tries: len(bench.agents.asked) > tries)
        done = await bench.stands(request, RequestStatus.DONE)
    assert (done.delayed_by, done.error, done.steps[0].attempt) == ("", NO_TEXT, 1)


@pytest.mark.parametrize("error", [UnusableAnswer("No plan in it."), NotAllowed("A plan has at most 8 steps.", "Ask for less.")])
async def test_a_plan_that_cannot_be_made_fails_in_words_and_can_be_asked_for_again(
    bench: AssistantBench, error: UnusableAnswer
) -> None:
    bench.agents.troubles.append(error)
    async with bench.running():
        request = await bench.ask()
        assert (await bench.stands(request, RequestStatus.FAILED)).error == error.text
        await bench.do(PlanAgain(request))
        await bench.stands(request, RequestStatus.DONE)


@pytest.mark.expects_warnings
async def test_a_fault_fails_the_step_in_words_without_the_mail(bench: AssistantBench, caplog: pytest.LogCaptureFixture) -> None:
    bench.agents.troubles.extend([None, ValueError("Dear Ana, the code is 4711")])
    async with bench.running():
        request = await bench.ask()
        failed = await bench.stands(request, RequestStatus.FAILED)
        assert failed.steps[0].status is StepStatus.FAILED
        assert "ValueError" in str(failed.steps[0].error)
        assert "4711" not in str(failed.steps[0].error) + caplog.messages[-1]
        await bench.do(RetryStep(request, 0))
        assert (await bench.stands(request, RequestStatus.DONE)).steps[0].attempt == 2


async def test_stop_drops_what_is_thought_and_nothing_goes_on_by_itself(bench: AssistantBench) -> None:
    bench.agents.hold.clear()
    async with bench.running() as worker:
        request = await bench.ask()
        await bench.until(lambda: bench.agents.asked == ["plan Find it"])
        await bench.do(StopRequest(request))
        assert bench.request(request).status is RequestStatus.STOPPED
        bench.agents.hold.set()
        worker.run_now()
        await asyncio.sleep(0.05)
        assert (bench.request(request).status, bench.request(request).steps) == (RequestStatus.STOPPED, ())
        await bench.do(PlanAgain(request))
        await bench.stands(request, RequestStatus.DONE)


async def test_a_restart_takes_everything_up_again(bench: AssistantBench) -> None:
    bench.agents.hold.clear()
    planned, ran = await bench.ask("Plan it", FIND, SEND), await bench.ask("Find it")
    bench.parts.tables.requests.plan(ran, [FIND], "rules", run=True)
    async with bench.running():
        await bench.until(lambda: len(bench.agents.asked) == 2)
    assert bench.request(ran).steps[0].status is StepStatus.RUNNING
    bench.agents.hold.set()
    async with bench.running():
        await bench.stands(planned, RequestStatus.PROPOSED)
        await bench.stands(ran, RequestStatus.DONE)
