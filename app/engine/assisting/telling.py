"""What the window is told of requests, from whatever thread: that one changed, and what a step is doing right now."""

import asyncio

from app.domain.assistant_commands import RequestChanged, StepTold
from app.domain.events import ReviewReady
from app.domain.ids import RequestId
from app.engine.announcer import Announcer
from app.engine.pace import Pace

TOLD_EVERY_S = 0.25
"""Between two words on what steps are doing: more would not be read."""


class Telling:
    """Make it on the loop; call it from anywhere."""

    def __init__(self, announcer: Announcer) -> None:
        self._announcer = announcer
        self._loop = asyncio.get_running_loop()
        self._pace = Pace(self._say, TOLD_EVERY_S)
        self._words: dict[RequestId, StepTold] = {}

    def changed(self, request_id: RequestId, status: str) -> None:
        """Read it again; `status` is its status, empty where it was forgotten."""
        self._loop.call_soon_threadsafe(self._change, RequestChanged(request_id, status))

    def ready(self, review: ReviewReady) -> None:
        """A mail waits in Review."""
        self._loop.call_soon_threadsafe(self._announcer.tell, review)

    def told(self, step: StepTold) -> None:
        """Words that pass; of one request only the last count."""
        self._loop.call_soon_threadsafe(self._ask, step)

    def stop(self) -> None:
        """Nobody listens any more."""
        self._pace.stop()
        self._words.clear()

    def _change(self, event: RequestChanged) -> None:
        self._words.pop(event.request_id, None)  # they are about what went before
        self._announcer.tell(event)

    def _ask(self, step: StepTold) -> None:
        self._words[step.request_id] = step
        self._pace.ask()

    def _say(self) -> None:
        words, self._words = self._words, {}
        for step in words.values():
            self._announcer.tell(step)
