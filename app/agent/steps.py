"""Around every node: one row for `agent_logs`, up to three attempts, and the way to `needs_review`.

LangGraph's own error handler is not used: an error raised again from it ends the run for good (tried with 1.2), while an offline
model must leave the run where it is. So the last failure becomes the state's `error`, and trouble that passes is raised to
whoever runs the graph; `ainvoke(None)` then starts the same node again. Refuses to swallow an interrupt.
"""

import asyncio
import json
import logging
import time
import traceback
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Protocol

from langgraph.errors import GraphBubbleUp

from app.agent.deps import Deps
from app.agent.state import MailState, Update, run_id_of
from app.agent.step_book import StepBook
from app.agent.transitions import Node
from app.agent.trouble import UnusableAnswer
from app.domain.errors import (
    CapReached,
    DiskFull,
    ExpectedError,
    ModelUnavailable,
    Offline,
    ServerTrouble,
    StoreDamaged,
    StoreTooNew,
)
from app.domain.runs import StepLog

NodeBody = Callable[[MailState, Deps], Awaitable[Update]]


class Step(Protocol):
    """A node as LangGraph calls it."""

    def __call__(self, state: MailState) -> Awaitable[Update]:
        """The fields it changes."""


PASSING = (ModelUnavailable, CapReached, DiskFull, StoreDamaged, StoreTooNew)
"""Trouble that is not this mail's: the run waits for better times, at the node it reached."""

WORTH_A_RETRY = (Offline, ServerTrouble, OSError, TimeoutError)
"""What another attempt may mend."""

LONGEST_LOGGED = 120
"""Texts longer than this stand in the log as their sha256."""

log = logging.getLogger(__name__)


def step(node: Node, body: NodeBody, deps: Deps, book: StepBook, *, attempts: int = 1, last_resort: bool = False) -> Step:
    """`body` with its log row in `book`, attempts and error path. `last_resort` raises instead of setting `error`."""

    async def run(state: MailState) -> Update:
        started = time.perf_counter()
        try:
            update = await _attempts(body, state, deps, attempts)
        except GraphBubbleUp:
            raise
        except Exception as error:
            book.note(_row(node, state, {}, error, started, deps))
            if last_resort or passes(error):
                raise
            _report(node, state, error)
            return {"error": f"{node}: {describe(error)}", "steps": [node.value]}
        book.note(_row(node, state, update, None, started, deps))
        return {**update, "steps": [node.value]}

    return run


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


async def _attempts(body: NodeBody, state: MailState, deps: Deps, attempts: int) -> Update:
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
    return json.dumps({name: _short(value) for name, value in fields.items() if name != "steps"}, ensure_ascii=False)


def _short(value: object) -> object:
    """A value, or the digest of a long text."""
    if isinstance(value, str) and len(value) > LONGEST_LOGGED:
        return f"sha256:{sha256(value.encode()).hexdigest()}"
    return value
