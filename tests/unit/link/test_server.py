"""The engine's end against a window that breaks the rules."""

import asyncio
import os

import pytest

from app.domain.error_texts import ErrorText
from app.domain.ids import ThreadId
from app.domain.protocol.commands import SearchMail, ThreadIds
from app.domain.protocol.events import ErrorReported
from app.domain.wire import Answer, Command, Event, Query
from app.link import codec
from app.link.frames import Frame, FrameDecoder, FrameKind, pack
from app.link.server import ServerEnd

pytestmark = pytest.mark.expects_warnings


async def test_a_window_that_stops_reading_ends_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.link.server.MAX_QUEUED_BYTES", 100_000)
    source, window_out = os.pipe()
    window_in, sink = os.pipe()
    end = ServerEnd(source, sink, "engine")

    async def on_command(command: Command) -> None:
        raise AssertionError(command)

    async def on_query(query: Query) -> Answer:
        return ThreadIds(())

    serving = asyncio.create_task(end.serve(on_command, on_query))
    for _ in range(40):
        end.emit(ErrorReported("x", ErrorText.of("y" * 10_000)))
    await serving
    os.close(window_in)
    await end.close()
    os.close(window_out)
    os.close(sink)


async def answered(query: Query, outcome: Exception | Answer, events: tuple[Event, ...] = ()) -> list[Frame]:
    """Everything a window gets, up to the answer to its one query, which ends with `outcome`."""
    source, window_out = os.pipe()
    window_in, sink = os.pipe()
    end = ServerEnd(source, sink, "engine")

    async def on_command(command: Command) -> None:
        raise AssertionError(command)

    async def on_query(query: Query) -> Answer:
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    for event in events:
        end.emit(event)
    os.write(window_out, pack(codec.hello_frame("w")) + pack(codec.query_frame(query, 1)))
    serving = asyncio.create_task(end.serve(on_command, on_query))
    decoder, got = FrameDecoder(), list[Frame]()
    while not any(frame.kind in (FrameKind.FAILED, FrameKind.ANSWER) for frame in got):
        got += decoder.feed(await asyncio.to_thread(os.read, window_in, 65536))
    os.close(window_out)
    await serving
    await end.close()
    for descriptor in (window_in, sink):
        os.close(descriptor)
    return got


async def test_an_answer_that_is_too_big_to_cross_is_told_as_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else whoever asked would wait for ever."""
    monkeypatch.setattr("app.link.frames.MAX_FRAME_BYTES", 1000)
    answer = ThreadIds(tuple(ThreadId(number) for number in range(2000)))
    failed = (await asyncio.wait_for(answered(SearchMail("x"), answer), 60))[-1]
    assert (failed.number, codec.decode_failure(failed).code) == (1, "refused")
