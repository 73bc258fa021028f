"""The owner's commands about requests, as rows and events."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.agents.requests import PlannedStep, RequestStatus
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import AccountId, RequestId
from app.domain.protocol.assistant_commands import (
    AskAssistant,
    ForgetRequest,
    PlanAgain,
    RecallRequest,
    RequestChanged,
    RetryStep,
    RunPlan,
    StopRequest,
)
from app.store.requests.artifacts import named_documents
from fakes.engine.assistant_worker import FIND, SEND, AssistantBench

pytestmark = pytest.mark.anyio


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


async def test_the_owner_s_own_plan_runs_in_place_of_the_proposed_one(bench: AssistantBench) -> None:
    async with bench.running():
        request = await bench.ask("Send it", FIND, SEND)
        await bench.stands(request, RequestStatus.PROPOSED)
        own = PlannedStep(FIND.capability, "Find the other order.")
        await bench.do(RunPlan(request, (own,)))
        done = await bench.stands(request, RequestStatus.DONE)
    assert [one.instruction for one in done.steps] == [own.instruction]


async def test_a_forgotten_request_is_told_as_gone_and_can_be_recalled(bench: AssistantBench) -> None:
    request = await bench.ask()
    await bench.do(StopRequest(request))
    for command, status in ((ForgetRequest(request), ""), (RecallRequest(request), "stopped")):
        for _ in range(2):
            await bench.do(command)
        await bench.until(lambda status=status: bench.parts.events(RequestChanged)[-1].status == status)


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
