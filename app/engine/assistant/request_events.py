"""What the window is told of requests, from whatever thread: that one changed, and what a step is doing right now."""

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
"""Between two words on what steps are doing: more would not be read."""


class RequestEvents:
    """Make it on the loop; call it from anywhere. `status_of` gives how a request stands, or raises `NotFound`; it is read at the
    moment of telling, so that what is told last is what stands."""

    def __init__(self, announcer: EventBus, status_of: Callable[[RequestId], str]) -> None:
        self._announcer = announcer
        self._status_of = status_of
        self._loop = asyncio.get_running_loop()
        self._pace = Throttle(self._say, TOLD_EVERY_S)
        self._words: dict[RequestId, StepProgress] = {}
        self._over = False

    def changed(self, request_id: RequestId, *, forgotten: bool = False) -> None:
        """It is to be read again; its status is told, or none where it was forgotten."""
        self._loop.call_soon_threadsafe(self._change, request_id, forgotten)

    def ready(self, review: ReviewReady) -> None:
        """A mail waits in Review."""
        self._loop.call_soon_threadsafe(self._announcer.tell, review)

    def told(self, step: StepProgress) -> None:
        """Words that pass; of one request only the last count."""
        self._loop.call_soon_threadsafe(self._ask, step)

    def stop(self) -> None:
        """Nobody listens any more, and the store may be closed."""
        self._over = True
        self._pace.stop()
        self._words.clear()

    def _change(self, request_id: RequestId, forgotten: bool) -> None:
        if self._over:
            return
        self._words.pop(request_id, None)  # they are about what went before
        with suppress(ExpectedError):  # its account was wiped in this moment, or the file is damaged, which is told elsewhere
            self._announcer.tell(RequestChanged(request_id, "" if forgotten else self._status_of(request_id)))

    def _ask(self, step: StepProgress) -> None:
        self._words[step.request_id] = step
        self._pace.ask()

    def _say(self) -> None:
        words, self._words = self._words, {}
        for step in words.values():
            self._announcer.tell(step)
