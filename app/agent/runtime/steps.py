"""Runs nodes: one `run_steps` row each, retries, and the path to `needs_review`.

LangGraph's error handler is not used: an error re-raised from it ends the run for good (LangGraph 1.2), while an unreachable
model must leave the run where it is. So the last failure sets the state's `error`, and passing errors are raised to the caller of
the graph; `ainvoke(None)` then starts the same node again.
"""

import asyncio
import logging
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from typing import Any, Protocol, cast

from langgraph.errors import GraphBubbleUp
from langgraph.types import Command

from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.checkpoints import OUTCOME
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.run_recorder import dumped
from app.agent.runtime.state import GraphState, MailState, Update, run_id_of, updated
from app.agent.runtime.transitions import END, ENTRIES, GATES, Node, next_node
from app.domain.agents.runs import Route, RunStatus, StepLog
from app.domain.drafting.review import Proposal, ReviewStatus
from app.domain.errors import (
    AgentsPaused,
    CapReached,
    DiskFull,
    ExpectedError,
    ModelUnavailable,
    Offline,
    ServerError,
    StoreDamaged,
    StoreTooNew,
)
from app.domain.ids import ReviewId, RunId
from app.domain.record import Record

log = logging.getLogger(__name__)


class ProposalOpened(Record):
    """A node's request to open a review under `key`, or to revise review `again`, in one commit with the run's rows.

    `update` is the node's own; `review_id` and `revision` are added to it. `waits`: the gate follows.
    """

    proposal: Proposal
    key: str
    update: Update
    again: ReviewId = ReviewId(0)
    waits: bool = True


NodeBody = Callable[[MailState, Deps], Awaitable[Update | ProposalOpened]]


PASSING = (ModelUnavailable, CapReached, AgentsPaused, DiskFull, StoreDamaged, StoreTooNew)
"""Errors not caused by this mail: the run waits at the node it reached."""

WORTH_A_RETRY = (Offline, ServerError)
"""Expected errors after which a node is tried again. It is also tried again after any unexpected one."""

LONGEST_LOGGED = 120
"""Characters. Longer texts are logged as their sha256."""


class NodeFunction(Protocol):
    """A node as LangGraph calls it."""

    def __call__(self, state: GraphState) -> Awaitable[Command[Any]]: ...


def step(first: Node, bodies: Mapping[Node, tuple[NodeBody, int]], deps: Deps) -> NodeFunction:
    """Makes a LangGraph node of a node's function and its number of attempts.

    The nodes after it run in the same superstep up to the next gate, unless each node of the stretch has its checkpoint: a
    superstep costs as much as what most nodes do. It returns the next node with the update: for a conditional edge LangGraph
    would read the whole state once more.
    """

    async def run(state: GraphState) -> Command[Any]:
        node, mail, done = first, state["mail"], MailState()
        while True:
            try:
                update = {**await _run_node(node, *bodies[node], mail, deps), "steps": [node.value]}
            except Exception:
                if not done:
                    raise
                return Command(update={"mail": done}, goto=node.value)  # keeps what is done; the node fails again, by itself
            done, mail = updated(done, update), updated(mail, update)
            follower = next_node(node, mail)
            if follower == END:
                await deps.book.write(run_id_of(mail), RunStatus(update[OUTCOME]))
            if follower == END or follower in GATES or keeps_each_node(mail["route"], deps):
                return Command(update={"mail": done}, goto=follower)
            node = Node(follower)

    return run


def keeps_each_node(route: str, deps: Deps) -> bool:
    """Whether every node of a stretch has its checkpoint, since an agent may talk to its model there."""
    routes = {route, deps.answer_route, deps.meeting_route} if deps.gateway is not None else {route}
    return Route.AGENT in routes or (deps.gateway is not None and Route.RESPONSE_AGENT in routes)


def _with_outcome(node: Node, state: MailState, update: Update) -> Update:
    """The update of a node, with the run's outcome where the run ends here."""
    after = cast(MailState, {**state, **update})
    return {**update, OUTCOME: after.get("outcome") or RunStatus.DONE.value} if next_node(node, after) == END else update


