"""The engine's end against a window that breaks the rules."""

import asyncio
import os

import pytest

from app.domain.commands import Answer, Command, Query, SyncNow, ThreadIds
from app.domain.events import Trouble
from app.link import codec
from app.link.frames import LENGTH, Frame, pack
from app.link.server import EngineEnd

pytestmark = [pytest.mark.anyio, pytest.mark.expects_warnings]


async def served(stream: bytes) -> list[Command]:
    """The commands an engine gets out of these bytes before it hangs up; it must hang up although the pipe stays open."""
    source, window_out = os.pipe()
    window_in, sink = os.pipe()
    end = EngineEnd(source, sink, "engine")
    got: list[Command] = []

    async def on_command(command: Command) -> None:
        got.append(command)

    async def on_query(query: Query) -> Answer:
        return ThreadIds(())

    os.write(window_out, stream)
    await end.serve(on_command, on_query)
    await end.close()
    for descriptor in (window_out, window_in, sink):
        os.close(descriptor)
    return got


@pytest.mark.parametrize(
    "nonsense",
    [b"\xff\xff\xff\xff", LENGTH.pack(3) + b"abc", pack(codec.answer_frame(None, 1)), pack(codec.hello_frame("again"))],
    ids=["oversized", "garbage", "answer", "second-hello"],
)
async def test_nonsense_ends_the_connection_after_the_good_commands(nonsense: bytes) -> None:
    good = pack(codec.hello_frame("w")) + pack(codec.command_frame(SyncNow(), 1))
    assert await served(good + nonsense) == [SyncNow()]


@pytest.mark.parametrize("frame", [codec.command_frame(SyncNow(), 1)])
async def test_a_window_that_does_not_greet_is_not_served(frame: Frame) -> None:
    assert await served(pack(frame)) == []


async def test_a_window_that_stops_reading_ends_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.link.streams.MAX_QUEUED_BYTES", 100_000)
    source, window_out = os.pipe()
    window_in, sink = os.pipe()
    end = EngineEnd(source, sink, "engine")

    async def on_command(command: Command) -> None:
        raise AssertionError(command)

    async def on_query(query: Query) -> Answer:
        return ThreadIds(())

    serving = asyncio.create_task(end.serve(on_command, on_query))
    for _ in range(40):
        end.emit(Trouble("x", "y" * 10_000, ""))
    await serving
    os.close(window_in)
    await end.close()
    os.close(window_out)
    os.close(sink)
