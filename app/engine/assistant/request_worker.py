"""Plans and runs requests: two at once, newest first, in tasks that a stop cancels.

All state is in the store, so a restart loses nothing. After a temporary error a request stays where it is, with the reason, and
is retried with growing pauses.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from app.agent.llm.turns import UnusableAnswer
from app.domain.agents.requests import RULES, RequestStatus, reads_only
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import (
    AgentsPaused,
    CapReached,
    DiskFull,
    ExpectedError,
    KeyringUnavailable,
    ModelUnavailable,
    NotFound,
    Offline,
    QuotaReached,
    ServerError,
    StoreDamaged,
)
from app.domain.ids import RequestId
from app.domain.record import Record
from app.engine.assistant.request_repository import RequestRepository
from app.engine.assistant.request_settlement import RequestSettlement, SettledMail
from app.engine.runtime.store_executor import StoreExecutor
from app.engine.runtime.workers import WakeUp, doubled_s

if TYPE_CHECKING:
    from app.agent.agents.assistant.graph import Supervisor

AT_ONCE = 2
IDLE_S = 15.0
FIRST_RETRY_S, LONGEST_RETRY_S = 10.0, 900.0
CANCELLED_WITHIN_S = 2.0
PASSING = (
    ModelUnavailable,
    CapReached,
    AgentsPaused,
    Offline,
    DiskFull,
    StoreDamaged,
    QuotaReached,
    ServerError,
    KeyringUnavailable,
)
"""Temporary errors, after which a request is retried."""

log = logging.getLogger(__name__)


class _Later(Record):
    """The number of failures in a row, and when the next try is due (monotonic seconds)."""

    failures: int
    due_s: float


class RequestWorker:
    """Plans and runs requests.

    `agents` returns the planner and runner, loaded at the first call; it raises the errors in `PASSING`. `ended` gets steps whose
    mail came to an end. `run_at_once` says whether a model's plan of one look-up runs before the owner saw it; without a model a
    search in the local copy always does.
    """

    def __init__(
        self,
        rows: RequestRepository,
        threads: StoreExecutor,
        settlement: RequestSettlement,
        agents: Callable[[], Awaitable["Supervisor"]],
        ended: Callable[[SettledMail], None],
        run_at_once: Callable[[], bool],
    ) -> None:
        self._rows = rows
        self._threads = threads
        self._settlement = settlement
        self._agents = agents
        self._on_ended = ended
        self._run_at_once = run_at_once
        self._wake_up = WakeUp()
        self._tasks: dict[RequestId, asyncio.Task[None]] = {}
        self._later: dict[RequestId, _Later] = {}

    def wake(self) -> None:
        """Makes `run` look for work."""
        self._wake_up.ring()

    def hasten(self) -> None:
        """Retries all waiting requests now."""
        self._later.clear()
        self._wake_up.ring()

    async def run(self) -> None:
        """Recovers what an earlier engine left open, then works until cancelled."""
        await self._threads.run(self._rows.recover)
        try:
            while True:
                for settled in await self._settlement.look():
                    self._on_ended(settled)
                await self._begin_due()
                await self._wake_up.wait(self._wait_s())
        finally:
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def stop(self, request_id: RequestId) -> None:
        """Cancels the task of a request whose row says stopped."""
        self._later.pop(request_id, None)
        task = self._tasks.get(request_id)
        if task is not None:
            task.cancel()
            await asyncio.wait({task}, timeout=CANCELLED_WITHIN_S)

    def again(self, request_id: RequestId) -> None:
        """Retries a request now, at the user's command."""
        self._later.pop(request_id, None)
        self._wake_up.ring()

    async def _begin_due(self) -> None:
        """Starts due requests, at most `AT_ONCE` together."""
        due = await self._threads.run(self._rows.due)
        self._later = {one: later for one, later in self._later.items() if one in due}
        for request_id in due:
            if len(self._tasks) >= AT_ONCE:
                return
            later = self._later.get(request_id)
            if request_id not in self._tasks and (later is None or later.due_s <= time.monotonic()):
                task = asyncio.create_task(self._process(request_id))
                self._tasks[request_id] = task
                task.add_done_callback(partial(self._task_done, request_id))

    def _wait_s(self) -> float:
        if len(self._tasks) >= AT_ONCE:  # a task that ends wakes the worker
            return IDLE_S
        waits = [later.due_s - time.monotonic() for one, later in self._later.items() if one not in self._tasks]
        return max(min([IDLE_S, *waits]), 0.01)

    def _task_done(self, request_id: RequestId, task: "asyncio.Task[None]") -> None:
        del self._tasks[request_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("what became of request %s could not be written", request_id, exc_info=error)
            self._later[request_id] = _Later(1, time.monotonic() + FIRST_RETRY_S)
        self._wake_up.ring()

    async def _process(self, request_id: RequestId) -> None:
        """Plans a request, or runs it as far as possible, and writes the outcome."""
        try:
            await self._advance(request_id)
            self._later.pop(request_id, None)
        except NotFound as error:
            log.info("request %s: %s", request_id, error.code)
        except UnusableAnswer as error:
            await self._threads.run(self._rows.fail_request, request_id, error.text)
        except PASSING as error:
            await self._put_off(request_id, error)
        except ExpectedError as error:
            log.info("request %s fails: %s", request_id, error.code)
            await self._threads.run(self._rows.fail_request, request_id, error.text)
        except Exception as error:
            log.exception("request %s failed", request_id)
            text = ErrorText.of(Cause.PROGRAM_ERROR, type(error).__name__)
            await self._threads.run(self._rows.fail_request, request_id, text)

    async def _advance(self, request_id: RequestId) -> None:
        agents = await self._agents()
        request = await self._threads.run(self._rows.request, request_id)
        if request.status is RequestStatus.PLANNING:
            made = await agents.plan(request)
            simple = len(made.steps) == 1 and reads_only(made.steps)
            at_once = simple and (made.maker == RULES or self._run_at_once())
            await self._threads.run(self._rows.plan, request_id, made.steps, made.maker, at_once)
        elif request.status is RequestStatus.RUNNING:
            await agents.run(request_id)
            if await self._threads.run(self._rows.request, request_id) == request:
                raise RuntimeError("a run that came to nothing")

    async def _put_off(self, request_id: RequestId, error: ExpectedError) -> None:
        """Stores the reason and schedules a retry."""
        before = self._later.get(request_id)
        failures = before.failures + 1 if before else 1
        wait_s = LONGEST_RETRY_S if isinstance(error, CapReached) else doubled_s(FIRST_RETRY_S, failures, LONGEST_RETRY_S)
        log.info("request %s waits %.0f s: %s", request_id, wait_s, error.code)
        self._later[request_id] = _Later(failures, time.monotonic() + wait_s)
        await self._threads.run(self._rows.put_off, request_id, error)
