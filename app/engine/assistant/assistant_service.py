"""The engine's part of the assistant: commands, worker and events, and the agents once they are needed.

The agents are built for the first request, and again after settings or keys have changed. Requests also run while the agents are
paused, since the pause is about what agents do unasked. Commands write rows first and then wake or stop the worker; a repeated
command counts once.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, get_args

from app.domain.errors import ExpectedError, ModelUnavailable
from app.domain.protocol.assistant_commands import (
    AskAssistant,
    AssistantCommand,
    ForgetRequest,
    PlanAgain,
    RecallRequest,
    RetryStep,
    RunPlan,
    StopRequest,
)
from app.domain.protocol.events import Event, OutboxChanged, ReviewDecided, ReviewReady
from app.engine.assistant.gmail_agent_choice import GmailAgentChoice, OpenGmailAgent
from app.engine.assistant.request_repository import RequestEvents, RequestRepository
from app.engine.assistant.request_settlement import RequestSettlement, SettledMail
from app.engine.assistant.request_worker import RequestWorker
from app.engine.runtime.background_imports import load
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables

if TYPE_CHECKING:
    from app.agent.agents.assistant.graph import Supervisor
    from app.agent.runtime.dependencies import Deps


class RequestCommands:
    """Handles commands about requests."""

    commands = get_args(AssistantCommand)

    def __init__(self, tables: Tables, events: RequestEvents, assistant: RequestWorker) -> None:
        self._tables = tables
        self._events = events
        self._assistant = assistant

    async def do(self, command: AssistantCommand) -> None:
        """Handles one command and reports the change. Raises `NotAllowed` or `NotFound`."""
        await self._tables.run(self._writing(command))
        if isinstance(command, StopRequest):
            await self._assistant.stop(command.request_id)
        else:
            self._assistant.again(command.request_id)
        self._events.changed(command.request_id, forgotten=isinstance(command, ForgetRequest))

    def _writing(self, command: AssistantCommand) -> Callable[[], object]:
        """The write for a command."""
        requests = self._tables.requests
        match command:
            case AskAssistant():
                return lambda: self._ask(command)
            case RunPlan(request_id, steps):
                return lambda: requests.run(request_id, steps)
            case PlanAgain(request_id):
                return lambda: requests.plan_again(request_id)
            case StopRequest(request_id):
                return lambda: requests.stop(request_id)
            case RetryStep(request_id, index):
                return lambda: requests.retry(request_id, index)
            case ForgetRequest(request_id):
                return lambda: requests.forget(request_id)
            case RecallRequest(request_id):
                return lambda: requests.forget(request_id, forgotten=False)

    def _ask(self, command: AskAssistant) -> None:
        self._tables.accounts.get(command.account_id)
        self._tables.requests.add(command)


log = logging.getLogger(__name__)


class AssistantService:
    """Create it on the loop.

    `open_agents` loads what requests need and raises if it cannot. `woken` is called when runs of mail may go on.
    """

    def __init__(
        self,
        gmail: GmailAgentChoice,
        tables: Tables,
        announcer: EventBus,
        open_agents: Callable[[], Awaitable[None]],
        woken: Callable[[], None],
    ) -> None:
        self._choice = gmail
        self._announcer = announcer
        self._open_agents = open_agents
        self._loop = asyncio.get_running_loop()
        self._events = RequestEvents(announcer, lambda one: tables.requests.get(one).status)
        self._repository = RequestRepository(tables, self._events, partial(self._on_loop, woken))
        settling = RequestSettlement(tables, self._events)
        self._assistant = RequestWorker(self._repository, tables.threads, settling, self._agents, self._ended)
        self.hand = RequestCommands(tables, self._events, self._assistant)
        self._deps: Deps | None = None
        self._gmail: OpenGmailAgent | None = None
        self._supervisor: Supervisor | None = None
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Plans and runs requests until cancelled."""
        self._announcer.listen(self._on_event)
        try:
            await self._assistant.run()
        finally:
            self._announcer.unlisten(self._on_event)

    def assemble(self, deps: "Deps") -> None:
        """Sets the current settings and keys of the agents.

        Requests that waited for better ones are retried at once; running ones end with the old ones.
        """
        self._deps, self._supervisor = deps, None
        self._assistant.hasten()

    async def close(self) -> None:
        """Closes what is open. Call it after the worker has stopped."""
        self._events.stop()
        for note in self._tasks:
            note.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._choice.close()

    def _on_loop(self, work: Callable[[], None]) -> None:
        self._loop.call_soon_threadsafe(work)

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
        supervisor_class, running = await load(_import_agents)
        deps = self._deps
        if deps.toolbox is not None:
            deps = replace(deps, toolbox=replace(deps.toolbox, paused=running))
        self._gmail = await self._choice.agent(deps)
        return supervisor_class(deps, self._repository, self._gmail)

    def _ended(self, settled: SettledMail) -> None:
        """Lets the Gmail agent that wrote a mail forget it. If it is not open, it does so later by itself."""
        if self._gmail is not None:
            note = asyncio.create_task(self._note(self._gmail, settled))
            self._tasks.add(note)
            note.add_done_callback(self._tasks.discard)

    async def _note(self, gmail: OpenGmailAgent, settled: SettledMail) -> None:
        try:
            from app.agent.agents.assistant.gmail_step import settle  # already imported with the agents

            await settle(gmail, settled.request, settled.step, settled.rounds, settled.outcome)
        except ExpectedError as error:
            log.info("request %s: its mail is not noted by the agent: %s", settled.request.id, error.code)


def _import_agents() -> "tuple[type[Supervisor], Callable[[], bool]]":
    from app.agent.agents.assistant.graph import Supervisor
    from app.agent.tools.toolbox import running

    return Supervisor, running
