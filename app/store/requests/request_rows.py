"""Reads rows of requests and steps for engine and window, and writes them inside the caller's transaction."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from app.domain.agents.requests import Capability, PlannedStep, Request, RequestStatus, RequestStep, StepStatus
from app.domain.error_texts import NO_TEXT, Cause, ErrorText
from app.domain.errors import NotFound
from app.domain.ids import AccountId, RequestId, ReviewId
from app.store.db.codecs import id_list, storable
from app.store.db.times import from_ms, optional_instant, optional_ms, to_ms
from app.store.reviews.proposal_json import handles_from_json, handles_to_json, sources_from_json, sources_to_json

_NEWEST = "SELECT id FROM requests WHERE forgotten_at IS NULL ORDER BY number DESC LIMIT ?"
_REQUESTS = "SELECT * FROM requests WHERE id IN (SELECT value FROM json_each(?))"
_STEPS = "SELECT * FROM request_steps WHERE request IN (SELECT value FROM json_each(?)) ORDER BY request, place"


def load_request_ids(connection: sqlite3.Connection, limit: int) -> tuple[RequestId, ...]:
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
    return Request(
        id=RequestId(row["id"]),
        number=row["number"],
        account_id=AccountId(row["account_id"]),
        text=row["text"],
        status=RequestStatus(row["status"]),
        created_at=from_ms(row["created_at"]),
        updated_at=from_ms(row["updated_at"]),
        maker=row["maker"],
        steps=steps,
        error=error,
        delayed_by=delayed_by,
    )


def _step(row: sqlite3.Row) -> RequestStep:
    return RequestStep(
        index=row["place"],
        capability=Capability(row["capability"]),
        instruction=row["instruction"],
        status=StepStatus(row["status"]),
        contract=row["contract"],
        answer=row["answer"],
        sources=sources_from_json(row["sources"]),
        documents=handles_from_json(row["documents"]),
        review_id=ReviewId(row["review_id"]),
        error=_error_from(row["error"])[1],
        attempt=row["attempt"],
        started_at=optional_instant(row["started_at"]),
        ended_at=optional_instant(row["ended_at"]),
    )


def _error_from(stored: str) -> tuple[str, ErrorText]:
    """The code and the text of a stored error; both empty for none."""
    if not stored:
        return "", NO_TEXT
    code, cause, *values = json.loads(stored)
    return code, ErrorText(cause, tuple(values))


def _error_to(error: ErrorText, code: str = "") -> str:
    return storable(json.dumps((code, error.cause, *error.values), ensure_ascii=False)) if error or code else ""


_PUT_STEP = """INSERT INTO request_steps (request, place, capability, instruction, status, contract, answer, sources, documents,
    review_id, error, attempt, started_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (request, place) DO UPDATE SET capability = excluded.capability, instruction = excluded.instruction,
    status = excluded.status, contract = excluded.contract, answer = excluded.answer, sources = excluded.sources,
    documents = excluded.documents, review_id = excluded.review_id, error = excluded.error, attempt = excluded.attempt,
    started_at = excluded.started_at, ended_at = excluded.ended_at"""


def existing(connection: sqlite3.Connection, request_id: RequestId) -> Request:
    """Raises `NotFound`."""
    request = load_request(connection, request_id)
    if request is None:
        raise NotFound(Cause.REQUEST_GONE)
    return request


def existing_step(connection: sqlite3.Connection, request_id: RequestId, index: int) -> tuple[Request, RequestStep]:
    """A request and one of its steps. Raises `NotFound`."""
    request = existing(connection, request_id)
    if not 0 <= index < len(request.steps):
        raise NotFound(f"The request has no step {index + 1}.")
    return request, request.steps[index]


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
    """Inserts or updates a step."""
    said = (step.capability, storable(step.instruction), step.status, storable(step.contract), storable(step.answer))
    found = (storable(sources_to_json(step.sources)), handles_to_json(step.documents), step.review_id, _error_to(step.error))
    times = (step.attempt, optional_ms(step.started_at), optional_ms(step.ended_at))
    connection.execute(_PUT_STEP, (request.number, step.index, *said, *found, *times))
