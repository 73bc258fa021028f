"""Reports changed requests and the progress of steps to the window, from any thread."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from app.domain.errors import ExpectedError
from app.domain.ids import RequestId
from app.domain.protocol.assistant_commands import RequestChanged, StepProgress
from app.domain.protocol.events import ReviewReady
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.throttle import Throttle

TOLD_EVERY_S = 0.25
"""Least time between two progress texts; more could not be read."""


class RequestEvents:
    """Create it on the loop, call it from any thread.

    `status_of` returns a request's status or raises `NotFound`. It is read when the event is sent, so that the last event is
    correct.
    """

    def __init__(self, announcer: EventBus, status_of: Callable[[RequestId], str]) -> None:
        self._announcer = announcer
        self._status_of = status_of
        self._loop = asyncio.get_running_loop()
        self._throttle = Throttle(self._flush, TOLD_EVERY_S)
        self._progress: dict[RequestId, StepProgress] = {}
        self._stopped = False

    def changed(self, request_id: RequestId, *, forgotten: bool = False) -> None:
        """Reports that a request changed, with its status or an empty one if it was forgotten."""
        self._loop.call_soon_threadsafe(self._change, request_id, forgotten)

    def ready(self, review: ReviewReady) -> None:
        """Reports that a mail waits in Review."""
        self._loop.call_soon_threadsafe(self._announcer.tell, review)

    def told(self, step: StepProgress) -> None:
        """Reports a step's progress. Only the last text of each request is sent."""
        self._loop.call_soon_threadsafe(self._ask, step)

    def stop(self) -> None:
        """Stops reporting, since the store may be closed afterwards."""
        self._stopped = True
        self._throttle.stop()
        self._progress.clear()

    def _change(self, request_id: RequestId, forgotten: bool) -> None:
        if self._stopped:
            return
        self._progress.pop(request_id, None)  # progress of the earlier state
        with suppress(ExpectedError):  # its account was just wiped, or the file is damaged, which is reported elsewhere
            self._announcer.tell(RequestChanged(request_id, "" if forgotten else self._status_of(request_id)))

    def _ask(self, step: StepProgress) -> None:
        self._progress[step.request_id] = step
        self._throttle.ask()

    def _flush(self) -> None:
        words, self._progress = self._progress, {}
        for step in words.values():
            self._announcer.tell(step)
