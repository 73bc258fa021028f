"""What calls come to: by day, by month, and by run for one model."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.agents.runs import ModelCall
from app.domain.ids import RunId
from fakes.engine.agent_mailbox import Room, mail


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with Room(tmp_path) as made:
        yield made


def call(room: Room, run: str, usd: float, days_ago: int = 0, model: str = "a/b") -> None:
    at = room.now - timedelta(days=days_ago)
    room.runs.model_call(ModelCall(RunId(run), "generate", model, 10, 5, usd, 1.0, "a", 9, "", at))


def test_day_and_month(room: Room) -> None:
    for days_ago in (0, 1, 15, 60):
        call(room, "run-1", 0.25, days_ago)
    assert room.runs.usage_today() == (1, 15, 0.25)
    assert room.runs.usage_this_month() == (3, 45, 0.75)


def test_a_models_cost_counts_runs_that_are_known(room: Room) -> None:
    (message,) = room.put(mail("Price?"))
    run = room.start(message)
    call(room, run.id, 0.25)
    call(room, run.id, 0.25, days_ago=60)
    call(room, "model-test", 9.0)
    call(room, run.id, 7.0, model="c/d")
    assert room.runs.cost_with("a/b") == (1, 0.5)
    assert room.runs.cost_with("nobody/x") == (0, 0.0)
