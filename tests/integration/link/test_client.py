"""Client and server over a real child process's standard streams."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.domain.errors import ExpectedError, Offline
from app.domain.protocol.commands import SearchMail, SyncNow
from app.domain.protocol.events import IndexProgress
from app.domain.wire import Event
from app.link.frames import LinkBroken, LinkClosed
from fakes.engine.processes.engine_client import EngineClient

ROOT = Path(__file__).parents[3]


@pytest.fixture
def stderr_file(tmp_path: Path) -> Path:
    return tmp_path / "stderr.txt"


@pytest.fixture
async def client(stderr_file: Path) -> AsyncIterator[EngineClient]:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    with stderr_file.open("wb") as stderr:
        client = await EngineClient.start([sys.executable, "-m", "fakes.engine.echo_engine"], environment, "test", stderr)
    yield client
    client.kill()
    await client.wait()


async def test_a_stray_print_goes_to_standard_error(client: EngineClient, stderr_file: Path) -> None:
    got: list[Event] = []
    client.subscribe(got.append)
    assert await client.send(SyncNow()) is None
    assert got == [IndexProgress(1, 2)]
    assert "a stray print" in stderr_file.read_text()


async def test_failures_keep_their_class_and_a_bug_stays_a_bug(client: EngineClient) -> None:
    with pytest.raises(Offline, match="no route"):
        await client.ask(SearchMail("offline"))
    with pytest.raises(ExpectedError) as caught:
        await client.ask(SearchMail("boom"))
    assert caught.value.code == "bug"


async def test_a_crash_fails_what_is_open_and_what_comes_after(client: EngineClient) -> None:
    asking = asyncio.create_task(client.ask(SearchMail("slow")))
    await client.ask(SearchMail("x"))
    client.kill()
    with pytest.raises(LinkClosed):
        await asking
    await client.wait()
    with pytest.raises(LinkClosed):
        await client.ask(SearchMail("x"))


async def test_an_engine_that_says_what_is_nothing_is_ended() -> None:
    babbling = "import sys, time; sys.stdout.buffer.write(bytes(8)); sys.stdout.flush(); time.sleep(600)"
    client = await EngineClient.start([sys.executable, "-c", babbling], os.environ, "test")
    with pytest.raises(LinkBroken):
        await client.wait()
    with pytest.raises(LinkClosed):
        await client.ask(SearchMail("x"))
