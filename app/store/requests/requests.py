"""Requests to the assistant and their steps. Every change is one transaction that checks the current status first."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from app.domain.agents.requests import (
    ALL_MAIL,
    LONGEST_REQUEST,
    RESTING,
    MailScope,
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
from app.domain.drafting.draft import Source
from app.domain.error_texts import NO_TEXT, Cause, ErrorText
from app.domain.errors import ExpectedError, NotAllowed, NotFound
from app.domain.ids import RequestId, ReviewId
from app.domain.mail.files import ArtifactHandle
from app.domain.protocol.assistant_commands import AskAssistant
from app.domain.record import asdict, replace
from app.store.db.codecs import id_list, pack_json, storable, unpack_json, unpack_listed
from app.store.db.database import Table
from app.store.db.records import insert_row, record
from app.store.db.times import to_ms

_NEWEST = "SELECT id FROM requests WHERE forgotten_at IS NULL ORDER BY number DESC LIMIT ?"
_REQUESTS = "SELECT * FROM requests WHERE id IN (SELECT value FROM json_each(?))"
_STEPS = "SELECT * FROM request_steps WHERE request IN (SELECT value FROM json_each(?)) ORDER BY request, place"


def load_request_ids(connection: sqlite3.Connection, limit: int = 500) -> tuple[RequestId, ...]:
    """Requests newest first, without those deleted by the owner."""
    return tuple(RequestId(row[0]) for row in connection.execute(_NEWEST, (limit,)))


def load_requests(connection: sqlite3.Connection, ids: Sequence[RequestId]) -> dict[RequestId, Request]:
    """Requests with their steps by id, without those that are gone. Includes requests the owner removed from the list."""
    rows = connection.execute(_REQUESTS, (id_list(ids),)).fetchall()
    steps: dict[int, list[RequestStep]] = defaultdict(list)
    for row in connection.execute(_STEPS, (id_list(one["number"] for one in rows),)):
        steps[row["request"]].append(_step(row))
    return {RequestId(row["id"]): _request(row, tuple(steps[row["number"]])) for row in rows}


def load_request(connection: sqlite3.Connection, request_id: RequestId) -> Request | None:
    """One request with its steps, None when it is gone."""
    return load_requests(connection, (request_id,)).get(request_id)


def _request(row: sqlite3.Row, steps: tuple[RequestStep, ...]) -> Request:
    delayed_by, error = _error_from(row["error"])
    files, scope = unpack_listed(row["files"], ArtifactHandle), unpack_json(row["scope"], MailScope) or ALL_MAIL
    return record(Request, row, steps=steps, files=files, scope=scope, error=error, delayed_by=delayed_by)


def _step(row: sqlite3.Row) -> RequestStep:
    return record(
        RequestStep,
        row,
        index=row["place"],
        sources=unpack_listed(row["sources"], Source),
        documents=unpack_listed(row["documents"], ArtifactHandle),
        error=_error_from(row["error"])[1],
    )


def _error_from(stored: str) -> tuple[str, ErrorText]:
    """The code and the text of a stored error; both empty for none."""
    if not stored:
        return "", NO_TEXT
    code, cause, *values = json.loads(stored)
    return code, ErrorText(cause, tuple(values))


def _error_to(error: ErrorText, code: str = "") -> str:
    return storable(json.dumps((code, error.cause, *error.values), ensure_ascii=False)) if error or code else ""


def existing(connection: sqlite3.Connection, request_id: RequestId) -> Request:
    """Raises `NotFound`."""
    request = load_request(connection, request_id)
    if request is None:
        raise NotFound(Cause.REQUEST_GONE)
    return request


def _step_of(request: Request, index: int) -> RequestStep:
    """One step of a request. Raises `NotFound`."""
    if not 0 <= index < len(request.steps):
        raise NotFound(f"The request has no step {index + 1}.")
    return request.steps[index]


def put_request(connection: sqlite3.Connection, request: Request, now: datetime) -> None:
    """Stores status, maker and error of a request."""
    connection.execute(
        "UPDATE requests SET status = ?, maker = ?, error = ?, updated_at = ? WHERE number = ?",
        (request.status, request.maker, _error_to(request.error, request.delayed_by), to_ms(now), request.number),
    )


def put_plan(connection: sqlite3.Connection, request: Request, steps: Sequence[PlannedStep]) -> None:
    """Replaces the steps of a request."""
    connection.execute("DELETE FROM request_steps WHERE request = ?", (request.number,))
    for index, planned in enumerate(steps):
        put_step(connection, request, RequestStep(index, planned.capability, planned.instruction.strip()))


def put_step(connection: sqlite3.Connection, request: Request, step: RequestStep) -> None:
    row = {"request": request.number, "place": step.index, **asdict(step)}
    del row["index"]
    packed = {"sources": pack_json(step.sources), "documents": pack_json(step.documents), "error": _error_to(step.error)}
    insert_row(connection, "request_steps", row | packed, "INSERT OR REPLACE")


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


class _RequestTable(Table):
    """What the tables of requests and of steps share. What names a request raises `NotFound` when it is gone. Thread-safe."""

    @contextmanager
    def _changing(self, request_id: RequestId) -> Iterator[tuple[sqlite3.Connection, Request]]:
        """A transaction with the request as it is."""
        with self._db.transaction(work_only=True) as connection:
            yield connection, existing(connection, request_id)

    def _put(self, connection: sqlite3.Connection, request: Request, status: RequestStatus, error: ErrorText = NO_TEXT) -> None:
        """Stores a status with its error, and that nothing delays the request."""
        put_request(connection, replace(request, status=status, error=error, delayed_by=""), self._clock())


class Requests(_RequestTable):
    """The table `requests`."""

    def add(self, ask: AskAssistant, files: tuple[ArtifactHandle, ...] = ()) -> Request:
        """Inserts a request to be planned; a known one is left as it is. Raises `NotAllowed` for an empty or too long text."""
        text = ask.text.strip()
        if not text:
            raise NotAllowed(Cause.REQUEST_EMPTY)
        if len(text) > LONGEST_REQUEST:
            raise NotAllowed(Cause.REQUEST_TOO_LONG, LONGEST_REQUEST)
        now_ms, scope = to_ms(self._clock()), pack_json(ask.scope)
        with self._db.transaction(work_only=True) as connection:
            connection.execute(
                """INSERT INTO requests (id, account_id, text, files, after, scope, status, created_at, updated_at)
                    VALUES (?, ?, ?, ?, ?, ?, 'planning', ?, ?) ON CONFLICT (id) DO NOTHING""",
                (ask.request_id, ask.account_id, storable(text), pack_json(files), ask.after, scope, now_ms, now_ms),
            )
            return existing(connection, ask.request_id)

    def get(self, request_id: RequestId) -> Request:
        """A request with its steps."""
        return self._db.load(existing, request_id)

    def due(self) -> tuple[RequestId, ...]:
        """Requests to plan or to run, newest first."""
        return tuple(RequestId(row[0]) for row in self._db.read(_DUE))

    def unsettled(self) -> tuple[tuple[RequestId, int], ...]:
        """Steps whose status does not match the status of their review."""
        return tuple((RequestId(row[0]), row[1]) for row in self._db.read(_UNSETTLED))

    def plan(self, request_id: RequestId, steps: Sequence[PlannedStep], maker: str, *, run: bool) -> bool:
        """Stores the plan of a request; with `run` it starts at once. Returns False if the request was stopped meanwhile.

        Raises `NotAllowed` for an invalid plan.
        """
        check_plan(steps)
        with self._changing(request_id) as (connection, request):
            if request.status is not RequestStatus.PLANNING:
                return False
            put_plan(connection, request, steps)
            self._put(connection, replace(request, maker=maker), RequestStatus.RUNNING if run else RequestStatus.PROPOSED)
            return True

    def fail_plan(self, request_id: RequestId, error: ErrorText) -> None:
        """Fails a request that could not be planned, with an error for the owner. Does nothing if it was stopped meanwhile."""
        with self._changing(request_id) as (connection, request):
            if request.status is RequestStatus.PLANNING:
                self._put(connection, request, RequestStatus.FAILED, error)

    def plan_again(self, request_id: RequestId) -> None:
        """Returns a request to planning. Raises `NotAllowed` when a step has begun."""
        with self._changing(request_id) as (connection, request):
            if any(step.status is not StepStatus.OPEN for step in request.steps):
                raise NotAllowed(Cause.PLAN_BEGUN)
            if request.status in (*RESTING, RequestStatus.PROPOSED):
                put_plan(connection, request, ())
                self._put(connection, request, RequestStatus.PLANNING)

    def run(self, request_id: RequestId, steps: Sequence[PlannedStep] = ()) -> None:
        """Starts a proposed plan, or `steps` in its place. Does nothing if it runs already or is done. Raises `NotAllowed`."""
        if steps:
            check_plan(steps)
        with self._changing(request_id) as (connection, request):
            if request.status in (RequestStatus.RUNNING, RequestStatus.WAITING, RequestStatus.DONE):
                return
            if request.status is not RequestStatus.PROPOSED:
                raise NotAllowed(f"The request is {request.status}; there is no plan to start.", "Try a step again, or ask anew.")
            if steps:
                put_plan(connection, request, steps)
            put_request(connection, replace(request, status=RequestStatus.RUNNING), self._clock())

    def put_off(self, request_id: RequestId, error: ExpectedError) -> None:
        """Interrupts a request because of a temporary error.

        Its running step is open again, and the error is stored until it continues. Does nothing if it is neither planned nor run.
        """
        with self._changing(request_id) as (connection, request):
            if request.status in (RequestStatus.PLANNING, RequestStatus.RUNNING):
                _open_again(connection, request)
                put_request(connection, replace(request, error=error.text, delayed_by=error.code), self._clock())

    def stop(self, request_id: RequestId) -> None:
        """Stops a request. Finished steps and pending reviews stay."""
        with self._changing(request_id) as (connection, request):
            if request.status not in RESTING:
                _open_again(connection, request)
                self._put(connection, request, RequestStatus.STOPPED)

    def retry(self, request_id: RequestId, index: int) -> None:
        """Runs a step and those after it again. Does nothing if the step is running.

        Raises `NotAllowed` while another step runs, or when one of these steps has sent mail or waits for review.
        """
        with self._changing(request_id) as (connection, request):
            if _step_of(request, index).status is StepStatus.RUNNING:
                return
            again = request.steps[index:]
            if any(one.status is StepStatus.RUNNING for one in request.steps):
                raise NotAllowed(Cause.STEP_RUNNING)
            if any(one.review_id and one.status in _LEFT for one in again):
                raise NotAllowed(Cause.MAIL_HAS_LEFT)
            for step in again:
                tried = step.attempt + (step.status is not StepStatus.OPEN)
                put_step(connection, request, RequestStep(step.index, step.capability, step.instruction, attempt=tried))
            self._put(connection, request, RequestStatus.RUNNING)

    def forget(self, request_id: RequestId, *, forgotten: bool = True) -> None:
        """Removes a finished or proposed request from the list, or restores it. Raises `NotAllowed`."""
        with self._changing(request_id) as (connection, request):
            if forgotten and request.status not in (*RESTING, RequestStatus.PROPOSED):
                raise NotAllowed(Cause.REQUEST_RUNNING)
            at_ms = to_ms(self._clock()) if forgotten else None
            connection.execute("UPDATE requests SET forgotten_at = ? WHERE number = ?", (at_ms, request.number))

    def recover(self) -> None:
        """Reopens the steps that were running when the engine ended."""
        self._db.write("UPDATE request_steps SET status = 'open', started_at = NULL WHERE status = 'running'", work_only=True)


def _open_again(connection: sqlite3.Connection, request: Request) -> None:
    for step in request.steps:
        if step.status is StepStatus.RUNNING:
            put_step(connection, request, replace(step, status=StepStatus.OPEN, started_at=None))


class RequestSteps(_RequestTable):
    """The table `request_steps`. Moves raise `NotAllowed` in a status that does not allow them, and `NotFound`."""

    def begin(self, request_id: RequestId, index: int) -> bool:
        """Marks a step as running. Returns False if the request was stopped meanwhile."""
        with self._changing(request_id) as (connection, request):
            step = _step_of(request, index)
            if request.status is RequestStatus.STOPPED:
                return False
            if step.status is not StepStatus.RUNNING:
                self._move(connection, request, replace(step, started_at=self._clock(), error=NO_TEXT), StepStatus.RUNNING)
            return True

    def finish(self, request_id: RequestId, index: int, result: StepResult) -> None:
        """Marks a step as done: it ran, or the mail it waited for was sent."""
        with self._changing(request_id) as (connection, request):
            step = _step_of(request, index)
            done = replace(
                step,
                contract=result.contract,
                answer=result.answer or step.answer,
                sources=result.sources or step.sources,
                documents=result.documents or step.documents,
                error=NO_TEXT,
            )
            self._move(connection, request, done, StepStatus.DONE)

    def fail(self, request_id: RequestId, index: int, error: ErrorText) -> None:
        """Marks a step as failed, with an error for the owner."""
        with self._changing(request_id) as (connection, request):
            self._move(connection, request, replace(_step_of(request, index), error=error), StepStatus.FAILED)

    def wait(self, request_id: RequestId, index: int, review_id: ReviewId) -> None:
        """Lets a step wait for a review, also again after an undone decision."""
        with self._changing(request_id) as (connection, request):
            step = _step_of(request, index)
            if step.status is not StepStatus.WAITING or step.review_id != review_id:
                waiting = replace(step, review_id=review_id, error=NO_TEXT, contract="")
                self._move(connection, request, waiting, StepStatus.WAITING)

    def again(self, request_id: RequestId, index: int) -> None:
        """Runs a waiting step again because the owner asked for changes. Its request runs too, even if it was stopped."""
        with self._changing(request_id) as (connection, request):
            step = _step_of(request, index)
            if step.status is not StepStatus.RUNNING:
                going = replace(request, status=RequestStatus.RUNNING)
                self._move(connection, going, replace(step, started_at=self._clock()), StepStatus.RUNNING)

    def decline(self, request_id: RequestId, index: int, contract: str) -> None:
        """Marks a step as declined: the owner rejected its proposal."""
        with self._changing(request_id) as (connection, request):
            self._move(connection, request, replace(_step_of(request, index), contract=contract), StepStatus.DECLINED)

    def _move(self, connection: sqlite3.Connection, request: Request, step: RequestStep, to: StepStatus) -> None:
        """Writes a step in its new status and updates the request's status."""
        check_move(step.status, to)
        over = to in (StepStatus.DONE, StepStatus.FAILED, StepStatus.DECLINED)
        moved = replace(step, status=to, ended_at=self._clock() if over else None)
        put_step(connection, request, moved)
        steps = tuple(moved if one.index == moved.index else one for one in request.steps)
        stopped = request.status is RequestStatus.STOPPED
        self._put(connection, request, request.status if stopped else status_after(steps))
