"""In whatever order the owner, another client, the sender and sync act, and wherever sync is cut off, both sides agree then."""

import asyncio
from pathlib import Path

import pytest

from fakes.clock.interleaved_sync import AnyOrder
from fakes.clock.stepped_sync import Syncing, running
from fakes.engine.sync import SyncStage, sync_stage

pytestmark = pytest.mark.anyio
SOAK = range(100, 160)


async def in_any_order(stage: SyncStage, order: AnyOrder, rests: int) -> None:
    """Sync for so many rests, cut off every few of them."""
    while rests > 0:
        syncing = Syncing(stage, poll_s=5.0, server=order.server())
        async with asyncio.timeout(120), running(syncing):
            for _ in range(order.chance.randint(1, 6)):
                rests -= 1
                await order.strike()
                await syncing.on(rang=order.chance.random() < 0.5)
        stage.tables.outbox.release_leases()


async def calmed_down(stage: SyncStage, order: AnyOrder) -> None:
    """Everything that waits leaves, and sync has its time."""
    order.calm = True
    stage.sandbox.faults.clear()
    for _ in range(2):
        while await order.send_one():
            pass
        async with running(syncing := Syncing(stage, poll_s=5.0)):
            for _ in range(14):
                await syncing.on()


async def agreed(folder: Path, seed: int) -> None:
    async with sync_stage(folder, 40) as stage:
        stage.tables.accounts.set_consent(stage.account, 0)
        order = AnyOrder(stage, seed)
        await in_any_order(stage, order, 12)
        await calmed_down(stage, order)
        assert stage.labels() == stage.served(), order.acts
        sent = {one for one, labels in stage.served().items() if "SENT" in labels}
        assert {one for one in stage.served() if stage.outgoing(one)} == sent
        assert stage.waiting() == ()


@pytest.mark.parametrize("seed", [2, 24])
async def test_both_sides_agree_in_the_end(tmp_path: Path, seed: int) -> None:
    await agreed(tmp_path, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SOAK)
async def test_both_sides_agree_whatever_happened(tmp_path: Path, seed: int) -> None:
    await agreed(tmp_path, seed)
