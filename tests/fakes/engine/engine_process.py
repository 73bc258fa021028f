"""The real engine as a child process, with everything it said, over a data folder and (usually) a sandbox."""

import asyncio
import os
import sys
import tomllib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from app.domain.protocol.commands import Command
from app.domain.protocol.events import EngineReady, Event
from app.link.client import EngineClient
from app.store.reader.mailbox_reader import SqliteMailboxReader
from fakes.engine.processes import fork_server
from fakes.engine.processes.forked_process import BornProcess

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 60.0
QUICK = """[sync]
poll_s = 1
budget_units = 100000
[sending]
undo_s = 0
[drafting]
paused = true
"""
"""Polls fast, sends at once, and does not load the agents."""

THINKING = QUICK.replace("paused = true", "paused = false")
"""With the agents."""

E = TypeVar("E", bound=Event)
T = TypeVar("T")


@dataclass
class EngineProcess:
    """One engine process. `seen` are its events so far; `reader` is what the window would read."""

    client: EngineClient
    data: Path
    seen: list[Event] = field(default_factory=list)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.client.subscribe(self._note)
        self.reader = SqliteMailboxReader(self.data / "mail.db")

    def _note(self, event: Event) -> None:
        self.seen.append(event)
        self._changed.set()

    async def event(self, kind: type[E], wanted: Callable[[E], bool] = lambda _: True, after: int = 0) -> E:
        """The first event of a kind for which `wanted` holds, past or to come; `after` skips that many events."""

        def found() -> E | None:
            return next((one for one in self.seen[after:] if isinstance(one, kind) and wanted(one)), None)

        return await self.until(found)

    async def until(self, look: Callable[[], T | None]) -> T:
        """Wait until `look` gives something, looking again at every event and twenty times a second."""
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
        """Send a command and wait until the engine dealt with it."""
        await self.client.send(command)

    def log(self) -> str:
        """The engine's log so far."""
        path = self.data / "logs" / "engine.log"
        return path.read_text() if path.exists() else ""

    async def kill(self) -> None:
        """End it as a crash would, and wait for the end."""
        self.client.kill()
        await self.client.wait()
        self.reader.close()

    async def close(self) -> int:
        """Go away as a window does; the exit code."""
        code = await self.client.close()
        self.reader.close()
        return code


def environment(url: str, token: str, *more: Path) -> dict[str, str]:
    """The environment of an engine that talks to a sandbox, with `more` places of modules."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("REPLYROOM_")}
    google = {"REPLYROOM_GOOGLE_ENDPOINT": url, "REPLYROOM_GOOGLE_TOKEN": token} if url else {}
    return {
        **inherited,
        **google,
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, *more))),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }


async def start_engine(data: Path, url: str = "", token: str = "", settings: str = QUICK) -> EngineProcess:
    """Start an engine and wait until it is ready. `settings` is written unless the folder has a file already."""
    data.mkdir(parents=True, exist_ok=True)
    if not (data / "settings.toml").exists():
        (data / "settings.toml").write_text(settings)
    return await ready_engine(data, environment(url, token))


async def ready_engine(data: Path, around: Mapping[str, str]) -> EngineProcess:
    """Start an engine in an environment and wait until it is ready."""
    engine = EngineProcess(await engine_client("app", ["engine", "--data", str(data)], around, data), data)
    await engine.event(EngineReady)
    return engine


async def engine_client(module: str, arguments: Sequence[str], around: Mapping[str, str], data: Path) -> EngineClient:
    """`python -m module arguments`, an engine over a folder, in an environment."""
    if fork_server.POSSIBLE:
        born = fork_server.shared_fork_server().born(module, arguments, around, _needed(data / "settings.toml"))
        return EngineClient(await BornProcess.of(born), "tests")
    return await EngineClient.start([sys.executable, "-m", module, *arguments], around, "tests")


def _needed(settings: Path) -> tuple[str, ...]:
    """What an engine with these settings will import sooner or later."""
    try:
        told = tomllib.loads(settings.read_text())
    except (OSError, ValueError):  # some tests leave broken settings on purpose, or none
        return fork_server.PLAIN
    if told.get("drafting", {}).get("paused"):
        return fork_server.PLAIN
    return fork_server.SPEAKING if told.get("model", {}).get("name") else fork_server.THINKING


@asynccontextmanager
async def running_engine(data: Path, url: str = "", token: str = "", settings: str = QUICK) -> AsyncIterator[EngineProcess]:
    """An engine for the length of a `with`; ended in order unless it died before."""
    engine = await start_engine(data, url, token, settings)
    try:
        yield engine
    finally:
        await engine.close()
