"""Client and server over a real child process's standard streams."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.domain.errors import ExpectedError, Offline
from app.domain.ids import ThreadId
from app.domain.protocol.commands import PauseAgents, SearchMail, Shutdown, SyncNow, ThreadIds
from app.domain.protocol.events import IndexProgress
from app.domain.wire import Event
from app.link.client import EngineClient
from app.link.frames import LinkBroken, LinkClosed

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


async def test_answers_come_back_to_the_right_question(client: EngineClient) -> None:
    answers = await asyncio.gather(*(client.ask(SearchMail("x", limit)) for limit in range(20)))
    assert answers == [ThreadIds((ThreadId(limit),)) for limit in range(20)]
    assert client.engine.program == "echo"


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


async def test_a_handler_that_raises_does_not_end_the_wire(client: EngineClient) -> None:
    assert await client.send(PauseAgents(True)) is None
    assert await client.ask(SearchMail("x", 3)) == ThreadIds((ThreadId(3),))


async def test_a_cancelled_query_is_cancelled_in_the_engine(client: EngineClient) -> None:
    coming: asyncio.Queue[Event] = asyncio.Queue()
    client.subscribe(coming.put_nowait)
    asking = asyncio.create_task(client.ask(SearchMail("slow")))
    await client.ask(SearchMail("x", 1))
    asking.cancel()
    assert await coming.get() == IndexProgress(1, -1)
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_shutdown_ends_in_order(client: EngineClient, stderr_file: Path) -> None:
    client.send(Shutdown())
    assert await client.wait() == 0
    assert "in order" in stderr_file.read_text()


async def test_a_window_that_goes_away_ends_the_engine_in_order(client: EngineClient, stderr_file: Path) -> None:
    await client.ask(SearchMail("x"))
    assert await client.close() == 0
    assert "in order" in stderr_file.read_text()


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
