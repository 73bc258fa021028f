"""kill -9 wherever a request may stand: nothing that the owner asked for is lost, and no mail is put up or sent twice."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.domain.agents.requests import RequestStatus, StepStatus
from app.domain.ids import RequestId
from app.domain.protocol.assistant_commands import RunPlan
from fakes.engine.assistant_process import AssistantStage, assistant_stage

pytestmark = pytest.mark.timeout(240)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[AssistantStage]:
    async with assistant_stage(tmp_path / "data") as stage:
        yield stage


async def to_the_end(stage: AssistantStage, request_id: RequestId) -> None:
    """Whatever waits for the owner is let go on, and exactly one mail with exactly one file leaves."""
    before = len(stage.sent())
    if (await stage.until(request_id, lambda one: one.status is not RequestStatus.PLANNING)).status is RequestStatus.PROPOSED:
        await stage.engine.do(RunPlan(request_id))
    await stage.stands(request_id, RequestStatus.WAITING)
    await stage.decide(request_id)
    await left(stage, request_id, before)


async def left(stage: AssistantStage, request_id: RequestId, before: int) -> None:
    """The request is done, each step once, and one more mail is sent than before."""
    done = await stage.stands(request_id, RequestStatus.DONE)
    assert [(one.status, one.attempt) for one in done.steps] == [(StepStatus.DONE, 1)] * 3
    assert len(done.documents) == 1
    mails = stage.sent()[before:] if before else stage.sent()
    assert len(stage.sent()) == before + 1
    assert sum(mail.count(b"Content-Disposition: attachment") for mail in mails) >= 1
    reviews = [stage.engine.reader.review(one) for one in stage.engine.reader.review_ids()]
    assert not reviews, "nothing is left in Review"


@pytest.mark.parametrize("thought", ["plan", "research", "document", "gmail"])
async def test_a_crash_while_the_model_thinks(stage: AssistantStage, thought: str) -> None:
    stage.model.slow = {thought: 2.0}
    request_id = await (stage.ask() if thought == "plan" else stage.run())
    await stage.engine.until(lambda: thought in stage.model.kinds())
    await stage.restart()
    stage.model.slow = {}
    await to_the_end(stage, request_id)
    assert stage.model.kinds().count("research") <= 4, "what was over before the crash is not thought again"


async def test_a_crash_while_the_plan_or_its_mail_waits_for_the_owner(stage: AssistantStage) -> None:
    request_id = await stage.ask()
    await stage.stands(request_id, RequestStatus.PROPOSED)
    await stage.restart()
    await stage.engine.do(RunPlan(request_id))
    waiting = await stage.stands(request_id, RequestStatus.WAITING)
    asked = len(stage.model.history)
    await stage.restart()
    await to_the_end(stage, request_id)
    assert stage.request(request_id).steps[2].review_id == waiting.steps[2].review_id
    assert len(stage.model.history) == asked


@pytest.mark.parametrize(("method", "when"), [("drafts.create", "after"), ("drafts.send", "before"), ("drafts.send", "after")])
async def test_a_crash_while_the_mail_leaves(stage: AssistantStage, method: str, when: str) -> None:
    request_id = await stage.run()
    await stage.stands(request_id, RequestStatus.WAITING)
    rule = stage.sandbox.faults.add("slow", f"gmail.users.{method}", when=when, seconds=3)
    await stage.decide(request_id)
    await stage.engine.until(lambda: any(one["id"] == rule and one["fired"] for one in stage.sandbox.faults.listed()))
    await stage.restart()
    await left(stage, request_id, 0)
