"""What the owner types, from the plan to the mail that left, with the real engine, agents, model over HTTP and Gmail server."""

import json
import re
from collections.abc import AsyncIterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from app.domain.agents.requests import RequestStatus, StepStatus
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.ids import RequestId
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.assistant_commands import PlanAgain, RequestChanged, RetryStep, RunPlan, StopRequest
from app.domain.protocol.commands import ChangeSettings, SendNow, StoreKey, Undo
from app.domain.protocol.events import CommandFailed, ReviewReady, WorkChanged
from fakes.engine.assistant_process import AssistantStage, assistant_stage, attached
from fakes.engine.engine_process import QUICK, THINKING
from fakes.models.model_server import Answer

pytestmark = pytest.mark.timeout(170)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[AssistantStage]:
    async with assistant_stage(tmp_path / "data") as stage:
        yield stage


async def test_a_request_is_planned_researched_written_reviewed_and_sent_once_with_its_file(stage: AssistantStage) -> None:
    request_id = await stage.ask()
    proposed = await stage.stands(request_id, RequestStatus.PROPOSED)
    assert [one.capability.value for one in proposed.steps] == ["research", "create_document", "gmail"]
    assert proposed.maker == "openai/scripted"
    assert stage.model.kinds() == ["plan"], "nothing runs before the owner says so"
    await stage.engine.do(RunPlan(request_id))

    waiting = await stage.stands(request_id, RequestStatus.WAITING)
    research, document, mail = waiting.steps
    assert research.sources[0].title
    (file,) = document.documents
    review = stage.review(mail)
    assert review.proposal.draft.attachments == (file,)
    await stage.engine.event(ReviewReady, lambda one: one.review_id == review.id)
    assert stage.sent() == []

    await stage.decide(request_id)
    done = await stage.stands(request_id, RequestStatus.DONE)
    assert [one.status for one in done.steps] == [StepStatus.DONE] * 3
    assert json.loads(done.steps[2].contract) == {
        "completed_capability": "gmail",
        "data": {
            "action": "send",
            "status": "sent",
            "to": "ana@partner.org",
            "subject": "Order 4411",
            "attachment": True,
            "tool_used": True,
        },
    }
    (raw,) = stage.sent()
    left = message_from_bytes(raw, policy=policy.default)
    (attached,) = left.iter_attachments()
    assert attached.get_filename() == file.name
    assert "27 November" in attached.get_content()
    (row,) = stage.engine.reader.outbox()
    assert row.item.state is OutboxState.SENT
    await stage.engine.event(RequestChanged, lambda one: one.status == "done")


async def test_a_pdf_report_arrives_byte_for_byte(stage: AssistantStage) -> None:
    stage.model.document = "pdf"
    request_id = await stage.run("Find out when order 4411 ships, make a PDF report and send it to ana@partner.org")
    (file,) = (await stage.stands(request_id, RequestStatus.WAITING)).steps[1].documents
    assert re.fullmatch(r"report_\d{8}_\d{6}\.pdf", file.name)
    await stage.decide(request_id)
    await stage.stands(request_id, RequestStatus.DONE)
    assert attached(stage) == (file.name, stage.artifact(file))
    assert "ships on Friday, 27 November" in (await stage.text(file)).text


async def test_a_rejected_mail_never_leaves_and_the_request_ends(stage: AssistantStage) -> None:
    request_id = await stage.run()
    await stage.stands(request_id, RequestStatus.WAITING)
    await stage.decide(request_id, Action.IGNORE)
    done = await stage.stands(request_id, RequestStatus.DONE)
    assert done.steps[2].status is StepStatus.DECLINED
    await stage.engine.do(Undo(done.steps[2].review_id))
    await stage.stands(request_id, RequestStatus.WAITING)
    await stage.decide(request_id, Action.SAVE_DRAFT)
    kept = await stage.stands(request_id, RequestStatus.DONE)
    assert json.loads(kept.steps[2].contract)["data"]["status"] == "draft"
    assert (len(stage.sent()), len(stage.sandbox.mail.drafts())) == (0, 1)


async def test_an_undone_approval_does_not_leave_and_the_next_one_leaves_once(tmp_path: Path) -> None:
    settings = THINKING.replace("undo_s = 0", "undo_s = 60")
    async with assistant_stage(tmp_path / "data", settings=settings) as stage:
        request_id = await stage.run()
        waiting = await stage.stands(request_id, RequestStatus.WAITING)
        for _ in range(2):
            await stage.decide(request_id)
            await stage.engine.do(Undo(waiting.steps[2].review_id))
        assert stage.request(request_id).status is RequestStatus.WAITING
        await stage.decide(request_id)
        row = next(one for one in stage.engine.reader.outbox() if one.item.state is OutboxState.QUEUED)
        await stage.engine.do(SendNow(row.item.id))
        await stage.stands(request_id, RequestStatus.DONE)
        assert len(stage.sent()) == 1


