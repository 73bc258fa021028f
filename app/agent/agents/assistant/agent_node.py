"""Wraps an agent as a graph node: begins the step, runs the agent and writes the result to the step's row.

A temporary error is raised and leaves the step as it is. Any other error fails the step.
"""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Mapping
from typing import Any, Protocol

from app.agent.agents.assistant.state import Body, LocalizedText, StepJob, SupervisorState, say
from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.steps import passes
from app.domain.agents.requests import Capability, Request, RequestStep, StepResult
from app.domain.drafting.review import Proposal
from app.domain.error_texts import Cause, ErrorText
from app.domain.errors import ExpectedError, NotAllowed, NotFound, Offline, QuotaReached, ServerError
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
        job = _job(state, deps, desk)
        job.check_pause()
        if not await asyncio.to_thread(desk.begin, job.request.id, job.step.index):
            return {}
        try:
            outcome = await _tried(body, await _with_texts(job))
        except Exception as error:
            if passes(error) or isinstance(error, LATER):
                raise
            await _fail(job, error)
            return {}
        return await _settled(job, outcome)

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


def _job(state: SupervisorState, deps: Deps, desk: RequestQueue) -> StepJob:
    request = state["request"]
    step = request.steps[state["step"]]
    account = deps.corpus.account(request.account_id)
    return StepJob(deps, desk, request, step, account, tuple(state["messages"]), state.get("results", {}))


async def _with_texts(job: StepJob) -> StepJob:
    """The job with the texts of the request's documents."""
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


async def _settled(job: StepJob, outcome: StepResult | Proposal) -> Update:
    request, step = job.request, job.step
    try:
        if isinstance(outcome, Proposal):
            await asyncio.to_thread(job.desk.propose, request.id, step.index, outcome)
            return {}
        await asyncio.to_thread(job.desk.finish, request.id, step.index, outcome)
    except NotAllowed as error:
        await _fail(job, error)
        return {}
    return {"results": {step.index: outcome}, "messages": [("ai", outcome.contract)]}


async def _fail(job: StepJob, error: Exception) -> None:
    """Fails the step. One that the owner stopped meanwhile stays as it is."""
    _report(job.request, job.step, error)
    try:
        await asyncio.to_thread(job.desk.fail, job.request.id, job.step.index, _text_of(error))
    except (NotAllowed, NotFound) as late:
        log.info("request %s: step %d was not there to fail: %s", job.request.id, job.step.index, late.code)


def _text_of(error: Exception) -> ErrorText:
    """The error for the owner. For a bug it names the exception class only."""
    if isinstance(error, ExpectedError):
        return error.text or ErrorText.of(error.code)
    return ErrorText.of(Cause.PROGRAM_ERROR, type(error).__name__)


def _report(request: Request, step: RequestStep, error: Exception) -> None:
    """Logs an expected error by its code and a bug with its traceback."""
    if isinstance(error, ExpectedError):
        log.info("request %s: step %d failed: %s", request.id, step.index, error.code)
        return
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("request %s: step %d failed: %s\n%s", request.id, step.index, type(error).__name__, where)
