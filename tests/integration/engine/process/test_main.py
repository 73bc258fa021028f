"""The engine process from start to end: ready before anything heavy, one per folder, ended in order whoever ends it."""

import asyncio
import json
import sys
from pathlib import Path

from app.domain.protocol.commands import (
    ConnectGmail,
    PauseAgents,
    Shutdown,
    SyncNow,
)
from app.domain.protocol.events import CommandFailed, WorkChanged
from fakes.engine.engine_process import (
    PATIENCE_S,
    THINKING,
    environment,
    ready_engine,
    running_engine,
    start_engine,
)

SLOW_LIBRARIES = ("googleapiclient", "langgraph", "chromadb", "litellm", "onnxruntime", "sqlalchemy", "keyring")


async def test_ready_needs_nothing_heavy(tmp_path: Path, root: Path) -> None:
    code = f"import app.engine.process.main, sys; print([m for m in {SLOW_LIBRARIES!r} if m in sys.modules])"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, cwd=root, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()
    assert out.decode().strip() == "[]"


async def test_nobody_waits_for_a_sign_in(tmp_path: Path) -> None:
    places = {
        "auth_uri": "http://localhost:9/auth",
        "token_uri": "http://localhost:9/token",
        "redirect_uris": ["http://localhost"],
    }
    (tmp_path / "client.json").write_text(json.dumps({"installed": {"client_id": "1.example", "client_secret": "s", **places}}))
    data = tmp_path / "data"
    engine = await ready_engine(data, {**environment("", ""), "BROWSER": "true"})
    signing_in = engine.client.send(ConnectGmail(tmp_path / "client.json"))
    await engine.do(SyncNow())
    async with asyncio.timeout(PATIENCE_S / 2):
        engine.client.send(Shutdown())
        await signing_in
        assert await engine.client.wait() == 0
    assert [one.command for one in engine.seen if isinstance(one, CommandFailed)] == ["ConnectGmail"]
    engine.reader.close()


async def test_it_ends_while_the_agents_still_load(tmp_path: Path) -> None:
    engine = await start_engine(tmp_path / "data", settings=THINKING)
    assert await engine.close() == 0


async def test_agents_that_were_paused_load_when_they_are_wanted(tmp_path: Path) -> None:
    async with running_engine(tmp_path / "data") as engine:
        await engine.do(PauseAgents(False))
        await engine.event(WorkChanged, lambda one: not one.paused)
        await engine.do(PauseAgents(True))
        await engine.event(WorkChanged, lambda one: one.paused)
