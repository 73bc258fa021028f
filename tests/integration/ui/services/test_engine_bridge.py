"""The engine over QProcess: commands arrive once it is up, answers come back, a dead one is started again, quitting ends it."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

import psutil
import pytest
from PySide6.QtCore import QProcess, QTimer
from PySide6.QtWidgets import QApplication

from app.domain.errors import Offline
from app.domain.protocol.commands import ChangeSettings, SearchMail, SyncNow, ThreadIds
from app.domain.protocol.events import CommandFailed, IndexProgress
from app.domain.wire import Answer, Event
from app.link.frames import LinkClosed
from app.ui.services.engine_bridge import TURN_S, EngineBridge
from app.ui.services.engine_process import spawn
from fakes.window.page_setup import until

TESTS = Path(__file__).resolve().parents[3]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS)])}
ECHO = [sys.executable, "-m", "fakes.engine.echo_engine"]


SECOND = """
import pathlib, runpy, sys
flag = pathlib.Path(sys.argv[1])
if flag.exists():
    runpy.run_module("fakes.engine.echo_engine", run_name="__main__")
flag.touch()
sys.stdin.read(1)
"""
REPAIRS_FIRST = """
import os, pathlib, runpy, sys
from app.link.frames import EXIT_RESTART
flag = pathlib.Path(sys.argv[1])
if flag.exists():
    runpy.run_module("fakes.engine.echo_engine", run_name="__main__")
heard = b""
while not all(name in heard for name in (b"SearchMail", b"SyncNow")):
    heard += os.read(0, 65536)
flag.touch()
sys.exit(EXIT_RESTART)
"""
NONSENSE = """
import sys, time
sys.stdout.write("Traceback: this is no frame at all, not even close")
sys.stdout.flush()
time.sleep(30)
"""
UNTIL_SHUTDOWN = """
import os
heard = b""
while b"Shutdown" not in heard and (piece := os.read(0, 65536)):
    heard += piece
