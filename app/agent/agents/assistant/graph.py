"""The assistant's graph: plans a typed request and runs its steps one after another.

All state is in the request's rows. The graph keeps no checkpoints: after a crash, a stop or a wait it begins at the first step
that is not over. `agent_node` begins a step, runs its agent and writes the row; a temporary error leaves the step as it is.
"""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Hashable, Mapping
from functools import partial
from typing import Any, Protocol

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from app.agent.agents.assistant.ask_model import answer, create_document
from app.agent.agents.assistant.gmail_step import mail
from app.agent.agents.assistant.plan import Plan, make_plan
from app.agent.agents.assistant.research import research
from app.agent.agents.assistant.search import asks_to_change, asks_to_send
from app.agent.agents.assistant.state import (
    Body,
    LocalizedText,
    StepJob,
    SupervisorState,
    check_pause,
    earlier,
    say,
)
from app.agent.agents.gmail.interface import GmailAgent
from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.steps import passes
from app.domain.agents.requests import (
    AGENTS,
    FINISH,
    MOST_STEPS,
    OVER,
    Capability,
    Request,
    RequestStatus,
    StepResult,
    StepStatus,
)
from app.domain.drafting.review import Proposal
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import ExpectedError, NotAllowed, NotFound, Offline, QuotaReached, ServerError
from app.domain.ids import RequestId
from app.domain.mail.files import DocumentText
from app.domain.ports.agents import RequestQueue
from app.domain.record import replace

LATER = (Offline, ServerError, QuotaReached)
"""Temporary server errors, in addition to those that `passes` knows."""

log = logging.getLogger(__name__)

Update = dict[str, Any]


class AgentNode(Protocol):
    """A node as LangGraph calls it."""

    def __call__(self, state: SupervisorState) -> Awaitable[Update]: ...


def agent_node(body: Body, deps: Deps, desk: RequestQueue) -> AgentNode:

    async def run(state: SupervisorState) -> Update:
        request = state["request"]
        step, over = request.next_step, [one for one in request.steps if one.status in OVER]
        assert step is not None, "the supervisor found one"
        said = (("human", request.text), *(("ai", one.contract) for one in over if one.contract))
        results = {one.index: StepResult(one.contract, one.answer, one.sources, one.documents) for one in over}
        job = StepJob(deps, desk, request, step, deps.corpus.account(request.account_id), said, results)
        check_pause(deps)
        if not await asyncio.to_thread(desk.begin, request.id, step.index):
            return {}
        try:
            outcome = await _tried(body, await _with_texts(job))
        except Exception as error:
            if passes(error) or isinstance(error, LATER):
                raise
            await _fail(job, error)
            return {}
        try:
            if isinstance(outcome, Proposal):
                await asyncio.to_thread(desk.propose, request.id, step.index, outcome)
            else:
                await asyncio.to_thread(desk.finish, request.id, step.index, _with_notes(job, outcome))
        except NotAllowed as error:
            await _fail(job, error)
        return {}

    return run


MOST_TRIES: Mapping[Capability, int] = {Capability.CREATE_DOCUMENT: 2, Capability.DIRECT_ANSWER: 2}
"""How often a step is tried when the model's answer cannot be used, 1 where it is not named: a conversation of several turns asks
again within itself.
"""


async def _tried(body: Body, job: StepJob) -> StepResult | Proposal:
    """The outcome of the agent's work. Only an unusable answer is asked for again here; the owner may retry everything else."""
    for tried in range(1, MOST_TRIES.get(job.step.capability, 1)):
        try:
            return await body(job)
        except UnusableAnswer:
            log.info("request %s: step %d is tried again after %d", job.request.id, job.step.index, tried)
    return await body(job)


async def _with_texts(job: StepJob) -> StepJob:
    toolbox, documents = job.deps.toolbox, job.request.documents
    if toolbox is None or toolbox.texts is None or not documents:
        return job
    job.told(say(LocalizedText.READING_DOCUMENT, job.request.text))
    read = await asyncio.gather(*(toolbox.texts.read(one.id) for one in documents), return_exceptions=True)
    texts: dict[str, DocumentText] = {}
    unread: dict[str, str] = {}
    for one, found in zip(documents, read, strict=True):
        if isinstance(found, NotFound | NotAllowed):
            unread[one.id] = str(found)
        elif isinstance(found, BaseException):
            raise found
        else:
            texts[one.id] = found
    return replace(job, texts=texts, unread=unread)


