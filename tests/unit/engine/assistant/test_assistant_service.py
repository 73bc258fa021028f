"""Typed requests in the engine: commands, mails put up for them, and how their steps end."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.agents.requests import RequestStatus, StepStatus
from app.domain.agents.runs import RunStatus
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import AccountId, RequestId, ThreadId
from app.domain.protocol.assistant_commands import (
    AskAssistant,
    ForgetRequest,
    PlanAgain,
    RetryStep,
    RunPlan,
    StopRequest,
)
from app.store.requests.artifacts import named_documents
from fakes.engine.assistant_worker import FIND, SEND, AssistantBench
from fakes.engine.runner import Bench
from fakes.engine.store.values import ANA, draft, proposal, remote


async def test_what_cannot_be_done_is_refused(bench: AssistantBench) -> None:
    with pytest.raises(NotFound):
        await bench.do(AskAssistant(RequestId("a"), AccountId(9), "Find it"))
    with pytest.raises(NotAllowed):
        await bench.do(AskAssistant(RequestId("a"), bench.parts.account_id, "  "))
    for command in (RunPlan(RequestId("none")), PlanAgain(RequestId("none")), StopRequest(RequestId("none"))):
        with pytest.raises(NotFound):
            await bench.do(command)
    request = await bench.ask()
    for refused in (RunPlan(request), ForgetRequest(request)):
        with pytest.raises(NotAllowed):
            await bench.do(refused)
    with pytest.raises(NotFound):
        await bench.do(RetryStep(request, 3))


async def test_given_files_are_copied_and_kept(bench: AssistantBench, tmp_path: Path) -> None:
    there = tmp_path / "§ Ceník & co.txt"
    there.write_bytes(b"875 EUR")
    await bench.do(AskAssistant(RequestId("a"), bench.parts.account_id, "Read it", (there,)))
    there.unlink()
    (file,) = bench.parts.tables.requests.get(RequestId("a")).files
    assert (file.name, bench.artifacts.read(file.id)[1]) == ("Ceník - co.txt", b"875 EUR")
    assert bench.artifacts.sweep(bench.parts.tables.db.load(named_documents), datetime.now(UTC) + timedelta(days=99)) == 0
    with pytest.raises(NotAllowed):
        await bench.do(AskAssistant(RequestId("b"), bench.parts.account_id, "Read it", (there,)))
    with pytest.raises(NotFound):
        bench.parts.tables.requests.get(RequestId("b"))


async def test_every_command_comes_twice_and_counts_once(bench: AssistantBench) -> None:
    async with bench.running():
        request = await bench.ask("Send it", SEND)
        await bench.do(AskAssistant(request, bench.parts.account_id, "Send it"))
        await bench.stands(request, RequestStatus.PROPOSED)
        for command in (PlanAgain(request), RunPlan(request)):
            await bench.do(command)
            await bench.do(command)
            await bench.stands(request, RequestStatus.PROPOSED if isinstance(command, PlanAgain) else RequestStatus.WAITING)
        for _ in range(2):
            await bench.do(StopRequest(request))
    assert bench.request(request).status is RequestStatus.STOPPED
    assert bench.agents.asked.count("run 0") == 1


@pytest.fixture
async def sending(bench: AssistantBench) -> RequestId:
    """A request whose only step writes a mail, and runs."""
    request = await bench.ask("Send it")
    bench.parts.tables.requests.plan(request, [SEND], "rules", run=True)
    assert bench.desk.begin(request, 0)
    return request


async def test_a_crash_before_the_step_waited_leaves_one_review_as_the_owner_saw_it(
    bench: AssistantBench, sending: RequestId
) -> None:
    bench.agents.propose(sending, 0)
    first = bench.review(sending)
    bench.parts.tables.db.write("UPDATE request_steps SET status = 'running', review_id = 0")
    bench.parts.tables.requests.recover()
    bench.desk.begin(sending, 0)
    bench.agents.propose(sending, 0)
    assert bench.review(sending) == first


async def test_an_answer_takes_the_place_of_the_one_that_waits_in_its_conversation(
    bench: AssistantBench, sending: RequestId
) -> None:
    (mail,) = bench.parts.mail(remote("a", "t"))
    runs = Bench(bench.parts)
    run = runs.start_run(mail, RunStatus.WAITING, job=False)
    older = bench.parts.tables.reviews.open(proposal(run, thread=mail.thread_id, message=mail.id), "reply")
    answer = proposal(bench.request(sending).run_id, thread=ThreadId(mail.thread_id), message=mail.id, what=draft())
    bench.desk.propose(sending, 0, answer)
    assert bench.parts.tables.reviews.review(older).status is ReviewStatus.SUPERSEDED
    assert (bench.woken, bench.parts.tables.jobs.counts()["wake"]) == (1, 1)


LOOKED_S = 0.1
"""By then the worker has looked."""


async def waiting(bench: AssistantBench) -> RequestId:
    """A request whose mail is in Review, with a search behind it."""
    request = await bench.ask("Send it", SEND, FIND)
    await bench.stands(request, RequestStatus.PROPOSED)
    await bench.do(RunPlan(request))
    await bench.stands(request, RequestStatus.WAITING)
    return request


def contract(bench: AssistantBench, request: RequestId) -> dict[str, object]:
    """What the step's contract says."""
    told: dict[str, object] = json.loads(bench.request(request).steps[0].contract)["data"]
    return told


