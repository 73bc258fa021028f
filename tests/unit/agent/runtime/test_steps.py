"""The node decorator: what is retried, what waits, what fails, what is never swallowed."""

import json
from typing import Any

import pytest
from langgraph.errors import GraphInterrupt

from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.state import MailState
from app.agent.runtime.steps import NodeSpec, describe, passes, step
from app.agent.runtime.transitions import Node
from app.domain.errors import CapReached, DiskFull, ModelUnavailable, NotFound, Offline, ServerError
from app.domain.ids import RunId
from fakes.engine.agent_mailbox import FixedTriage, Room, mail, verdict

pytestmark = [pytest.mark.anyio, pytest.mark.expects_warnings]


class Body:
    """A node that fails as scripted."""

    def __init__(self, *troubles: BaseException) -> None:
        self.troubles = list(troubles)
        self.calls = 0

    async def __call__(self, state: MailState, deps: Any) -> dict[str, Any]:
        self.calls += 1
        if self.troubles:
            raise self.troubles.pop(0)
        return {"reason": "fine", "draft_response": "x" * 5000}


STATE = MailState(run_id="r", email=7, steps=["route"], draft_response="y" * 5000)


async def run(room: Room, body: Body, attempts: int = 3, **how: Any) -> dict[str, Any]:
    deps = room.deps(FixedTriage(verdict()))
    (message,) = room.put(mail("Price?"))
    room.start(message, "r")
    try:
        done = await step(Node.GENERATE, NodeSpec(body, attempts, **how), deps)(STATE)
    finally:
        await deps.book.write(RunId("r"))
    update: dict[str, Any] = done.update
    assert done.goto == (Node.NEEDS_REVIEW if "error" in update else Node.REVIEW)
    return update


def rows(room: Room) -> list[tuple[Any, ...]]:
    found = room.db.read("SELECT step_name, seq, error, input_state, output_state, latency_ms FROM run_steps")
    return [tuple(row) for row in found]


async def test_a_good_step_leaves_a_row_with_ids_and_digests(room: Room) -> None:
    update = await run(room, Body())
    assert update["steps"] == ["generate"]
    ((name, order, error, before, after, latency_ms),) = rows(room)
    assert (name, order, error) == ("generate", 2, "")
    assert before == "", "it follows on from the step before"
    assert json.loads(after)["draft_response"].startswith("sha256:")
    assert json.loads(after)["reason"] == "fine"
    assert latency_ms > 0


@pytest.mark.parametrize("trouble", [Offline("x"), ServerError("x"), OSError("x"), TimeoutError()])
async def test_three_attempts(room: Room, trouble: Exception) -> None:
    body = Body(trouble, trouble)
    assert (await run(room, body))["reason"] == "fine"
    assert body.calls == 3
    late = Body(trouble, trouble, trouble)
    assert (await run(room, late))["error"].startswith("generate: ")
    assert late.calls == 3


async def test_a_node_with_effects_is_tried_once(room: Room) -> None:
    body = Body(Offline("x"))
    assert "error" in await run(room, body, attempts=1)
    assert body.calls == 1


@pytest.mark.parametrize("trouble", [ModelUnavailable("x"), CapReached("x"), DiskFull("x")])
async def test_passing_trouble_is_raised_at_once(room: Room, trouble: Exception) -> None:
    body = Body(trouble)
    with pytest.raises(type(trouble)):
        await run(room, body)
    assert body.calls == 1
    assert rows(room)[0][2] == "x"


async def test_an_interrupt_is_never_swallowed_nor_logged(room: Room) -> None:
    with pytest.raises(GraphInterrupt):
        await run(room, Body(GraphInterrupt(())))
    assert rows(room) == []


async def test_the_last_resort_raises(room: Room) -> None:
    with pytest.raises(ValueError, match="x"):
        await run(room, Body(ValueError("x")), last_resort=True)


def test_words_of_errors() -> None:
    assert describe(NotFound("No such mail.", "Sync again.")) == "No such mail. Sync again."
    assert describe(ValueError("words of a mail")) == "ValueError"
    assert passes(ModelUnavailable())
    assert not passes(UnusableAnswer())