def _with_notes(job: StepJob, result: StepResult) -> StepResult:
    """The last result with notes on what was not done, since a model may claim that it was."""
    request = job.request
    if job.step.index < len(request.steps) - 1:
        return result
    notes = [LocalizedText.NOT_CHANGED] * asks_to_change(request.text)
    mails = any(one.capability is Capability.GMAIL for one in request.steps)
    notes += [LocalizedText.NOT_SENT] * (job.deps.gateway is not None and not mails and asks_to_send(request.text))
    return replace(result, answer="\n\n".join([result.answer, *(say(one, request.text) for one in notes)]).strip())


async def _fail(job: StepJob, error: Exception) -> None:
    """Fails the step and logs why. One that the owner stopped meanwhile stays as it is.

    Of a bug, the owner gets the exception's class and the log the traceback.
    """
    request, step = job.request, job.step
    if isinstance(error, ExpectedError):
        text = error.text or ErrorText.of(error.code)
        log.info("request %s: step %d failed: %s", request.id, step.index, error.code)
    else:
        text = ErrorText.of(Cause.PROGRAM_ERROR, type(error).__name__)
        where = "".join(traceback.format_tb(error.__traceback__))
        log.error("request %s: step %d failed: %s\n%s", request.id, step.index, type(error).__name__, where)
    try:
        await asyncio.to_thread(job.desk.fail, request.id, step.index, text)
    except (NotAllowed, NotFound) as late:
        log.info("request %s: step %d was not there to fail: %s", request.id, step.index, late.code)


SUPERVISOR = "Supervisor"
RECURSION_LIMIT = 4 * MOST_STEPS
"""Supersteps of one run. Each step takes two."""

RESTS = frozenset({StepStatus.WAITING, StepStatus.FAILED})


class Supervisor:
    """Plans and runs requests by id. Each request may have only one caller at a time.

    A call may be cancelled at any await: the rows tell where to continue.
    """

    def __init__(self, deps: Deps, desk: RequestQueue, gmail: GmailAgent) -> None:
        self._deps, self._queue = deps, desk
        self._graph = build(deps, desk, gmail)

    async def plan(self, request: Request) -> Plan:
        """Plans the steps and writes nothing. Raises `ModelUnavailable`, `CapReached`, `UnusableAnswer`, `AgentsPaused`,
        `NotAllowed`, `NotFound`.
        """
        return await make_plan(request, self._deps, await asyncio.to_thread(earlier, request, self._queue))

    async def run(self, request_id: RequestId) -> None:
        """Runs the steps of a request until it ends or waits.

        Raises temporary errors (`ModelUnavailable`, `CapReached`, `AgentsPaused`, `Offline`, `DiskFull`, `StoreDamaged`) and
        leaves the step as it is; other errors fail the step. Raises `NotFound` for a missing request.
        """
        request = await asyncio.to_thread(self._queue.request, request_id)
        await self._graph.ainvoke(SupervisorState(request=request), RunnableConfig(recursion_limit=RECURSION_LIMIT))


def build(deps: Deps, desk: RequestQueue, gmail: GmailAgent) -> CompiledStateGraph[SupervisorState]:
    """Builds the graph. Every agent leads back to the supervisor node."""
    bodies: dict[Capability, Body] = {
        Capability.RESEARCH: research,
        Capability.CREATE_DOCUMENT: create_document,
        Capability.GMAIL: partial(mail, gmail=gmail),
        Capability.DIRECT_ANSWER: answer,
    }

    async def supervise(state: SupervisorState) -> Update:
        try:
            request = await asyncio.to_thread(desk.request, state["request"].id)
        except NotFound:
            return {"next": FINISH}
        step = request.next_step
        if step is None or request.status is not RequestStatus.RUNNING or step.status in RESTS:
            return {"next": FINISH}
        return {"next": AGENTS[step.capability], "request": request}

    def follower(state: SupervisorState) -> str:
        return state["next"]

    graph: StateGraph[SupervisorState] = StateGraph(SupervisorState)
    graph.add_node(SUPERVISOR, supervise)
    graph.add_edge(START, SUPERVISOR)
    for capability, body in bodies.items():
        graph.add_node(AGENTS[capability], agent_node(body, deps, desk))
        graph.add_edge(AGENTS[capability], SUPERVISOR)
    leads: dict[Hashable, str] = {name: name for name in AGENTS.values()}
    graph.add_conditional_edges(SUPERVISOR, follower, leads | {FINISH: END})
    return graph.compile()