async def test_a_step_is_done_when_its_mail_has_left_and_not_before(bench: AssistantBench) -> None:
    async with bench.running() as worker:
        request = await waiting(bench)
        await bench.decide(request, Action.ACCEPT)
        worker.wake()
        await asyncio.sleep(LOOKED_S)
        assert bench.request(request).steps[0].status is StepStatus.WAITING
        await bench.leave(request)
        await bench.stands(request, RequestStatus.DONE)
    assert contract(bench, request) == {
        "action": "send",
        "status": "sent",
        "to": ANA.email,
        "subject": "The order",
        "attachment": False,
        "tool_used": True,
    }
    assert [one.outcome for one in bench.settled] == ["sent"]
    assert bench.agents.asked.count("run 1") == 1, "the plan goes on behind it, once"


async def test_a_rejected_mail_is_declined_the_plan_goes_on_and_undo_brings_it_back(bench: AssistantBench) -> None:
    async with bench.running():
        request = await waiting(bench)
        await bench.decide(request, Action.IGNORE)
        assert (await bench.stands(request, RequestStatus.DONE)).steps[0].status is StepStatus.DECLINED
        assert contract(bench, request) == {"action": "send", "status": "rejected", "tool_used": True}
        await bench.reviewer.undo(bench.review(request).id)
        await bench.stands(request, RequestStatus.WAITING)
        await bench.decide(request, Action.ACCEPT)
        await bench.leave(request)
        assert (await bench.stands(request, RequestStatus.DONE)).steps[0].status is StepStatus.DONE
    assert bench.agents.asked.count("run 1") == 1


@pytest.mark.parametrize("stopped", [False, True])
async def test_a_mail_that_is_to_be_changed_is_written_again_under_its_review(bench: AssistantBench, stopped: bool) -> None:
    async with bench.running():
        request = await waiting(bench)
        first = bench.review(request)
        if stopped:
            await bench.do(StopRequest(request))
        await bench.decide(request, Action.RESPOND, "Shorter, please.")
        await bench.until(lambda: bench.review(request).status is ReviewStatus.PENDING and bench.agents.asked.count("run 0") == 2)
        second = bench.review(request)
        assert (second.id, second.revision) == (first.id, first.revision + 1)
        assert "version 2" in second.proposal.draft.body
        await bench.stands(request, RequestStatus.WAITING)


async def test_what_was_decided_or_left_while_nobody_looked_is_found_at_the_start(bench: AssistantBench) -> None:
    async with bench.running():
        sent, declined = await waiting(bench), await waiting(bench)
    await bench.decide(sent, Action.ACCEPT)
    await bench.leave(sent)
    await bench.decide(declined, Action.IGNORE)
    async with bench.running():
        assert (await bench.stands(sent, RequestStatus.DONE)).steps[0].status is StepStatus.DONE
        assert (await bench.stands(declined, RequestStatus.DONE)).steps[0].status is StepStatus.DECLINED


async def test_what_a_stopped_request_has_in_review_still_leaves(bench: AssistantBench) -> None:
    async with bench.running():
        request = await waiting(bench)
        await bench.do(StopRequest(request))
        await bench.decide(request, Action.ACCEPT)
        await bench.leave(request)
        await bench.until(lambda: bench.request(request).steps[0].status is StepStatus.DONE)
        assert bench.request(request).status is RequestStatus.STOPPED
    assert "run 1" not in bench.agents.asked
