"""A runner over a scripted graph and real tables."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from app.domain.agents.runs import Route, Run, RunStatus
from app.domain.ids import JobId, ReviewId, RunId
from app.domain.mail.message import Message
from app.engine.runs.run_repository import WAKE
from app.engine.runs.runner import Runner
from app.engine.runtime.workers import WakeUp
from fakes.clock.waiting import until
from fakes.engine.engine_parts import Parts
from fakes.engine.store.rows import start_run


class ScriptedGraph:
    """A `Graph` that ends runs as scripted and records its calls."""

    def __init__(self) -> None:
        self.script: dict[RunId, list[RunStatus | Exception]] = {}
        self.asked: list[tuple[str, RunId]] = []
        self.at_once = self.most_at_once = 0
        self.hold = asyncio.Event()
        self.hold.set()
        self.before: Callable[[Run], None] = lambda run: None

    async def run(self, run: Run, job: JobId) -> RunStatus:
        """Starts or continues a run."""
        self.before(run)
        return await self._answer("run", run.id)

    async def resume(self, run_id: RunId, review_id: ReviewId | None, job: JobId) -> RunStatus:
        return await self._answer(f"resume {review_id}", run_id)

    async def forget(self, run_id: RunId) -> None:
        """Records the call."""
        self.asked.append(("forget", run_id))

    async def close(self) -> None:
        """Nothing to close."""

    async def _answer(self, how: str, run_id: RunId) -> RunStatus:
        self.asked.append((how, run_id))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await self.hold.wait()
        finally:
            self.at_once -= 1
        outcome = self.script.get(run_id, [RunStatus.DONE])
        answer = outcome.pop(0) if len(outcome) > 1 else outcome[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


class Bench:
    """The runner and its dependencies. It is the runner's limits itself."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.graph = ScriptedGraph()
        self.bell, self.ends = WakeUp(), WakeUp()
        self.concurrency = 2
        self.paused = False
        self.open = True

    def may_start(self) -> bool:
        """Whether new runs may start."""
        return self.open

    def start_run(self, message: Message, status: RunStatus = RunStatus.QUEUED, job: bool = True) -> RunId:
        """Stores a run with its job."""
        run_id = RunId(f"run-{message.id}")
        now = self.parts.clock()
        start_run(
            self.parts.tables.runs,
            Run(run_id, message.account_id, message.id, message.thread_id, Route.PIPELINE, "", "", status, 1, now),
        )
        if job:
            payload = json.dumps({"run_id": run_id})
            self.parts.tables.jobs.put("classify", str(message.id), payload, newest=message.date)
        return run_id

    @asynccontextmanager
    async def running(self, concurrency: int = 2) -> AsyncIterator[Runner]:
        """Runs the runner."""
        tables, announcer = self.parts.tables, self.parts.announcer
        self.concurrency = concurrency
        runner = Runner(tables, announcer, self.graph, self.bell, self, self.ends.ring)
        working = asyncio.create_task(runner.run())
        try:
            yield runner
        finally:
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working

    until = staticmethod(until)

    def status(self, run_id: RunId) -> RunStatus:
        """A run's stored status."""
        return self.parts.tables.runs.get(run_id).status

    def put_off(self) -> int:
        """The sum of attempts over all open jobs."""
        return int(self.parts.tables.db.read("SELECT coalesce(sum(attempts), 0) FROM jobs")[0][0])

    async def ended(self, *run_ids: RunId) -> None:
        """Waits until no job is left."""
        await self.until(
            lambda: not self.parts.tables.jobs.counts().get("classify") and not self.parts.tables.jobs.counts().get(WAKE)
        )