"""
FLOOD = """
import sys
from app.domain.protocol.events import IndexProgress
from app.link.codec import event_frame, hello_frame
from app.link.frames import pack
sys.stdout.buffer.write(pack(hello_frame("test")) + b"".join(pack(event_frame(IndexProgress(at, 100))) for at in range(100)))
sys.stdout.flush()
"""
FLOODED: list[Event] = [IndexProgress(at, 100) for at in range(100)]


class Started:
    """A bridge and what it told."""

    def __init__(
        self,
        command: list[str],
        kept: Path | None = None,
        first: QProcess | None = None,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self.bridge = EngineBridge(command, ENVIRONMENT, "test", kept, first, clock)
        self.events: list[Event] = []
        self.downs: list[float] = []
        self.stop_hearing = self.bridge.subscribe(self.events.append)
        self.bridge.down.connect(self.downs.append)


@pytest.fixture
def make(qapp: QApplication) -> Iterator[Callable[..., Started]]:
    """Bridges that are stopped afterwards."""
    made: list[Started] = []

    def maker(*args: Any, **changes: Any) -> Started:
        made.append(Started(*args, **changes))
        return made[-1]

    yield maker
    for one in made:
        one.bridge.stop()


async def test_commands_before_the_start_arrive(make: Callable[..., Started]) -> None:
    started = make(ECHO)
    started.bridge.send(SyncNow())
    started.bridge.start()
    await until(lambda: started.events == [IndexProgress(1, 2)])


async def test_queries_are_answered_refused_and_cancelled(make: Callable[..., Started]) -> None:
    started = make(ECHO)
    with pytest.raises(LinkClosed):
        await started.bridge.ask(SearchMail("early"))
    started.bridge.start()
    assert await started.bridge.ask(SearchMail("x", 7)) == ThreadIds((7,))  # type: ignore[arg-type]
    with pytest.raises(Offline):
        await started.bridge.ask(SearchMail("offline"))
    slow = asyncio.ensure_future(started.bridge.ask(SearchMail("slow")))
    await asyncio.sleep(0)  # it is on its way before the next one
    assert await started.bridge.ask(SearchMail("x", 8)) == ThreadIds((8,))  # type: ignore[arg-type]  # the slow one has begun
    slow.cancel()
    await until(lambda: IndexProgress(1, -1) in started.events)


async def test_a_dead_engine_comes_back_and_nothing_commanded_is_lost(make: Callable[..., Started]) -> None:
    started = make(ECHO)
    started.bridge.start()
    assert await started.bridge.ask(SearchMail("x", 1)) == ThreadIds((1,))  # type: ignore[arg-type]
    waiting = asyncio.ensure_future(started.bridge.ask(SearchMail("slow")))
    await asyncio.sleep(0.02)
    psutil.Process(started.bridge.pid).kill()
    with pytest.raises(LinkClosed):
        await waiting
    await until(lambda: started.downs == [0.5])
    assert started.bridge.pid == 0
    started.bridge.send(SyncNow())
    await until(lambda: IndexProgress(1, 2) in started.events)
    assert started.bridge.pid


async def test_what_was_not_dealt_with_is_sent_again(make: Callable[..., Started], tmp_path: Path) -> None:
    """The first engine dies with the command unread; the second one gets it."""
    flag = tmp_path / "second"
    started = make([sys.executable, "-c", SECOND, str(flag)])
    started.bridge.send(SyncNow())
    started.bridge.start()
    await until(lambda: started.events == [IndexProgress(1, 2)])
    assert started.downs == [0.5]


async def test_an_engine_that_restarts_to_repair_its_data_comes_back_at_once(
    make: Callable[..., Started], tmp_path: Path
) -> None:
    """It counts as no crash. The open query is asked again, and so is one that comes in between; the command is sent again."""
    started = make([sys.executable, "-c", REPAIRS_FIRST, str(tmp_path / "second")])
    repairs: list[asyncio.Future[Answer]] = []
    started.bridge.repairs.connect(lambda: repairs.append(asyncio.ensure_future(started.bridge.ask(SearchMail("x", 8)))))
    started.bridge.start()
    given_up = asyncio.ensure_future(started.bridge.ask(SearchMail("slow")))
    asked = asyncio.ensure_future(started.bridge.ask(SearchMail("x", 7)))
    await asyncio.sleep(0)
    given_up.cancel()
    started.bridge.send(SyncNow())
    assert await asked == ThreadIds((7,))  # type: ignore[arg-type]
    assert [await one for one in repairs] == [ThreadIds((8,))]  # type: ignore[arg-type]
    await until(lambda: started.events == [IndexProgress(1, 2)])
    assert started.downs == []


async def test_a_quit_while_the_engine_is_down_loses_nothing(make: Callable[..., Started], tmp_path: Path) -> None:
    kept = tmp_path / "undelivered.bin"
    first = make([sys.executable, "-c", "pass"], kept)
    first.bridge.start()
    await until(lambda: first.downs == [0.5])
    first.bridge.send(SyncNow())
    first.bridge.stop()
    assert kept.exists()
    second = make(ECHO, kept)
    second.bridge.start()
    await until(lambda: second.events == [IndexProgress(1, 2)])
    await until(lambda: not kept.exists())


async def test_a_command_that_keeps_ending_the_engine_is_given_up(make: Callable[..., Started]) -> None:
    started = make([sys.executable, "-c", "import sys; sys.stdin.buffer.read(1)"])
    started.bridge.send(SyncNow())
    started.bridge.start()
    await until(lambda: any(isinstance(event, CommandFailed) for event in started.events))
    assert [event.code for event in started.events if isinstance(event, CommandFailed)] == ["engine_ended"]


async def test_the_wait_grows_while_it_keeps_dying(make: Callable[..., Started]) -> None:
    started = make([sys.executable, "-c", "pass"])
    started.bridge.start()
    await until(lambda: len(started.downs) >= 2)
    assert started.downs[:2] == [0.5, 1.0]


async def test_an_engine_spawned_earlier_is_taken_over_and_replaced_when_it_dies(make: Callable[..., Started]) -> None:
    first = spawn(ECHO, ENVIRONMENT)
    started = make(ECHO, first=first)
    await until(lambda: first.state() is QProcess.ProcessState.Running)
    pid = int(first.processId())
    started.bridge.start()
    assert started.bridge.pid == pid
    assert await started.bridge.ask(SearchMail("x", 3)) == ThreadIds((3,))  # type: ignore[arg-type]
    psutil.Process(pid).kill()
    await until(lambda: started.bridge.pid not in (0, pid))
    assert await started.bridge.ask(SearchMail("x", 4)) == ThreadIds((4,))  # type: ignore[arg-type]


def millisecond_by_millisecond() -> Callable[[], float]:
    ticks = count()
    return lambda: next(ticks) / 1000


async def test_a_flood_of_events_leaves_the_window_its_turns(make: Callable[..., Started]) -> None:
    """Between a few of them the loop turns; all are heard, in their order."""
    first = spawn([sys.executable, "-c", FLOOD + UNTIL_SHUTDOWN], ENVIRONMENT)
    assert first.waitForReadyRead(30_000)
    started = make(ECHO, first=first, clock=millisecond_by_millisecond())
    heard_at_once: list[int] = []
    turning = QTimer()
    turning.timeout.connect(lambda: heard_at_once.append(len(started.events)))
    turning.start(0)
    started.bridge.start()
    await until(lambda: started.events == FLOODED)
    turning.stop()
    steps = [0, *heard_at_once, len(FLOODED)]
    assert max(after - before for before, after in pairwise(steps)) <= 2 * TURN_S * 1000


def test_an_engine_that_ends_behind_a_flood_is_heard_to_its_end_first(qapp: QApplication) -> None:
    first = spawn([sys.executable, "-c", FLOOD], ENVIRONMENT)
    assert first.waitForFinished(30_000)
    started = Started(ECHO, first=first, clock=millisecond_by_millisecond())
    before_the_end: list[int] = []
    started.bridge.down.connect(lambda _seconds: before_the_end.append(len(started.events)))
    started.bridge.start()
    started.bridge.stop()
    assert started.events == FLOODED
    assert before_the_end == [len(FLOODED)]


async def test_a_quit_in_the_middle_of_a_flood_hears_what_was_dealt_with(qapp: QApplication, tmp_path: Path) -> None:
    """Else what the engine did already would be kept, and done once more at the next start."""
    kept = tmp_path / "undelivered.bin"
    started = Started(ECHO, kept, clock=millisecond_by_millisecond())
    started.bridge.start()
    await started.bridge.ask(SearchMail("x"))
    for _ in range(100):
        started.bridge.send(SyncNow())
    started.bridge.stop()
    assert started.events == [IndexProgress(1, 2)] * 100
    assert not kept.exists()


@pytest.mark.parametrize("command", [["/nonexistent/replyroom-engine"], [sys.executable, "-c", "pass"]])
async def test_an_engine_that_ended_before_it_was_taken_over_is_started_again(
    make: Callable[..., Started], command: list[str]
) -> None:
    first = spawn(command, ENVIRONMENT)
    first.waitForFinished(30_000)
    started = make(ECHO, first=first)
    started.bridge.start()
    assert started.downs == [0.5]
    await until(lambda: started.bridge.pid != 0)


async def test_nonsense_on_the_wire_is_told_and_the_engine_replaced(make: Callable[..., Started]) -> None:
    started = make([sys.executable, "-c", NONSENSE])
    started.bridge.start()
    await until(lambda: bool(started.downs))
    assert any(isinstance(event, CommandFailed) and event.code == "link_broken" for event in started.events)


@dataclass(frozen=True)
class Format:
    """No command of this program."""

    disk: str


async def test_what_the_engine_does_not_know_is_told_and_the_rest_goes_on(make: Callable[..., Started]) -> None:
    started = make(ECHO)
    unknown: Any = Format("c")
    malformed: Any = ChangeSettings(7)  # type: ignore[arg-type]
    started.bridge.start()
    for command in (unknown, malformed, SyncNow()):
        started.bridge.send(command)
    await until(lambda: IndexProgress(1, 2) in started.events)
    failed = [event for event in started.events if isinstance(event, CommandFailed)]
    assert [(event.command, event.code) for event in failed] == [("Format", "link_broken"), ("ChangeSettings", "link_broken")]
    assert started.downs == []


async def test_what_cannot_cross_comes_back_as_an_event(make: Callable[..., Started]) -> None:
    started = make(ECHO)
    started.bridge.start()
    started.bridge.send(ChangeSettings((("a.b", "\ud800"),)))
    assert [event.code for event in started.events if isinstance(event, CommandFailed)] == ["refused"]


async def test_stopping_ends_the_engine_in_order(make: Callable[..., Started], capfd: pytest.CaptureFixture[str]) -> None:
    started = make(ECHO)
    started.bridge.start()
    await started.bridge.ask(SearchMail("x"))
    pid = started.bridge.pid
    started.bridge.stop()
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    assert "in order" in capfd.readouterr().err
    assert started.downs == []
