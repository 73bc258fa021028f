"""The window's read-only handle for requests to the assistant. Reads only."""

from collections.abc import Sequence

from app.domain.assistant import Request
from app.domain.ids import RequestId
from app.store.read_handle import ReadHandle
from app.store.request_rows import load_request_ids, load_requests


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
