"""What the assistant's worker writes and reads of requests, each write told. Synchronous: called off the loop."""

from collections.abc import Sequence
from contextlib import suppress

from app.domain.assistant import PlannedStep, Request, RequestStatus, StepStatus
from app.domain.errors import ExpectedError, NotFound, Refused
from app.domain.ids import RequestId
from app.engine.assisting.telling import Telling
from app.engine.tables import Tables


class RequestRows:
    """The rows of requests."""

    def __init__(self, tables: Tables, telling: Telling) -> None:
        self._tables = tables
        self._telling = telling

    def recover(self) -> None:
        """Steps that a dead engine was running are open again."""
        self._tables.requests.recover()

    def due(self) -> tuple[RequestId, ...]:
        """Requests to be planned or run, newest first."""
        return self._tables.requests.due()

    def get(self, request_id: RequestId) -> Request:
        """A request as it stands. Raises `NotFound`."""
        return self._tables.requests.get(request_id)

    def plan(self, request_id: RequestId, steps: Sequence[PlannedStep], maker: str, at_once: bool) -> None:
        """Its plan, which runs at once or waits for the owner. Raises `Refused` for one that cannot be."""
        self._tables.requests.plan(request_id, steps, maker, run=at_once)
        self._telling.changed(request_id)

    def put_off(self, request_id: RequestId, error: ExpectedError) -> None:
        """It waits for the end of some trouble."""
        with suppress(NotFound):
            self._tables.requests.put_off(request_id, error)
            self._telling.changed(request_id)

    def fail(self, request_id: RequestId, words: str) -> None:
        """Its plan, or the step that runs or is next, failed in words for the user; nothing where it rests or waits."""
        with suppress(NotFound, Refused):  # it was stopped or forgotten meanwhile
            request = self.get(request_id)
            step = request.next_step
            if request.status is RequestStatus.PLANNING:
                self._tables.requests.fail_plan(request_id, words)
            elif request.status is RequestStatus.RUNNING and step is not None:
                if step.status is StepStatus.OPEN:
                    self._tables.request_steps.begin(request_id, step.index)
                self._tables.request_steps.fail(request_id, step.index, words)
            self._telling.changed(request_id)
