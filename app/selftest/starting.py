"""Checks of the processes: the engine comes up and greets, and helpers of libraries are no windows."""

import asyncio
import multiprocessing
import os

from app.config.paths import DataFolder
from app.domain.events import EngineReady, Event
from app.link.client import EngineClient
from app.selftest.examined import Room, expect

ENGINE_LIMIT_S = 60.0
HELPER_LIMIT_S = 30.0


def engine(room: Room) -> str:
    """It starts as the window starts it, says hello, is ready, and ends when its input closes."""
    data = DataFolder(room.folder / "engine")
    data.prepare()

    async def started() -> tuple[str, int]:
        client = await EngineClient.start([*room.ourselves, "engine", "--data", str(data.root)], os.environ, "self-test")
        ready = asyncio.Event()
        client.subscribe(lambda event: _note(event, ready))
        try:
            await asyncio.wait_for(ready.wait(), ENGINE_LIMIT_S)
        finally:
            code = await asyncio.wait_for(client.close(), ENGINE_LIMIT_S)
        return client.engine.program if client.engine else "", code

    program, code = asyncio.run(started())
    expect(program, "the engine did not greet")
    expect(code == 0, f"the engine ended with {code}")
    return program


def _note(event: Event, ready: asyncio.Event) -> None:
    if isinstance(event, EngineReady):
        ready.set()


def helpers(_room: Room) -> str:
    """A process of Python's `multiprocessing` does its work and ends: in a built program it is this program once more."""
    child = multiprocessing.get_context("spawn").Process(target=os.getpid)
    child.start()
    child.join(HELPER_LIMIT_S)
    hung = child.is_alive()
    if hung:
        child.kill()
        child.join()
    code = child.exitcode
    child.close()
    expect(not hung and code == 0, f"the helper {'did not end' if hung else f'ended with {code}'}")
    return "helpers of libraries end"
