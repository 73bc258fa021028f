"""The past of the model first, then its list price, then plainly unknown."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.agents.runs import ModelCall
from app.domain.ids import RunId
from app.engine.runs.agent_runtime import COST_UNKNOWN, LEAST_RUNS, expected_usd
from fakes.engine.agent_mailbox import NOON, Room, mail

MODEL = "gemini/gemini-2.5-pro"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with Room(tmp_path) as made:
        yield made


def call(room: Room, run: str, usd: float, model: str = MODEL) -> None:
    room.runs.model_call(ModelCall(RunId(run), "generate", model, 100, 20, usd, 1.0, "gemini", 9, "", NOON))


def put_runs(room: Room, count: int, usd: float) -> None:
    """Runs of two calls each."""
    (message,) = room.put(mail("Price?"))
    for at in range(count):
        run = room.start(message, f"run-{at}")
        call(room, run.id, usd / 2)
        call(room, run.id, usd / 2)


def test_without_a_model_or_mails_it_costs_nothing(room: Room) -> None:
    assert expected_usd(10, "", room.runs, lambda: 1.0) == 0
    assert expected_usd(0, MODEL, room.runs, lambda: 1.0) == 0


def test_the_past_counts_from_some_runs_on(room: Room) -> None:
    put_runs(room, LEAST_RUNS - 1, 0.02)
    call(room, "model-test", 9.0)
    assert expected_usd(10, MODEL, room.runs, lambda: 0.5) == pytest.approx(5.0)
    put_runs(room, LEAST_RUNS, 0.02)
    assert expected_usd(10, MODEL, room.runs, lambda: 0.5) == pytest.approx(10 * (0.02 * (2 * LEAST_RUNS - 1)) / LEAST_RUNS)
    assert expected_usd(10, "another/model", room.runs, lambda: 0.5) == pytest.approx(5.0)


def test_a_past_without_prices_says_nothing(room: Room) -> None:
    put_runs(room, LEAST_RUNS, 0.0)
    assert expected_usd(10, MODEL, room.runs, lambda: None) == COST_UNKNOWN
