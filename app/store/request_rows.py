"""Rows of requests as domain objects, shared by the engine's table and the window's reader. Reads only."""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from app.domain.assistant import Capability, Request, RequestStatus, Step, StepStatus
from app.domain.ids import AccountId, RequestId, ReviewId
from app.store.instants import from_ms, optional_instant
from app.store.packing import id_list
from app.store.proposal_json import handles_from_json, sources_from_json

_NEWEST = "SELECT id FROM requests WHERE forgotten_at IS NULL ORDER BY number DESC LIMIT ?"
_REQUESTS = "SELECT * FROM requests WHERE id IN (SELECT value FROM json_each(?))"
_STEPS = "SELECT * FROM request_steps WHERE request IN (SELECT value FROM json_each(?)) ORDER BY request, place"


def load_request_ids(connection: sqlite3.Connection, limit: int) -> tuple[RequestId, ...]:
    """Requests that are not forgotten, newest first."""
    return tuple(RequestId(row[0]) for row in connection.execute(_NEWEST, (limit,)))


def load_requests(connection: sqlite3.Connection, ids: Sequence[RequestId]) -> dict[RequestId, Request]:
    """Requests with their steps by id, forgotten ones too; those that are gone are missing."""
    rows = connection.execute(_REQUESTS, (id_list(ids),)).fetchall()
    steps: dict[int, list[Step]] = defaultdict(list)
    for row in connection.execute(_STEPS, (id_list(one["number"] for one in rows),)):
        steps[row["request"]].append(_step(row))
    return {RequestId(row["id"]): _request(row, tuple(steps[row["number"]])) for row in rows}


def load_request(connection: sqlite3.Connection, request_id: RequestId) -> Request | None:
    """One request with its steps."""
    return load_requests(connection, (request_id,)).get(request_id)


def _request(row: sqlite3.Row, steps: tuple[Step, ...]) -> Request:
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
        error=row["error"],
    )


def _step(row: sqlite3.Row) -> Step:
    return Step(
        index=row["place"],
        capability=Capability(row["capability"]),
        instruction=row["instruction"],
        status=StepStatus(row["status"]),
        contract=row["contract"],
        answer=row["answer"],
        sources=sources_from_json(row["sources"]),
        documents=handles_from_json(row["documents"]),
        review_id=ReviewId(row["review_id"]),
        error=row["error"],
        attempt=row["attempt"],
        started_at=optional_instant(row["started_at"]),
        ended_at=optional_instant(row["ended_at"]),
    )