async def _run_node(node: Node, body: NodeBody, attempts: int, state: MailState, deps: Deps) -> Update:
    """Runs one node and records its row. Raises passing errors and interrupts."""
    started = time.perf_counter()
    try:
        done = await _attempts(node, body, attempts, state, deps)
        if isinstance(done, ProposalOpened):
            return await _open_review(node, state, done, started, deps)
        done = _with_outcome(node, state, done)
    except GraphBubbleUp:
        raise
    except Exception as error:
        if node is Node.NEEDS_REVIEW or passes(error):
            deps.book.note(_row(node, state, {}, error, started, deps))
            raise
        # An unexpected error is logged with its traceback but without its text, which may hold mail.
        where = "" if isinstance(error, ExpectedError) else "\n" + "".join(traceback.format_tb(error.__traceback__))
        log.warning("run %s: node %s failed: %s%s", state["run_id"], node, type(error).__name__, where)
        failed = {"error": f"{node}: {describe(error)}"}
        deps.book.note(_row(node, state, failed, error, started, deps))
        return failed
    deps.book.note(_row(node, state, done, None, started, deps))
    if "route" in done:
        deps.book.change(run_id_of(state), route=Route(done["route"]))
    if "ask_again" in done:
        deps.book.change(run_id_of(state), ask_again=done["ask_again"])
    return done


async def _open_review(node: Node, state: MailState, wanted: ProposalOpened, started: float, deps: Deps) -> Update:
    """Opens or revises the review. Returns the node's update with its id and revision."""
    update = _with_outcome(node, state, dict(wanted.update))

    def row(review_id: ReviewId, revision: int) -> StepLog:
        update.update(review_id=review_id, revision=revision)
        if "draft_response" in update:
            update["draft_response"] = f"review:{review_id}"
        return _row(node, state, update, None, started, deps)

    await deps.book.open_review(wanted.proposal, wanted.key, wanted.again, row, waits=wanted.waits)
    return update


def passes(error: Exception) -> bool:
    """Whether the run should wait instead of fail."""
    return isinstance(error, PASSING) and not isinstance(error, UnusableAnswer)


def describe(error: Exception) -> str:
    """An error for a row: the message of an `ExpectedError`, only the class of others (their text may hold mail)."""
    return str(error) if isinstance(error, ExpectedError) else type(error).__name__


async def _attempts(node: Node, body: NodeBody, attempts: int, state: MailState, deps: Deps) -> Update | ProposalOpened:
    """Runs the node, again after a wait where it may help. Each attempt that failed has its row."""
    for wait_s in deps.backoff_s[: attempts - 1]:
        started = time.perf_counter()
        try:
            return await body(state, deps)
        except GraphBubbleUp:
            raise
        except Exception as error:
            if isinstance(error, ExpectedError) and not isinstance(error, WORTH_A_RETRY):
                raise
            deps.book.note(_row(node, state, {}, error, started, deps))
            await asyncio.sleep(wait_s)
    return await body(state, deps)


def _row(node: Node, state: MailState, update: Update, error: Exception | None, started: float, deps: Deps) -> StepLog:
    """The step's log row. Only the first of a stretch tells the whole state: the others change what it and they left."""
    return StepLog(
        run_id_of(state),
        node.value,
        len(state.get("steps", [])) + 1,
        _logged(dict(state)) if node in ENTRIES else "",
        _logged(update),
        (time.perf_counter() - started) * 1000,
        describe(error) if error else "",
        deps.clock(),
    )


def _logged(fields: Update) -> str:
    """Fields as JSON, without `steps` and with long texts as digests."""
    shown = {name: value for name, value in fields.items() if name != "steps"}
    for name, value in shown.items():
        if isinstance(value, str) and len(value) > LONGEST_LOGGED:
            shown[name] = f"sha256:{sha256(value.encode()).hexdigest()}"
    return dumped(shown)


def without_model(state: MailState, error: ModelUnavailable | CapReached) -> Update:
    """The fields that say why there is no answer. A repetition ends with them: what it repeats stays as it is."""
    again = not isinstance(error, UnusableAnswer)
    ended: Update = {"outcome": RunStatus.SUPERSEDED.value} if state.get("repeats") else {}
    return {"without_model": error.text.stored(), "ask_again": again, **ended}


def may_ask(state: MailState) -> bool:
    """Whether the model may be asked: not after it could not deal with this mail."""
    return not state.get("without_model") or bool(state.get("ask_again"))


def came_too_late(state: MailState, deps: Deps) -> bool:
    """Whether the owner has decided on what this run repeats."""
    if not state.get("repeats"):
        return False
    review_id = deps.desk.newest_of_run(RunId(state["repeats"]))
    return bool(review_id) and deps.desk.standing(review_id) != (ReviewStatus.PENDING, 1)
