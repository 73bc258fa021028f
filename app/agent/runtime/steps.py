"""Around every node: one row for `agent_logs`, up to three attempts, and the way to `needs_review`.

LangGraph's own error handler is not used: an error raised again from it ends the run for good (tried with 1.2), while an offline
model must leave the run where it is. So the last failure becomes the state's `error`, and trouble that passes is raised to
whoever runs the graph; `ainvoke(None)` then starts the same node again.

A superstep of LangGraph costs as much as a node's own work. So a node goes on into those that follow it, by the same table, as
far as `transitions.runs_on` says: each with its own attempts, row and error path.
"""

import asyncio
import logging
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol, cast

from langgraph.errors import GraphBubbleUp
from langgraph.types import Command

from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.run_recorder import dumped
from app.agent.runtime.state import MailState, SingleChannelState, Update, run_id_of
from app.agent.runtime.transitions import Node, asks_model, next_node, runs_on
from app.domain.agents.runs import StepLog
from app.domain.drafting.review import Proposal
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
from app.domain.ids import ReviewId


@dataclass(frozen=True, slots=True)
class ProposalOpened:
    """What a node wants put up: opened under `key`, or a new revision of review `again`; written in one commit with the run's
    trail. `update` is the node's own, to which `review_id` and `revision` are added; `waits`: the gate follows."""

    proposal: Proposal
    key: str
    update: Update
    again: ReviewId = ReviewId(0)
    waits: bool = True


NodeBody = Callable[[MailState, Deps], Awaitable[Update | ProposalOpened]]


class NodeFunction(Protocol):
    """A node as LangGraph calls it."""

    def __call__(self, state: MailState) -> Awaitable[Command[Any]]:
        """The fields it changes, and the node that follows."""


class SingleChannelNode(Protocol):
    """The same where the whole state is one channel."""

    def __call__(self, state: SingleChannelState) -> Awaitable[Command[Any]]:
        """The whole state anew, and the node that follows."""


PASSING = (ModelUnavailable, CapReached, AgentsPaused, DiskFull, StoreDamaged, StoreTooNew)
"""Trouble that is not this mail's: the run waits for better times, at the node it reached."""

WORTH_A_RETRY = (Offline, ServerError, OSError, TimeoutError)
"""What another attempt may mend."""

