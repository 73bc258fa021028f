"""Numbers of Google's of any size: history ids of 64 bits without a sign, and counts, sizes and times that cannot be."""

from pathlib import Path

import pytest

from app.domain.protocol.events import ConnectionState, ErrorReported
from fakes.clock.stepped_sync import Syncing, running
from fakes.engine.sync import SyncStage, sync_stage
from fakes.gmail.sending import question

HALF, END = 2**63, 2**64
"""SQLite's integers end before the one, history ids before the other."""


async def cursor_of(stage: SyncStage) -> int:
    """Where the history is read on from, as stored."""
    cursor = (await stage.mirror.state()).cursor
    assert cursor is not None
    return cursor


def come_and_go(stage: SyncStage, number: int) -> None:
    """A mail arrives, one is changed, one is deleted."""
    stage.sandbox.deliver(question(number))
    first, second, *_ = sorted(stage.served())
    stage.sandbox.mail.label(first, add=["STARRED"])
    stage.sandbox.mail.delete(second)


@pytest.mark.parametrize("after", [HALF - 20, HALF, END - 10_000], ids=["crossing the half", "beyond it", "near the end"])
async def test_a_first_sync_and_its_polls_follow_a_history_of_any_size(tmp_path: Path, after: int) -> None:
    async with sync_stage(tmp_path, 30) as stage:
        stage.sandbox.move_history(after)
        async with running(syncing := Syncing(stage)):
            assert stage.labels() == stage.served()
            for number in range(3):
                come_and_go(stage, number)
                await syncing.on(rang=True)
                assert stage.labels() == stage.served()
            assert await cursor_of(stage) == (await stage.client.profile()).history_id > HALF
        assert syncing.states() == [ConnectionState.ONLINE]
        assert not [one for one in syncing.told if isinstance(one, ErrorReported)]


@pytest.mark.parametrize("after", [HALF - 20, END - 10_000], ids=["crossing the half", "near the end"])
async def test_an_expired_cursor_of_any_size_is_rebuilt_from_lists(tmp_path: Path, after: int) -> None:
    async with sync_stage(tmp_path, 30) as stage:
        stage.sandbox.move_history(after)
        async with running(syncing := Syncing(stage)):
            come_and_go(stage, 1)
            stage.sandbox.expire_history()
            come_and_go(stage, 2)
            await syncing.on(rang=True)
            assert stage.labels() == stage.served()
            assert await cursor_of(stage) == (await stage.client.profile()).history_id
            come_and_go(stage, 3)
            await syncing.on(rang=True)
            assert stage.labels() == stage.served()
