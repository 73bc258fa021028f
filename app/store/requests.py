"""Requests to the assistant and the steps of their plans. Every change is one transaction that looks before it writes.

Refuses moves that `domain.assistant` does not list, and to run anything again behind which mail has left or waits for review.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from app.domain.assistant import (
    LONGEST_REQUEST,
    RESTING,
    PlannedStep,
    Request,
    RequestStatus,
    Step,
    StepStatus,
    check_plan,
)
from app.domain.assistant_commands import Ask
from app.domain.errors import ExpectedError, Refused
from app.domain.ids import RequestId
from app.domain.ports.agents import Clock
from app.store.database import Database
from app.store.instants import to_ms
from app.store.packing import storable
from app.store.request_writing import existing, existing_step, put_plan, put_request, put_step

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

    def add(self, ask: Ask) -> Request:
        """Keep a request, to be planned; one that is known stays as it is. Raises `Refused`."""
        text = ask.text.strip()
        if not text:
            raise Refused("The request is empty.", "Write what is to be done.")
        if len(text) > LONGEST_REQUEST:
            raise Refused(f"A request has at most {LONGEST_REQUEST} characters.", "Shorten it.")
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
        `Refused`."""
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
        """Back to planning, where no step has begun. Raises `Refused`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request = existing(connection, request_id)
            if any(step.status is not StepStatus.OPEN for step in request.steps):
                raise Refused("Some of the plan has run already.", "Ask again in a new request.")
            if request.status not in (*RESTING, RequestStatus.PROPOSED):
                return
            connection.execute("DELETE FROM request_steps WHERE request = ?", (request.number,))
            put_request(connection, replace(request, status=RequestStatus.PLANNING, error=""), self._clock())

    def run(self, request_id: RequestId, steps: Sequence[PlannedStep] = ()) -> None:
        """The owner lets a proposed plan run, or `steps` in its place; one that runs already, or is done, stays so. Raises
        `Refused`, `NotFound`."""
        if steps:
            check_plan(steps)
        with self._db.transaction(work_only=True) as connection:
            request = existing(connection, request_id)
            if request.status in (RequestStatus.RUNNING, RequestStatus.WAITING, RequestStatus.DONE):
                return
            if request.status is not RequestStatus.PROPOSED:
                raise Refused(f"The request is {request.status}; there is no plan to start.", "Try a step again, or ask anew.")
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
        """Run a step again, and those behind it; one that runs already stays so. Raises `Refused` where it or one behind it has
        mail that left or waits for review, or where another one runs; `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request, step = existing_step(connection, request_id, index)
            if step.status is StepStatus.RUNNING:
                return
            again = request.steps[index:]
            if any(one.status is StepStatus.RUNNING for one in request.steps):
                raise Refused("A step is running.", "Stop it first.")
            if any(one.review_id and one.status in _LEFT for one in again):
                raise Refused("Its mail has left, or waits in Review.", "Decide there, or ask anew.")
            for step in again:
                tried = step.attempt + (step.status is not StepStatus.OPEN)
                put_step(connection, request, Step(step.index, step.capability, step.instruction, attempt=tried))
            put_request(connection, replace(request, status=RequestStatus.RUNNING, error=""), self._clock())

    def forget(self, request_id: RequestId, *, forgotten: bool = True) -> None:
        """Take a request that rests out of the list, or put it back. Raises `Refused`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request = existing(connection, request_id)
            if forgotten and request.status not in (*RESTING, RequestStatus.PROPOSED):
                raise Refused("The request is not finished.", "Stop it first.")
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
