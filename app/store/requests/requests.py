"""Requests to the assistant and the steps of their plans. Every change is one transaction that looks before it writes.

Steps of requests as they run: begun, done, failed, waiting for a review, declined.

Every change is one transaction that looks before it writes.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from app.domain.agents.requests import (
    LONGEST_REQUEST,
    RESTING,
    PlannedStep,
    Request,
    RequestStatus,
    RequestStep,
    StepResult,
    StepStatus,
    check_move,
    check_plan,
    status_after,
)
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.ids import RequestId, ReviewId
from app.domain.ports.agents import Clock
from app.domain.protocol.assistant_commands import AskAssistant
from app.store.db.codecs import storable
from app.store.db.database import Database
from app.store.db.times import to_ms
from app.store.requests.request_rows import existing, existing_step, put_plan, put_request, put_step

_DUE = """SELECT id FROM requests INDEXED BY requests_open WHERE status IN ('planning', 'running', 'waiting')
    AND status <> 'waiting' ORDER BY number DESC"""
_UNSETTLED = """SELECT r.id, s.place FROM request_steps s JOIN requests r ON r.number = s.request
    JOIN reviews v ON v.id = s.review_id
    WHERE s.review_id <> 0 AND (s.status = 'waiting' AND v.status <> 'pending'
        OR s.status = 'declined' AND v.status NOT IN ('rejected', 'dismissed')
        OR s.status = 'failed' AND v.status NOT IN ('superseded', 'answered')
        OR s.status = 'open' AND v.status <> 'answered')
    ORDER BY s.review_id"""
_LEFT = frozenset({StepStatus.WAITING, StepStatus.DONE})


class Requests:
    """The tables. Thread-safe as the database is."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def add(self, ask: AskAssistant) -> Request:
        """Keep a request, to be planned; one that is known stays as it is. Raises `NotAllowed`."""
        text = ask.text.strip()
        if not text:
            raise NotAllowed("The request is empty.", "Write what is to be done.")
        if len(text) > LONGEST_REQUEST:
            raise NotAllowed(f"A request has at most {LONGEST_REQUEST} characters.", "Shorten it.")
        now_ms = to_ms(self._clock())
        with self._db.transaction(work_only=True) as connection:
            connection.execute(
                """INSERT INTO requests (id, account_id, text, status, created_at, updated_at) VALUES (?, ?, ?, 'planning', ?, ?)
                    ON CONFLICT (id) DO NOTHING""",
                (ask.request_id, ask.account_id, storable(text), now_ms, now_ms),
            )
            return existing(connection, ask.request_id)

    def get(self, request_id: RequestId) -> Request:
        """A request with its steps. Raises `NotFound`."""
        with self._db.reading() as connection:
            return existing(connection, request_id)

    def due(self) -> tuple[RequestId, ...]:
        """Requests that are to be planned or run, the newest first."""
        return tuple(RequestId(row[0]) for row in self._db.read(_DUE))

    def unsettled(self) -> tuple[tuple[RequestId, int], ...]:
        """Steps whose review stands otherwise than they do, or has left the queue while they wait."""
        return tuple((RequestId(row[0]), row[1]) for row in self._db.read(_UNSETTLED))

    def plan(self, request_id: RequestId, steps: Sequence[PlannedStep], maker: str, *, run: bool) -> bool:
        """The plan of a request that is being planned; with `run` it runs at once. False where it was stopped meanwhile. Raises
        `NotAllowed`."""
        check_plan(steps)
        with self._db.transaction(work_only=True) as connection:
            request = existing(connection, request_id)
            if request.status is not RequestStatus.PLANNING:
                return False
            put_plan(connection, request, steps)
            status = RequestStatus.RUNNING if run else RequestStatus.PROPOSED
            put_request(connection, replace(request, status=status, maker=maker, error=""), self._clock())
            return True

    def fail_plan(self, request_id: RequestId, error: str) -> None:
        """There is no plan, in words for the user; nothing where it was stopped meanwhile."""
        with self._db.transaction(work_only=True) as connection:
            request = existing(connection, request_id)
            if request.status is RequestStatus.PLANNING:
                put_request(connection, replace(request, status=RequestStatus.FAILED, error=error), self._clock())

    def plan_again(self, request_id: RequestId) -> None:
        """Back to planning, where no step has begun. Raises `NotAllowed`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request = existing(connection, request_id)
            if any(step.status is not StepStatus.OPEN for step in request.steps):
                raise NotAllowed("Some of the plan has run already.", "Ask again in a new request.")
            if request.status not in (*RESTING, RequestStatus.PROPOSED):
                return
            connection.execute("DELETE FROM request_steps WHERE request = ?", (request.number,))
            put_request(connection, replace(request, status=RequestStatus.PLANNING, error=""), self._clock())

    def run(self, request_id: RequestId, steps: Sequence[PlannedStep] = ()) -> None:
        """The owner lets a proposed plan run, or `steps` in its place; one that runs already, or is done, stays so. Raises
        `NotAllowed`, `NotFound`."""
        if steps:
            check_plan(steps)
        with self._db.transaction(work_only=True) as connection:
            request = existing(connection, request_id)
            if request.status in (RequestStatus.RUNNING, RequestStatus.WAITING, RequestStatus.DONE):
                return
            if request.status is not RequestStatus.PROPOSED:
                raise NotAllowed(f"The request is {request.status}; there is no plan to start.", "Try a step again, or ask anew.")
            if steps:
                put_plan(connection, request, steps)
            put_request(connection, replace(request, status=RequestStatus.RUNNING), self._clock())

    def put_off(self, request_id: RequestId, error: ExpectedError) -> None:
        """Trouble that passes holds the request up: its step is open again, and the trouble is kept with it until it goes on.
        Nothing where it is neither planned nor run. Raises `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request = existing(connection, request_id)
            if request.status in (RequestStatus.PLANNING, RequestStatus.RUNNING):
                _open_again(connection, request)
                told = f"{error.code}: {error.detail}"
                put_request(connection, replace(request, error=told), self._clock())

    def stop(self, request_id: RequestId) -> None:
        """Nothing goes on by itself; what is done stays, and what waits for review stays there. Raises `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request = existing(connection, request_id)
            if request.status in RESTING:
                return
            _open_again(connection, request)
            put_request(connection, replace(request, status=RequestStatus.STOPPED, error=""), self._clock())

    def retry(self, request_id: RequestId, index: int) -> None:
        """Run a step again, and those behind it; one that runs already stays so. Raises `NotAllowed` where it or one behind it
        has
        mail that left or waits for review, or where another one runs; `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request, step = existing_step(connection, request_id, index)
            if step.status is StepStatus.RUNNING:
                return
            again = request.steps[index:]
            if any(one.status is StepStatus.RUNNING for one in request.steps):
                raise NotAllowed("A step is running.", "Stop it first.")
            if any(one.review_id and one.status in _LEFT for one in again):
                raise NotAllowed("Its mail has left, or waits in Review.", "Decide there, or ask anew.")
            for step in again:
                tried = step.attempt + (step.status is not StepStatus.OPEN)
                put_step(connection, request, RequestStep(step.index, step.capability, step.instruction, attempt=tried))
            put_request(connection, replace(request, status=RequestStatus.RUNNING, error=""), self._clock())

    def forget(self, request_id: RequestId, *, forgotten: bool = True) -> None:
        """Take a request that rests out of the list, or put it back. Raises `NotAllowed`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request = existing(connection, request_id)
            if forgotten and request.status not in (*RESTING, RequestStatus.PROPOSED):
                raise NotAllowed("The request is not finished.", "Stop it first.")
            at_ms = to_ms(self._clock()) if forgotten else None
            connection.execute("UPDATE requests SET forgotten_at = ? WHERE number = ?", (at_ms, request.number))

    def recover(self) -> None:
        """Steps that a dead engine was running are open again."""
        with self._db.transaction(work_only=True) as connection:
            connection.execute("UPDATE request_steps SET status = 'open', started_at = NULL WHERE status = 'running'")


