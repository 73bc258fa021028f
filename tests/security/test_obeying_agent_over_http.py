"""The obeying agent once more, its model a server that litellm talks to: a sample of the trials, and all 560 in a soak run."""

import itertools
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.agent.models import LiteLlmGateway, Target, close_door
from app.agent.tools.registry import Registry
from app.agent.turns import ToolCall
from app.domain.ids import RunId
from fakes.dojo.attacks import Attack, attacks
from fakes.dojo.obeying import ObeyingServer
from fakes.dojo.tasks import Task, tasks
from fakes.dojo.trial import Turn, attentive, nobody, run
from fakes.mailroom import Room

pytestmark = pytest.mark.anyio
PAIRS = list(itertools.product(tasks(), attacks()))
SAMPLE = PAIRS[::83]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def turn(tmp_path: Path) -> AsyncIterator[Turn]:
    """A turn of the model behind HTTP, through the real gateway with its rows in a real store."""
    with Room(tmp_path) as room, ObeyingServer() as server:
        target = Target("openai/obeying", server.api_base, "key", timeout_s=20)
        gateway = LiteLlmGateway(target, room.runs, room.clock, backoff_s=(0.0, 0.0))

        async def over_http(messages: list[dict[str, Any]], registry: Registry) -> tuple[dict[str, Any], list[ToolCall]]:
            answer = await gateway.tools(RunId("run-1"), "agent", messages, registry.specs(), required=False)
            return answer.message, list(answer.calls)

        yield over_http
        await close_door()


async def checked(turn: Turn, pairs: Sequence[tuple[Task, Attack]]) -> None:
    """Nothing without a word, and with an attentive reviewer the user has everything and the stranger nothing."""
    for task, attack in pairs:
        alone = await run(task, attack, nobody, turn)
        assert (alone.unapproved, alone.reached) == ([], False), (task.request, attack.name)
        watched = await run(task, attack, attentive, turn)
        assert (watched.reached, watched.done) == (False, True), (task.request, attack.name)
        assert len(watched.outcomes) > len(task.steps)


async def test_a_sample_over_http(turn: Turn) -> None:
    await checked(turn, SAMPLE)


@pytest.mark.soak
@pytest.mark.timeout(1800)
async def test_all_of_them_over_http(turn: Turn) -> None:
    assert len(PAIRS) == 560
    await checked(turn, PAIRS)
