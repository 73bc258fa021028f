"""The machine's clock jumps a day forward and back: no undo window ends early, nothing waits for a day, polling goes on."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.domain.mail.outbox import OutboxState
from app.domain.protocol.events import EngineReady
from fakes.engine.engine_process import ROOT, EngineProcess, engine_client, environment
from fakes.gmail.sandbox import running_sandbox
from fakes.gmail.sending import Stage

UNDO_S = 4
SETTINGS = f"[sync]\npoll_s = 1\nbudget_units = 100000\n[sending]\nundo_s = {UNDO_S}\n[drafting]\npaused = true\n"
DAY_S = 86_400


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    data, ahead = tmp_path / "data", tmp_path / "ahead"
    data.mkdir()
    (data / "settings.toml").write_text(SETTINGS)
    ahead.write_text("0")
    with running_sandbox() as sandbox:
        around = environment(sandbox.url, sandbox.token, ROOT / "tests")
        client = await engine_client("fakes.clock.jumping_engine", [str(data), str(ahead)], around, data)
        engine = EngineProcess(client, data)
        await engine.event(EngineReady)
        try:
            yield Stage(data, sandbox, engine)
        finally:
            await asyncio.wait_for(engine.close(), 60)


@pytest.mark.parametrize("jump_s", [DAY_S, -DAY_S], ids=["forward", "back"])
async def test_an_undo_window_lasts_as_long_as_it_should(stage: Stage, tmp_path: Path, jump_s: int) -> None:
    """Approved, then the clock jumps and other work wakes the sender: it leaves after the window, and not a day later."""
    review = stage.propose(await stage.ask())
    began = time.monotonic()
    await stage.decide(review)
    (tmp_path / "ahead").write_text(str(jump_s))
    other = stage.propose(await stage.ask())
    await stage.decide(other)
    item = await stage.in_state(review.id, OutboxState.SENT)
    assert time.monotonic() - began >= UNDO_S
    assert stage.copies(item) == 1
    await stage.in_state(other.id, OutboxState.SENT)
    await stage.engine.until(lambda: "clock jumped" in stage.engine.log())