def _open_again(connection: sqlite3.Connection, request: Request) -> None:
    """What runs does not."""
    for step in request.steps:
        if step.status is StepStatus.RUNNING:
            put_step(connection, request, replace(step, status=StepStatus.OPEN, started_at=None))


class RequestSteps:
    """The steps' table. Thread-safe as the database is."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def begin(self, request_id: RequestId, index: int) -> bool:
        """The step runs; False where the request was stopped meanwhile."""
        with self._db.transaction(work_only=True) as connection:
            request, step = existing_step(connection, request_id, index)
            if request.status is RequestStatus.STOPPED:
                return False
            if step.status is not StepStatus.RUNNING:
                self._move(connection, request, replace(step, started_at=self._clock(), error=""), StepStatus.RUNNING)
            return True

    def finish(self, request_id: RequestId, index: int, result: StepResult) -> None:
        """The step is done: it ran, or what it waited for has left. Raises `NotAllowed`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request, step = existing_step(connection, request_id, index)
            done = replace(
                step,
                contract=result.contract,
                answer=result.answer or step.answer,
                sources=result.sources or step.sources,
                documents=result.documents or step.documents,
                error="",
            )
            self._move(connection, request, done, StepStatus.DONE)

    def fail(self, request_id: RequestId, index: int, error: str) -> None:
        """The step failed, in words for the user. Raises `NotAllowed`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request, step = existing_step(connection, request_id, index)
            self._move(connection, request, replace(step, error=error), StepStatus.FAILED)

    def wait(self, request_id: RequestId, index: int, review_id: ReviewId) -> None:
        """The step waits for a review, or again for one whose decision was taken back. Raises `NotAllowed`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request, step = existing_step(connection, request_id, index)
            if step.status is not StepStatus.WAITING or step.review_id != review_id:
                waiting = replace(step, review_id=review_id, error="", contract="")
                self._move(connection, request, waiting, StepStatus.WAITING)

    def again(self, request_id: RequestId, index: int) -> None:
        """The owner asked for changes of what a waiting step has put up: it runs again with its review, and its request with it,
        stopped or not. Raises `NotAllowed`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request, step = existing_step(connection, request_id, index)
            if step.status is not StepStatus.RUNNING:
                going = replace(request, status=RequestStatus.RUNNING)
                self._move(connection, going, replace(step, started_at=self._clock()), StepStatus.RUNNING)

    def decline(self, request_id: RequestId, index: int, contract: str) -> None:
        """The owner rejected what the step proposed. Raises `NotAllowed`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request, step = existing_step(connection, request_id, index)
            self._move(connection, request, replace(step, contract=contract), StepStatus.DECLINED)

    def _move(self, connection: sqlite3.Connection, request: Request, step: RequestStep, to: StepStatus) -> None:
        """Write a step in its new status, and how its request stands now."""
        check_move(step.status, to)
        over = to in (StepStatus.DONE, StepStatus.FAILED, StepStatus.DECLINED)
        moved = replace(step, status=to, ended_at=self._clock() if over else None)
        put_step(connection, request, moved)
        steps = tuple(moved if one.index == moved.index else one for one in request.steps)
        stopped = request.status is RequestStatus.STOPPED
        status = request.status if stopped else status_after(steps)
        put_request(connection, replace(request, status=status, error=""), self._clock())
