"""Steps of requests as they run: begun, done, failed, waiting for a review, declined.

Every change is one transaction that looks before it writes. Refuses moves that `domain.assistant` does not list.
"""

import sqlite3
from dataclasses import replace

from app.domain.assistant import Request, RequestStatus, Step, StepResult, StepStatus, check_move, status_after
from app.domain.ids import RequestId, ReviewId
from app.domain.ports.agents import Clock
from app.store.database import Database
from app.store.request_writing import existing_step, put_request, put_step


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
        """The step is done: it ran, or what it waited for has left. Raises `Refused`, `NotFound`."""
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
        """The step failed, in words for the user. Raises `Refused`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request, step = existing_step(connection, request_id, index)
            self._move(connection, request, replace(step, error=error), StepStatus.FAILED)

    def wait(self, request_id: RequestId, index: int, review_id: ReviewId) -> None:
        """The step waits for a review, or again for one whose decision was taken back. Raises `Refused`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request, step = existing_step(connection, request_id, index)
            if step.status is not StepStatus.WAITING or step.review_id != review_id:
                waiting = replace(step, review_id=review_id, error="", contract="")
                self._move(connection, request, waiting, StepStatus.WAITING)

    def again(self, request_id: RequestId, index: int) -> None:
        """The owner asked for changes of what a waiting step has put up: it runs again with its review, and its request with it,
        stopped or not. Raises `Refused`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request, step = existing_step(connection, request_id, index)
            if step.status is not StepStatus.RUNNING:
                going = replace(request, status=RequestStatus.RUNNING)
                self._move(connection, going, replace(step, started_at=self._clock()), StepStatus.RUNNING)

    def decline(self, request_id: RequestId, index: int, contract: str) -> None:
        """The owner rejected what the step proposed. Raises `Refused`, `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            request, step = existing_step(connection, request_id, index)
            self._move(connection, request, replace(step, contract=contract), StepStatus.DECLINED)

    def _move(self, connection: sqlite3.Connection, request: Request, step: Step, to: StepStatus) -> None:
        """Write a step in its new status, and how its request stands now."""
        check_move(step.status, to)
        over = to in (StepStatus.DONE, StepStatus.FAILED, StepStatus.DECLINED)
        moved = replace(step, status=to, ended_at=self._clock() if over else None)
        put_step(connection, request, moved)
        steps = tuple(moved if one.index == moved.index else one for one in request.steps)
        stopped = request.status is RequestStatus.STOPPED
        status = request.status if stopped else status_after(steps)
        put_request(connection, replace(request, status=status, error=""), self._clock())
