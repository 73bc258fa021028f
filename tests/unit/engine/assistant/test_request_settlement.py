"""What the owner decides and what leaves, back at the steps that wait on it."""

import asyncio
import json

import pytest

from app.domain.agents.requests import RequestStatus, StepStatus, own_thread
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.error_texts import Cause, ErrorText
from app.domain.ids import RequestId
from app.domain.mail.outbox import HoldReason, OutboxState
from app.domain.protocol.assistant_commands import RetryStep, RunPlan, StopRequest
from fakes.engine.assistant_worker import FIND, SEND, AssistantBench
from fakes.engine.store.values import ANA

pytestmark = pytest.mark.anyio
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


async def test_one_saved_as_a_draft_is_done_as_a_draft(bench: AssistantBench) -> None:
    async with bench.running():
        request = await waiting(bench)
        await bench.decide(request, Action.SAVE_DRAFT)
        await bench.leave(request)
        await bench.stands(request, RequestStatus.DONE)
    assert contract(bench, request)["status"] == "draft"


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


async def test_an_undone_approval_waits_again_and_leaves_once(bench: AssistantBench) -> None:
    async with bench.running():
        request = await waiting(bench)
        await bench.decide(request, Action.ACCEPT)
        await bench.reviewer.undo(bench.review(request).id)
        assert bench.request(request).steps[0].status is StepStatus.WAITING
        await bench.decide(request, Action.ACCEPT)
        await bench.leave(request)
        await bench.stands(request, RequestStatus.DONE)


async def test_a_held_mail_keeps_its_step_waiting(bench: AssistantBench) -> None:
    async with bench.running() as worker:
        request = await waiting(bench)
        await bench.decide(request, Action.ACCEPT)
        item = bench.parts.tables.outbox.for_review(bench.review(request).id)
        assert item is not None
        bench.parts.tables.outbox.move(item.id, item.state, OutboxState.HELD, reason=HoldReason.LATE)
        worker.wake()
        await asyncio.sleep(LOOKED_S)
        assert bench.request(request).status is RequestStatus.WAITING


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
        assert second.proposal.draft is not None
        assert "version 2" in second.proposal.draft.body
        await bench.stands(request, RequestStatus.WAITING)


async def test_a_mail_whose_place_a_newer_one_took_fails_in_words_and_can_be_written_anew(bench: AssistantBench) -> None:
    async with bench.running() as worker:
        request = await waiting(bench)
        first = bench.review(request).id
        bench.parts.tables.reviews.supersede(own_thread(bench.request(request).number, 0))
        worker.wake()
        failed = await bench.stands(request, RequestStatus.FAILED)
        assert failed.steps[0].error == ErrorText.of(Cause.MAIL_SUPERSEDED)
        await bench.do(RetryStep(request, 0))
        await bench.stands(request, RequestStatus.WAITING)
    assert bench.review(request).id != first


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
