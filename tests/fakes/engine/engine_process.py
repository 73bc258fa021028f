"""The real engine as a child process over a data folder, with its events recorded."""

import asyncio
import os
import sys
import tomllib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from app.domain.protocol.events import EngineReady
from app.domain.wire import Command, Event
from app.link.frames import EXIT_RESTART
from app.store.reader.mailbox_reader import SqliteMailboxReader
from fakes.engine.processes import fork_server
from fakes.engine.processes.engine_client import EngineClient
from fakes.engine.processes.forked_process import BornProcess

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 60.0
QUICK = """[sync]
poll_s = 1
budget_units = 100000
[sending]
undo_s = 0
draft_after_s = 1
[drafting]
paused = true
"""
"""Polls fast, sends at once and does not load the agents."""

THINKING = QUICK.replace("paused = true", "paused = false")
"""Like `QUICK`, with the agents."""

E = TypeVar("E", bound=Event)
T = TypeVar("T")


@dataclass
class EngineProcess:
    """One engine process. `seen` has its events so far; `reader` is the window's reader."""

    client: EngineClient
    data: Path
    around: Mapping[str, str] = field(default_factory=dict)
    seen: list[Event] = field(default_factory=list)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.client.subscribe(self._note)
        self.reader = SqliteMailboxReader(self.data / "mail.db")

    def _note(self, event: Event) -> None:
        self.seen.append(event)
        self._changed.set()

    async def event(self, kind: type[E], wanted: Callable[[E], bool] = lambda _: True, after: int = 0) -> E:
        """The first event of a kind for which `wanted` is true, past or future; `after` skips that many events."""

        def found() -> E | None:
            return next((one for one in self.seen[after:] if isinstance(one, kind) and wanted(one)), None)

        return await self.until(found)

    async def until(self, look: Callable[[], T | None]) -> T:
        """Waits until `look` returns something; calls it at every event and twenty times a second."""
        deadline = asyncio.get_running_loop().time() + PATIENCE_S
        while True:
            found = look()
            if found:
                return found
            if asyncio.get_running_loop().time() > deadline:
                raise AssertionError(f"never happened; last events: {self.seen[-12:]}\n{self.log()[-4000:]}")
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), 0.05)
            except TimeoutError:
                continue

    async def do(self, command: Command) -> None:
        """Sends a command and waits until the engine has handled it."""
        await self.client.send(command)

    def log(self) -> str:
        """The engine's log so far."""
        path = self.data / "logs" / "engine.log"
        return path.read_text() if path.exists() else ""

    async def restarted(self) -> None:
        """Waits until the engine exits for a restart and starts it again, as the window does. Open commands are forgotten."""
        code = await self.client.wait()
        assert code == EXIT_RESTART, str(code) + self.log()[-4000:]
        before = len(self.seen)
        self.client = await engine_client("app", ["engine", "--data", str(self.data)], self.around, self.data)
        self.client.subscribe(self._note)
        await self.event(EngineReady, after=before)

    async def kill(self) -> None:
        """Kills the engine, as a crash would, and waits for its end."""
        self.client.kill()
        await self.client.wait()
        self.reader.close()

    async def close(self) -> int:
        """Closes the link as a window does. Returns the exit code."""
        code = await self.client.close()
        self.reader.close()
        return code


def environment(url: str, token: str, *more: Path) -> dict[str, str]:
    """The environment of an engine that uses a sandbox; `more` is added to the module path."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("REPLYROOM_")}
    google = {"REPLYROOM_GOOGLE_ENDPOINT": url, "REPLYROOM_GOOGLE_TOKEN": token} if url else {}
    return {
        **inherited,
        **google,
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, *more))),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }


async def start_engine(data: Path, url: str = "", token: str = "", settings: str = QUICK) -> EngineProcess:
    """Starts an engine and waits until it is ready. Writes `settings` unless the folder has a file."""
    data.mkdir(parents=True, exist_ok=True)
    if not (data / "settings.toml").exists():
        (data / "settings.toml").write_text(settings)
    return await ready_engine(data, environment(url, token))


async def ready_engine(data: Path, around: Mapping[str, str]) -> EngineProcess:
    """Starts an engine in an environment and waits until it is ready."""
    engine = EngineProcess(await engine_client("app", ["engine", "--data", str(data)], around, data), data, around)
    await engine.event(EngineReady)
    return engine


async def engine_client(module: str, arguments: Sequence[str], around: Mapping[str, str], data: Path) -> EngineClient:
    """Starts `python -m module arguments` as an engine, forked from the warm interpreter where possible."""
    if fork_server.POSSIBLE:
        born = fork_server.shared_fork_server().born(module, arguments, around, _needed(data / "settings.toml"))
        return EngineClient(await BornProcess.of(born), "tests")
    return await EngineClient.start([sys.executable, "-m", module, *arguments], around, "tests")


def _needed(settings: Path) -> tuple[str, ...]:
    """The modules that an engine with these settings will import."""
    try:
        told = tomllib.loads(settings.read_text())
    except (OSError, ValueError):  # some tests have broken or missing settings on purpose
        return fork_server.PLAIN
    if told.get("drafting", {}).get("paused"):
        return fork_server.PLAIN
    return fork_server.SPEAKING if told.get("model", {}).get("name") else fork_server.THINKING


@asynccontextmanager
async def running_engine(data: Path, url: str = "", token: str = "", settings: str = QUICK) -> AsyncIterator[EngineProcess]:
    """An engine for a `with` block."""
    engine = await start_engine(data, url, token, settings)
    try:
        yield engine
    finally:
        await engine.close()
