"""The window's read-only handle for requests to the assistant. Reads only."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from app.config.paths import DataFolder
from app.domain.artifacts import Handle
from app.domain.assistant import RESTING, Request
from app.domain.errors import NotFound
from app.domain.ids import RequestId
from app.store.artifacts import ArtifactFolder
from app.store.instants import to_ms
from app.store.read_handle import ReadHandle
from app.store.request_rows import load_request_ids, load_requests

_SPENT = """SELECT count(*), coalesce(sum(prompt_tokens + completion_tokens), 0), coalesce(sum(cost_usd), 0.0)
    FROM llm_calls INDEXED BY llm_calls_at WHERE at BETWEEN ? AND ? AND run_id = ?"""
"""Calls have no index by run: those of a request lie between its beginning and its last change."""
LATE_MS = 60_000
FOREVER_MS = 2**62


class AssistantHandle(ReadHandle):
    """Part of the reader."""

    def request_ids(self, limit: int = 500) -> tuple[RequestId, ...]:
        """Requests, newest first; forgotten ones are missing."""
        with self.reading() as connection:
            return () if connection is None else load_request_ids(connection, limit)

    def requests_of(self, ids: Sequence[RequestId]) -> dict[RequestId, Request]:
        """Requests with their steps by id; those that are gone are missing."""
        with self.reading() as connection:
            return {} if connection is None else load_requests(connection, ids)

    def request(self, request_id: RequestId) -> Request | None:
        """One request with its steps."""
        return self.requests_of((request_id,)).get(request_id)

    def spent_on(self, request: Request) -> tuple[int, int, float]:
        """What its model calls came to so far: calls, tokens, US dollars."""
        last_ms = to_ms(request.updated_at) + LATE_MS if request.status in RESTING else FOREVER_MS
        with self.reading() as connection:
            if connection is None:
                return 0, 0, 0.0
            row = connection.execute(_SPENT, (to_ms(request.created_at), last_ms, request.run_id)).fetchone()
            return row[0], row[1], float(row[2])

    def document(self, handle: Handle) -> Path | None:
        """A copy of a file of the app's own, which other programs may change; None where the file is gone. Raises `Refused` where
        it is not what it was, `DiskFull`."""
        with suppress(NotFound):
            return ArtifactFolder(DataFolder(self._path.parent).artifacts).copy_out(handle)
        return None
