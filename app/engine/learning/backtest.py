"""Tries triage on the owner's past mail, with progress, until it is done or cancelled.

The work runs in a process of its own, the command `eval --archive`: on a thread it would hold the interpreter, and the event loop
would answer 34 ms late at p99 (4 ms without it).
"""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from app.config.paths import own_command
from app.domain.errors import NotAllowed
from app.domain.mail.message import Account
from app.domain.protocol.agent_commands import BacktestDone, RunBacktest
from app.domain.protocol.events import BacktestProgress
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.store.mail.mail_rows import load_messages, load_past
from app.store.reader.base_reader import DatabaseReader

DAYS_A_MONTH = 30
EARLIER = 3000
"""Messages before the period that are learned from, the newest ones."""

STEP = 50
STRONGEST = 8


class BacktestReader:
    """Reads an account's past mail into a `Backtest`, step by step. Synchronous; imports the classifier."""

    def __init__(self, source: DatabaseReader, account: Account, months: int) -> None:
        from app.agent.triage.backtest import Backtest

        self._source, self._account, self._from_ms, self._until_ms = source, account, 0, 0
        self._since, self._ids = source.load(load_past, account.id, months * DAYS_A_MONTH, EARLIER)
        self._backtest: Backtest = Backtest(account, self._since)

    @property
    def total(self) -> int:
        return len(self._ids)

    def steps(self) -> Iterator[int]:
        """Reads `STEP` messages at each turn and yields how many were read."""
        for start in range(0, len(self._ids), STEP):
            ids = self._ids[start : start + STEP]
            found = self._source.load(load_messages, ids)
            for message_id in ids:
                if message_id in found:
                    self._backtest.add(found[message_id])
                    self._until_ms = int(found[message_id].date.timestamp() * 1000)
                    self._from_ms = self._from_ms or self._until_ms
            yield min(start + STEP, len(self._ids))

    def done(self) -> BacktestDone:
        model = self._backtest.model()
        since_ms = max(self._from_ms, int(self._since.timestamp() * 1000))
        rows, taught = self._backtest.rows(), (model.examples, model.answered, model.strongest(STRONGEST), model.respond_from)
        return BacktestDone(self._account.id, since_ms, self._until_ms, rows, *taught)


class BacktestService:
    """Answers `RunBacktest` over the mail in the data folder `root`. One trial runs at a time."""

    queries = (RunBacktest,)

    def __init__(self, root: Path, tables: Tables, announcer: EventBus) -> None:
        self._root, self._tables, self._announcer = root, tables, announcer
        self._running = False

    async def answer(self, query: RunBacktest) -> BacktestDone:
        """Runs a trial. Raises `NotFound`, and `NotAllowed` while another one runs or when it fails."""
        if self._running:
            raise NotAllowed("A trial on your past mail is already running.", "Wait until it ends, or cancel it.")
        account = await self._tables.run(self._tables.accounts.get, query.account_id)
        which = ("--account", account.email, "--months", str(query.months))
        words = ("--data", str(self._root), "eval", "--archive", "--rows", *which)
        self._running = True
        try:
            return await self._run(account, words)
        finally:
            self._running = False

    async def _run(self, account: Account, words: tuple[str, ...]) -> BacktestDone:
        pipe, flags = asyncio.subprocess.PIPE, 0x08000000 if sys.platform == "win32" else 0  # no console window
        child = await asyncio.create_subprocess_exec(
            *own_command(), *words, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe, creationflags=flags
        )
        assert child.stdout is not None and child.stderr is not None
        try:
            said, _ = await asyncio.gather(child.stdout.read(), self._follow(account, child.stderr))
            await child.wait()
        finally:
            if child.returncode is None:
                with suppress(ProcessLookupError):
                    child.kill()
                await child.wait()
        try:
            return msgspec.json.decode(said, type=BacktestDone)
        except msgspec.DecodeError:
            raise NotAllowed("The trial on your past mail failed.", "Try again; the log has more.") from None

    async def _follow(self, account: Account, lines: asyncio.StreamReader) -> None:
        while line := await lines.readline():
            done, _, total = line.decode("ascii", "replace").strip().partition("/")
            if done.isdigit() and total.isdigit():
                self._announcer.tell(BacktestProgress(account.id, int(done), int(total)))
