"""The engine's part of the assistant: commands, worker and events, and the agents once they are needed.

The agents are built for the first request, and again after settings or keys have changed. Requests also run while the agents are
paused, since the pause is about what agents do unasked. Commands write rows first and then wake or stop the worker; a repeated
command counts once.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, get_args

from app.domain.agents.requests import MOST_FILES
from app.domain.error_texts import Cause
from app.domain.errors import ExpectedError, ModelUnavailable, NotAllowed
from app.domain.mail.files import ArtifactHandle, safe_name
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
from app.domain.record import replace
from app.domain.wire import Event
from app.engine.assistant.gmail_agent_choice import GmailAgentChoice
from app.engine.assistant.request_repository import RequestEvents, RequestRepository
from app.engine.assistant.request_settlement import RequestSettlement, SettledMail
from app.engine.assistant.request_worker import RequestWorker
from app.engine.letters.letter_editor import read_file
from app.engine.runtime.background_imports import preload
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import TaskSet
from app.mail.file_process import DocumentReader
from app.store.requests.artifacts import ArtifactFolder

if TYPE_CHECKING:
    from app.agent.agents.assistant.graph import Supervisor
    from app.agent.agents.gmail.interface import GmailAgent
    from app.agent.runtime.dependencies import Deps


log = logging.getLogger(__name__)


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
        self._choice = gmail
        self._artifacts = artifacts
        self._texts = DocumentReader(artifacts.locate)
        self._tables = tables
        self._announcer = announcer
        self._open_agents = open_agents
        loop = asyncio.get_running_loop()
        self._events = RequestEvents(announcer, lambda one: tables.requests.get(one).status)
        self._repository = RequestRepository(tables, self._events, partial(loop.call_soon_threadsafe, woken))
        settling = RequestSettlement(tables, self._events)
        self._assistant = RequestWorker(
            self._repository,
            tables.threads,
            settling,
            self._agents,
            self._ended,
            lambda: gmail.settings.now.assistant.run_at_once,
        )
        self._deps: Deps | None = None
        self._gmail: GmailAgent | None = None
        self._supervisor: Supervisor | None = None
        self._lock = asyncio.Lock()
        self._tasks = TaskSet()

    async def run(self) -> None:
        """Plans and runs requests until cancelled."""
        self._announcer.listen(self._on_event)
        try:
            await self._assistant.run()
        finally:
            self._announcer.unlisten(self._on_event)

    async def do(self, command: AssistantCommand) -> None:
        """Handles one command. Raises `NotAllowed` or `NotFound`."""
        await carry_out(command, self._tables, self._artifacts, self._events, self._assistant)

    async def answer(self, query: PreviewDocument) -> DocumentPreview:
        """The beginning of a document's text. Raises `NotFound`, and `NotAllowed` where it has none."""
        found = await self._texts.read(query.handle)
        return DocumentPreview(found.text[:LONGEST_PREVIEW], found.cut or len(found.text) > LONGEST_PREVIEW)

    def assemble(self, deps: "Deps") -> None:
        """Sets the current settings and keys of the agents.

        Requests that waited for better ones are retried at once; running ones end with the old ones.
        """
        self._deps, self._supervisor = deps, None
        self._assistant.hasten()

    async def close(self) -> None:
        """Closes what is open. Call it after the worker has stopped."""
        self._events.stop()
        await self._tasks.cancel()
        await self._choice.close()

    def _on_event(self, event: Event) -> None:
        """Wakes the worker on events that steps may wait for."""
        if isinstance(event, ReviewDecided | ReviewReady | OutboxChanged):
            self._assistant.wake()

    async def _agents(self) -> "Supervisor":
        """The supervisor with the current settings. Raises what kept the agents from opening."""
        await self._open_agents()
        async with self._lock:
            if self._supervisor is None:
                self._supervisor = await self._make_supervisor()
            return self._supervisor

    async def _make_supervisor(self) -> "Supervisor":
        if self._deps is None:
            raise ModelUnavailable("The agents are not loaded.")
        await preload("app.agent.agents.assistant.graph")
        from app.agent.agents.assistant.graph import Supervisor
        from app.agent.tools.tool_calls import not_paused

        deps = self._deps
        if deps.toolbox is not None:
            deps = replace(deps, toolbox=replace(deps.toolbox, paused=not_paused))
        self._gmail = await self._choice.agent(deps)
        return Supervisor(deps, self._repository, self._gmail)

    def _ended(self, settled: SettledMail) -> None:
        """Lets the Gmail agent that wrote a mail forget it. If it is not open, it does so later by itself."""
        if self._gmail is not None:
            self._tasks.start(self._note(self._gmail, settled))

    async def _note(self, gmail: "GmailAgent", settled: SettledMail) -> None:
        try:
            from app.agent.agents.assistant.gmail_step import settle  # already imported with the agents

            await settle(gmail, settled.request, settled.step, settled.rounds, settled.outcome)
        except ExpectedError as error:
            log.info("request %s: its mail is not noted by the agent: %s", settled.request.id, error.code)


async def carry_out(
    command: AssistantCommand, tables: Tables, artifacts: ArtifactFolder, events: RequestEvents, worker: RequestWorker
) -> None:
    """Writes a command to the rows, wakes or stops the worker, and reports the change. Raises `NotAllowed` or `NotFound`."""
    await tables.run(_write, tables, command, artifacts)
    if isinstance(command, StopRequest):
        await worker.stop(command.request_id)
    else:
        worker.again(command.request_id)
    events.changed(command.request_id, forgotten=isinstance(command, ForgetRequest))


def _write(tables: Tables, command: AssistantCommand, artifacts: ArtifactFolder) -> None:
    requests = tables.requests
    match command:
        case AskAssistant():
            tables.accounts.get(command.account_id)
            requests.add(command, _copied(command, artifacts))
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


def _copied(ask: AskAssistant, artifacts: ArtifactFolder) -> tuple[ArtifactHandle, ...]:
    """Copies the given files into the app's folder. Raises `NotAllowed` for one that cannot be read, and `DiskFull`."""
    if len(ask.files) > MOST_FILES:
        raise NotAllowed(Cause.TOO_MANY_FILES, MOST_FILES)
    return tuple(artifacts.write(plain_name(path.name), read_file(path).data or b"") for path in ask.files)


def plain_name(name: str) -> str:
    """A file's name as the app's folder takes it: letters, digits, spaces, dots, dashes and brackets."""
    stem, dot, ending = safe_name(name).rpartition(".")
    plain = "".join(one if one.isalnum() or one in " _.-()" else "-" for one in (stem or ending))
    kept = plain.lstrip(" _.-()")[:60].rstrip(" .") or "file"
    return f"{kept}.{ending}" if stem and dot and ending.isalnum() else kept