async def test_what_the_owner_wants_changed_is_changed_in_the_same_review(stage: AssistantStage) -> None:
    request_id = await stage.run()
    first = stage.review((await stage.stands(request_id, RequestStatus.WAITING)).steps[2])
    await stage.decide(request_id, Action.RESPOND, "Make it shorter.")
    step = (await stage.until(request_id, lambda one: stage.review(one.steps[2]).revision > first.revision)).steps[2]
    await stage.stands(request_id, RequestStatus.WAITING)
    second = stage.review(step)
    assert (second.id, second.status) == (first.id, ReviewStatus.PENDING)
    assert "shorter" in second.proposal.draft.body
    assert len(second.proposal.draft.attachments) == 1
    await stage.decide(request_id)
    await stage.stands(request_id, RequestStatus.DONE)
    (raw,) = stage.sent()
    assert b"shorter" in raw


async def test_stop_ends_what_the_model_thinks_about(stage: AssistantStage) -> None:
    stage.model.slow = {"research": 4.0}
    request_id = await stage.run()
    await stage.engine.until(lambda: "research" in stage.model.kinds())
    await stage.engine.do(StopRequest(request_id))
    stopped = await stage.stands(request_id, RequestStatus.STOPPED)
    assert [one.status for one in stopped.steps] == [StepStatus.OPEN] * 3
    stage.model.slow = {}
    await stage.engine.do(RetryStep(request_id, 0))
    await stage.stands(request_id, RequestStatus.WAITING)


async def test_a_model_that_cannot_be_reached_is_waited_for(stage: AssistantStage) -> None:
    stage.model.enqueue(*[Answer("down", status=503)] * 3)
    request_id = await stage.ask()
    held = await stage.until(request_id, lambda one: bool(one.delayed_by))
    assert (held.status, held.delayed_by) == (RequestStatus.PLANNING, "model_unavailable")
    await stage.engine.do(PlanAgain(request_id))
    await stage.stands(request_id, RequestStatus.PROPOSED)
    stage.model.enqueue(*[Answer("down", status=503)] * 3)
    await stage.engine.do(RunPlan(request_id))
    held = await stage.until(request_id, lambda one: bool(one.delayed_by))
    assert (held.status, held.delayed_by) == (RequestStatus.RUNNING, "model_unavailable")
    await stage.engine.do(RetryStep(request_id, 0))
    await stage.stands(request_id, RequestStatus.WAITING)


async def test_a_refused_key_is_told_until_another_comes(stage: AssistantStage) -> None:
    stage.model.enqueue(Answer("bad key", status=401))
    await stage.ask()
    await stage.engine.event(WorkChanged, lambda one: "rejected the key" in str(one.refusal))
    told = len(stage.engine.seen)
    await stage.engine.do(StoreKey("compatible", "sk-other", session_only=True))
    await stage.engine.event(WorkChanged, lambda one: not one.refusal, after=told)


async def test_without_a_model_the_mails_that_fit_are_listed_at_once(tmp_path: Path) -> None:
    async with assistant_stage(tmp_path / "data", with_model=False, settings=QUICK) as stage:
        request_id = await stage.ask("order 4411")
        done = await stage.stands(request_id, RequestStatus.DONE)
        assert done.maker == "rules"
        assert [one.title for one in done.steps[0].sources]
        assert "Order 4411" in done.steps[0].answer


async def test_a_model_chosen_later_is_used_from_then_on(tmp_path: Path) -> None:
    async with assistant_stage(tmp_path / "data", with_model=False, settings=QUICK) as stage:
        await stage.stands(await stage.ask("order 4411"), RequestStatus.DONE)
        chosen = (("model.name", '"openai/scripted"'), ("model.api_base", f'"{stage.model.api_base}"'))
        await stage.engine.do(ChangeSettings(chosen))
        makers = ["rules"]
        while makers[-1] == "rules" and len(makers) < 50:  # the agents are built anew beside the first of them
            request = await stage.until(await stage.ask(), lambda one: one.status is not RequestStatus.PLANNING)
            makers.append(request.maker)
        assert makers[-1] == "openai/scripted"


async def test_commands_about_requests_that_are_not_there_are_refused(stage: AssistantStage) -> None:
    await stage.engine.do(RunPlan(RequestId("none")))
    failed = await stage.engine.event(CommandFailed)
    assert (failed.command, failed.code) == ("RunPlan", "not_found")