LONGEST_LOGGED = 120
"""Texts longer than this stand in the log as their sha256."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NodeSpec:
    """What a node does, and how often it is tried. `last_resort` raises instead of setting `error`."""

    body: NodeBody
    attempts: int = 1
    last_resort: bool = False


def step(first: Node, works: Mapping[Node, NodeSpec], deps: Deps) -> NodeFunction:
    """The node `first`, and those of `works` that it runs on into: their rows in the book, one update, the follower of the last.

    The follower goes with the update: an edge that LangGraph asks would read the whole state once more."""

    async def run(state: MailState) -> Command[Any]:
        walk = _Walk(state, deps)
        follower = await _walked(walk, first, works, deps, kept=True)
        return Command(update=walk.update, goto=follower)

    return run


def whole_step(first: Node, works: Mapping[Node, NodeSpec], deps: Deps) -> SingleChannelNode:
    """The same over a state that lies in one channel, in a graph that keeps no checkpoints."""

    async def run(state: SingleChannelState) -> Command[Any]:
        walk = _Walk(state["mail"], deps)
        follower = await _walked(walk, first, works, deps, kept=False)
        return Command(update={"mail": walk.state}, goto=follower)

    return run


async def _walked(walk: "_Walk", first: Node, works: Mapping[Node, NodeSpec], deps: Deps, *, kept: bool) -> str:
    """Run `first` and what it runs on into; the node that is to follow in a superstep of its own."""
    with_model = deps.gateway is not None
    node = first
    while True:
        try:
            update = await _done(node, works[node], walk.state, deps)
        except Exception:
            if not walk.paid:
                raise
            return node.value  # what was paid for is kept; this node runs again at once, and raises again
        follower = walk.on(node, update)
        if follower not in works or not runs_on(node, follower, walk.state, with_model=with_model, kept=kept):
            if walk.paid:
                await deps.book.write(run_id_of(walk.state))
            return follower
        node = Node(follower)


class _Walk:
    """The nodes of one superstep so far."""

    def __init__(self, state: MailState, deps: Deps) -> None:
        self.state = state
        self.paid = False
        self._with_model = deps.gateway is not None
        self._update: Update = {}
        self._names: list[str] = []

    def on(self, node: Node, update: Update) -> str:
        """A node has run; its follower."""
        self._update |= update
        self._names.append(node.value)
        self.paid = self.paid or (self._with_model and asks_model(node, self.state))
        self.state = cast(MailState, {**self.state, **update, "steps": [*self.state.get("steps", []), node.value]})
        return next_node(node, self.state)

    @property
    def update(self) -> Update:
        """Everything that changed."""
        return {**self._update, "steps": self._names}


async def _done(node: Node, work: NodeSpec, state: MailState, deps: Deps) -> Update:
    """One node with its row; trouble that passes and interrupts are raised."""
    started = time.perf_counter()
    try:
        done = await _attempts(work.body, state, deps, work.attempts)
        if isinstance(done, ProposalOpened):
            return await _put_up(node, state, done, started, deps)
    except GraphBubbleUp:
        raise
    except Exception as error:
        deps.book.note(_row(node, state, {}, error, started, deps))
        if work.last_resort or passes(error):
            raise
        _report(node, state, error)
        return {"error": f"{node}: {describe(error)}"}
    deps.book.note(_row(node, state, done, None, started, deps))
    return done


async def _put_up(node: Node, state: MailState, wanted: ProposalOpened, started: float, deps: Deps) -> Update:
    """Open or revise the review; the node's update with its id and revision."""
    update = dict(wanted.update)

    def row(review_id: ReviewId, revision: int) -> StepLog:
        update.update(review_id=review_id, revision=revision)
        if "draft_response" in update:
            update["draft_response"] = f"review:{review_id}"
        return _row(node, state, update, None, started, deps)

    if wanted.again:
        await deps.book.put_up_again(wanted.again, wanted.proposal, row, waits=wanted.waits)
    else:
        await deps.book.put_up(wanted.proposal, wanted.key, row, waits=wanted.waits)
    return update


def passes(error: Exception) -> bool:
    """Whether the run should wait rather than fail."""
    return isinstance(error, PASSING) and not isinstance(error, UnusableAnswer)


def describe(error: Exception) -> str:
    """An error for a row: expected trouble in its own words, a bug by its class alone (its text may hold mail)."""
    return str(error) if isinstance(error, ExpectedError) else type(error).__name__


def _report(node: Node, state: MailState, error: Exception) -> None:
    """Expected trouble in a line; a bug with where it happened, but without its text, which may hold mail."""
    where = "" if isinstance(error, ExpectedError) else "\n" + "".join(traceback.format_tb(error.__traceback__))
    log.warning("run %s: node %s failed: %s%s", state["run_id"], node, type(error).__name__, where)


async def _attempts(body: NodeBody, state: MailState, deps: Deps, attempts: int) -> Update | ProposalOpened:
    """Run the body, again after a wait where the error is worth it."""
    for wait_s in deps.backoff_s[: attempts - 1]:
        try:
            return await body(state, deps)
        except WORTH_A_RETRY:
            await asyncio.sleep(wait_s)
    return await body(state, deps)


def _row(node: Node, state: MailState, update: Update, error: Exception | None, started: float, deps: Deps) -> StepLog:
    """The step's row."""
    return StepLog(
        run_id_of(state),
        node.value,
        len(state.get("steps", [])) + 1,
        _logged(dict(state)),
        _logged(update),
        (time.perf_counter() - started) * 1000,
        describe(error) if error else "",
        deps.clock(),
    )


def _logged(fields: Update) -> str:
    """Fields as JSON, without the trace itself and with long texts as digests."""
    return dumped({name: _short(value) for name, value in fields.items() if name != "steps"})


def _short(value: object) -> object:
    """A value, or the digest of a long text."""
    if isinstance(value, str) and len(value) > LONGEST_LOGGED:
        return f"sha256:{sha256(value.encode()).hexdigest()}"
    return value
