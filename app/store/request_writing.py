"""Rows of requests and their steps, written inside a transaction that the caller owns.

Refuses to decide whether a change is allowed; `app.store.requests` and `app.store.request_steps` do.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from app.domain.assistant import PlannedStep, Request, Step
from app.domain.errors import NotFound
from app.domain.ids import RequestId
from app.store.instants import optional_ms, to_ms
from app.store.packing import storable
from app.store.proposal_json import handles_to_json, sources_to_json
from app.store.request_rows import load_request

_PUT_STEP = """INSERT INTO request_steps (request, place, capability, instruction, status, contract, answer, sources, documents,
    review_id, error, attempt, started_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (request, place) DO UPDATE SET capability = excluded.capability, instruction = excluded.instruction,
    status = excluded.status, contract = excluded.contract, answer = excluded.answer, sources = excluded.sources,
    documents = excluded.documents, review_id = excluded.review_id, error = excluded.error, attempt = excluded.attempt,
    started_at = excluded.started_at, ended_at = excluded.ended_at"""


def existing(connection: sqlite3.Connection, request_id: RequestId) -> Request:
    """The request. Raises `NotFound`."""
    request = load_request(connection, request_id)
    if request is None:
        raise NotFound("This request is not there any more.")
    return request


def existing_step(connection: sqlite3.Connection, request_id: RequestId, index: int) -> tuple[Request, Step]:
    """The request and one of its steps. Raises `NotFound`."""
    request = existing(connection, request_id)
    if not 0 <= index < len(request.steps):
        raise NotFound(f"The request has no step {index + 1}.")
    return request, request.steps[index]


def put_request(connection: sqlite3.Connection, request: Request, now: datetime) -> None:
    """How the request stands."""
    connection.execute(
        "UPDATE requests SET status = ?, maker = ?, error = ?, updated_at = ? WHERE number = ?",
        (request.status, request.maker, storable(request.error), to_ms(now), request.number),
    )


def put_plan(connection: sqlite3.Connection, request: Request, steps: Sequence[PlannedStep]) -> None:
    """Its steps, in place of those it had."""
    connection.execute("DELETE FROM request_steps WHERE request = ?", (request.number,))
    for index, planned in enumerate(steps):
        put_step(connection, request, Step(index, planned.capability, planned.instruction.strip()))


def put_step(connection: sqlite3.Connection, request: Request, step: Step) -> None:
    """One step."""
    said = (step.capability, storable(step.instruction), step.status, storable(step.contract), storable(step.answer))
    found = (storable(sources_to_json(step.sources)), handles_to_json(step.documents), step.review_id, storable(step.error))
    times = (step.attempt, optional_ms(step.started_at), optional_ms(step.ended_at))
    connection.execute(_PUT_STEP, (request.number, step.index, *said, *found, *times))
