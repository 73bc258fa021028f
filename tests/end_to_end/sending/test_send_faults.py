"""Every fault of each request on a mail's way out, at every search lag: nothing lost, nothing twice, nothing in doubt."""

import asyncio
from pathlib import Path

import pytest

from app.domain.mail.outbox import HoldReason, OutboxState
from app.domain.protocol.commands import SendNow
from fakes.engine.engine_process import QUICK
from fakes.gmail.sending import Stage, staged

FAULTS = [
    ("429", "before"),
    ("403-rate", "before"),
    ("403-user-rate", "before"),
    ("401", "before"),
    ("500", "before"),
    ("500", "after"),
    ("502", "before"),
    ("502", "after"),
    ("503", "before"),
    ("503", "after"),
    ("429", "after"),
    ("400-precondition", "before"),
    ("truncate", "after"),
    ("cut", "before"),
    ("cut", "after"),
    ("double", "after"),
]
METHODS = ("threads.get", "drafts.create", "drafts.send")
UNHURRIED = QUICK.replace("budget_units = 100000", "budget_units = 10000000")
"""A dozen refusals cut what may be spent to a tenth; it has to last for all, or they wait for the next minute."""


async def approve_many(stage: Stage, count: int) -> list[int]:
    """Ask and approve `count` questions at about the same time; the reviews' ids."""
    messages = [await stage.ask() for _ in range(count)]
    reviews = [stage.propose(message) for message in messages]
    await asyncio.gather(*(stage.decide(review) for review in reviews))
    return [review.id for review in reviews]


@pytest.mark.parametrize("lag_s", [pytest.param(0, marks=pytest.mark.soak), pytest.param(2, marks=pytest.mark.soak), 1000])
async def test_every_fault_once_and_each_answer_arrives_once(tmp_path: Path, lag_s: int) -> None:
    async with staged(tmp_path / "data", UNHURRIED) as stage:
        stage.sandbox.set_lag(lag_s)
        for method in METHODS:
            for kind, when in FAULTS:
                stage.sandbox.faults.add(kind, f"gmail.users.{method}", when=when)
        uncertain = 0
        for review_id in await approve_many(stage, len(FAULTS)):
            item = await stage.rested(review_id)
            uncertain += OutboxState.UNCERTAIN in stage.states(item.id)
            assert (item.state, stage.copies(item)) == (OutboxState.SENT, 1), (item.reason, stage.states(item.id))
            await stage.no_drafts(item)
        assert all(rule["fired"] == 1 for rule in stage.sandbox.faults.listed())
        assert uncertain == 0, "a draft that is there or gone leaves no doubt"


async def test_a_refused_send_is_held_with_its_reason_and_goes_when_told_to(tmp_path: Path) -> None:
    async with staged(tmp_path / "data") as stage:
        stage.sandbox.faults.add("403-permission", "gmail.users.drafts.send")
        review = await stage.approved()
        item = await stage.rested(review.id)
        assert (item.state, item.reason) == (OutboxState.HELD, HoldReason.PERMISSION_MISSING)
        assert stage.copies(item) == 0
        await stage.engine.do(SendNow(item.id))
        item = await stage.in_state(review.id, OutboxState.SENT)
        assert stage.copies(item) == 1
        await stage.no_drafts(item)
