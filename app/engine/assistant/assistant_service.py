"""The engine's part of the assistant: commands, worker and events, and the agents once they are needed.

The agents are built for the first request, and again after settings or keys have changed. Requests also run while the agents are
paused, since the pause is about what agents do unasked. Commands write rows first and then wake or stop the worker; a repeated
command counts once. The worker runs two requests at once, newest first; after a temporary error it retries with growing pauses.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, get_args

from app.agent.llm.turns import UnusableAnswer
from app.domain.agents.requests import MOST_FILES, RULES, RequestStatus, reads_only
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import (
    AgentsPaused,
    CapReached,
    DiskFull,
    ExpectedError,
    KeyringUnavailable,
    ModelUnavailable,
    NotAllowed,
    NotFound,
    Offline,
    QuotaReached,
    ServerError,
    StoreDamaged,
)
from app.domain.ids import RequestId
from app.domain.mail.files import safe_name
from app.domain.protocol.assistant_commands import (
    AskAssistant,
    AssistantCommand,
    DocumentPreview,
    ForgetRequest,
    PlanAgain,
    PreviewDocument,
    RecallRequest,
    RetryStep,
    RunPlan,
    StopRequest,
)
from app.domain.protocol.events import OutboxChanged, ReviewDecided, ReviewReady
from app.domain.record import Record, replace
from app.domain.wire import Event
from app.engine.assistant.gmail_agent_choice import GmailAgentChoice
from app.engine.assistant.request_repository import RequestRepository, SettledMail
from app.engine.letters.letter_editor import read_file
from app.engine.runtime.background_imports import preload
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import TaskSet, WakeUp, doubled_s
from app.mail.file_process import DocumentReader
from app.store.requests.artifacts import ArtifactFolder

if TYPE_CHECKING:
    from app.agent.agents.assistant.graph import Supervisor
    from app.agent.agents.gmail.interface import GmailAgent
    from app.agent.runtime.dependencies import Deps

log = logging.getLogger(__name__)

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


class _Later(Record):
    """The number of failures in a row, and when the next try is due (monotonic seconds)."""

    failures: int
    due_s: float


class RequestWorker:
    """Carries out commands about requests; plans and runs requests.

    `agents` returns the planner and runner, loaded at the first call; it raises the errors in `PASSING`. `ended` gets steps whose
    mail came to an end. `run_at_once` says whether a model's plan of one look-up runs before the owner saw it; without a model a
    search in the local copy always does.
    """

    def __init__(
        self,
        rows: RequestRepository,
        artifacts: ArtifactFolder,
        agents: Callable[[], Awaitable["Supervisor"]],
        ended: Callable[[SettledMail], None],
        run_at_once: Callable[[], bool],
    ) -> None:
        self._rows, self._artifacts, self._threads = rows, artifacts, rows.tables.threads
        self._agents, self._on_ended, self._run_at_once = agents, ended, run_at_once
        self._wake_up = WakeUp()
        self._tasks: dict[RequestId, asyncio.Task[None]] = {}
        self._later: dict[RequestId, _Later] = {}

    def wake(self) -> None:
        """Makes `run` look for work."""
        self._wake_up.ring()

    def run_now(self) -> None:
        """Retries all waiting requests now."""
        self._later.clear()
        self._wake_up.ring()

    async def do(self, command: AssistantCommand) -> None:
        """Writes a command to the rows, wakes or stops the request's task, and reports the change.

        Raises `NotAllowed` or `NotFound`.
        """
        request_id = command.request_id
        await self._threads.run(self._write, command)
        self._later.pop(request_id, None)
        task = self._tasks.get(request_id)
        if not isinstance(command, StopRequest):
            self._wake_up.ring()
        elif task is not None:
            task.cancel()
            await asyncio.wait({task}, timeout=CANCELLED_WITHIN_S)
        self._rows.changed(request_id, forgotten=isinstance(command, ForgetRequest))

    def _write(self, command: AssistantCommand) -> None:
        tables, requests = self._rows.tables, self._rows.tables.requests
        match command:
            case AskAssistant(files=files):
                tables.accounts.get(command.account_id)
                if len(files) > MOST_FILES:
                    raise NotAllowed(Cause.TOO_MANY_FILES, MOST_FILES)
                write = self._artifacts.write  # copies the given files into the app's folder
                requests.add(command, tuple(write(_plain_name(path.name), read_file(path).data or b"") for path in files))
            case RunPlan(request_id, steps):
                requests.run(request_id, steps)
            case PlanAgain(request_id):
                requests.plan_again(request_id)
            case StopRequest(request_id):
                requests.stop(request_id)
            case RetryStep(request_id, index):
                requests.retry(request_id, index)
            case ForgetRequest(request_id):
                requests.forget(request_id)
            case RecallRequest(request_id):
                requests.forget(request_id, forgotten=False)

    async def run(self) -> None:
        """Recovers what an earlier engine left open, then works until cancelled."""
        await self._threads.run(self._rows.tables.requests.recover)
        try:
            while True:
                for settled in await self._threads.run(self._rows.settle_waiting):
                    self._on_ended(settled)
                await self._begin_due()
                waits = [later.due_s - time.monotonic() for one, later in self._later.items() if one not in self._tasks]
                full = len(self._tasks) >= AT_ONCE  # a task that ends wakes the worker
                await self._wake_up.wait(IDLE_S if full else max(min([IDLE_S, *waits]), 0.01))
        finally:
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _begin_due(self) -> None:
        """Starts due requests, at most `AT_ONCE` together."""
        due = await self._threads.run(self._rows.tables.requests.due)
        self._later = {one: later for one, later in self._later.items() if one in due}
        for request_id in due:
            if len(self._tasks) >= AT_ONCE:
                return
            later = self._later.get(request_id)
            if request_id not in self._tasks and (later is None or later.due_s <= time.monotonic()):
                task = asyncio.create_task(self._process(request_id))
                self._tasks[request_id] = task
                task.add_done_callback(partial(self._task_done, request_id))

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
            before = self._later.get(request_id)
            failures = before.failures + 1 if before else 1
            wait_s = LONGEST_RETRY_S if isinstance(error, CapReached) else doubled_s(FIRST_RETRY_S, failures, LONGEST_RETRY_S)
            log.info("request %s waits %.0f s: %s", request_id, wait_s, error.code)
            self._later[request_id] = _Later(failures, time.monotonic() + wait_s)
            await self._threads.run(self._rows.put_off, request_id, error)
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


LONGEST_PREVIEW = 20_000
"""Characters."""


class AssistantService:
    """Create it on the loop.

    `open_agents` loads what requests need and raises if it cannot. `woken` is called when runs of mail may go on.
    """

    commands = get_args(AssistantCommand)
    queries = (PreviewDocument,)

    def __init__(
        self,
        gmail: GmailAgentChoice,
        artifacts: ArtifactFolder,
        tables: Tables,
        announcer: EventBus,
        open_agents: Callable[[], Awaitable[None]],
        woken: Callable[[], None],
    ) -> None:
        self._choice, self._announcer, self._open_agents = gmail, announcer, open_agents
        self._texts = DocumentReader(artifacts.locate)
        self._repository = RequestRepository(tables, announcer, partial(asyncio.get_running_loop().call_soon_threadsafe, woken))
        self._worker = RequestWorker(
            self._repository, artifacts, self._agents, self._ended, lambda: gmail.settings.now.assistant.run_at_once
        )
        self.do = self._worker.do
        self._deps: Deps | None = None
        self._gmail: GmailAgent | None = None
        self._supervisor: Supervisor | None = None
        self._lock = asyncio.Lock()
        self._tasks = TaskSet()

    async def run(self) -> None:
        """Plans and runs requests until cancelled."""
        self._announcer.listen(self._on_event)
        try:
            await self._worker.run()
        finally:
            self._announcer.unlisten(self._on_event)

    async def answer(self, query: PreviewDocument) -> DocumentPreview:
        """The beginning of a document's text. Raises `NotFound`, and `NotAllowed` where it has none."""
        found = await self._texts.read(query.handle)
        return DocumentPreview(found.text[:LONGEST_PREVIEW], found.cut or len(found.text) > LONGEST_PREVIEW)

    def assemble(self, deps: "Deps") -> None:
        """Sets the current settings and keys of the agents.

        Requests that waited for better ones are retried at once; running ones end with the old ones.
        """
        self._deps, self._supervisor = deps, None
        self._worker.run_now()

    async def close(self) -> None:
        """Closes what is open. Call it after the worker has stopped."""
        self._repository.stop()
        await self._tasks.cancel()
        await self._choice.close()

    def _on_event(self, event: Event) -> None:
        """Wakes the worker on events that steps may wait for."""
        if isinstance(event, ReviewDecided | ReviewReady | OutboxChanged):
            self._worker.wake()

    async def _agents(self) -> "Supervisor":
        """The supervisor with the current settings. Raises what kept the agents from opening."""
        await self._open_agents()
        async with self._lock:
            if self._supervisor is None:
                self._supervisor = await self._make_supervisor(self._deps)
            return self._supervisor

    async def _make_supervisor(self, deps: "Deps | None") -> "Supervisor":
        if deps is None:
            raise ModelUnavailable("The agents are not loaded.")
        await preload("app.agent.agents.assistant.graph")
        from app.agent.agents.assistant.graph import Supervisor
        from app.agent.tools.tool_calls import not_paused

        if deps.toolbox is not None:
            deps = replace(deps, toolbox=replace(deps.toolbox, paused=not_paused))
        self._gmail = await self._choice.agent(deps)
        return Supervisor(deps, self._repository, self._gmail)

    def _ended(self, settled: SettledMail) -> None:
        """Lets the Gmail agent that wrote a mail forget it. If it is not open, it does so later by itself."""

        async def note(gmail: "GmailAgent") -> None:
            try:
                from app.agent.agents.assistant.gmail_step import settle  # already imported with the agents

                await settle(gmail, settled.request, settled.step, settled.rounds, settled.outcome)
            except ExpectedError as error:
                log.info("request %s: its mail is not noted by the agent: %s", settled.request.id, error.code)

        if self._gmail is not None:
            self._tasks.start(note(self._gmail))


def _plain_name(name: str) -> str:
    """A file's name as the app's folder takes it: letters, digits, spaces, dots, dashes and brackets."""
    stem, dot, ending = safe_name(name).rpartition(".")
    plain = "".join(one if one.isalnum() or one in " _.-()" else "-" for one in (stem or ending))
    kept = plain.lstrip(" _.-()")[:60].rstrip(" .") or "file"
    return f"{kept}.{ending}" if stem and dot and ending.isalnum() else kept
