"""One thing at a time that a widget waits for, begun on the window's event loop.

A newer errand takes the older one's place, and none outlives its widget: an answer that comes after the widget is gone would be
read from a closed file and shown nowhere.

One question to the engine at a time, answered on the window's event loop.

A newer question withdraws the older one, so that a late answer can never overwrite a newer one.

Coalesce bursts: many pokes become one call, at once the first time and then at most every `interval_ms`.
"""

import asyncio
from collections.abc import Callable, Coroutine

from PySide6.QtCore import QObject, QTimer

from app.domain.errors import ExpectedError
from app.domain.ports.window import EngineLink
from app.domain.protocol.commands import Answer, Query


class AsyncTask:
    """`owner` is the widget whose end ends the errand."""

    def __init__(self, owner: QObject) -> None:
        self._task: asyncio.Task[object] | None = None
        owner.destroyed.connect(lambda: self.end())

    @property
    def under_way(self) -> bool:
        """Whether something is awaited."""
        return self._task is not None and not self._task.done()

    def begin(self, work: Coroutine[object, object, object]) -> None:
        """Begin; what was awaited before is given up. Needs the window's event loop."""
        self.end()
        self._task = asyncio.ensure_future(work)

    def end(self) -> None:
        """Give up what is awaited."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()

    def release(self) -> None:
        """The answer came: what is under way finishes by itself, and another errand may begin meanwhile."""
        self._task = None


def loop_runs() -> bool:
    """Whether errands can be begun: the window's event loop is running."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def end_all(loop: asyncio.AbstractEventLoop) -> None:
    """The window ends and `loop` stands still: what is still awaited is given up while those who wait are there to hear it."""
    waiting = asyncio.all_tasks(loop)
    for task in waiting:
        task.cancel()
    if waiting:
        loop.run_until_complete(asyncio.gather(*waiting, return_exceptions=True))


class EngineQuestion(QObject):
    """Exactly one of `answered` and `failed` is called for a question, neither after `cancel`."""

    def __init__(self, link: EngineLink, parent: QObject) -> None:
        super().__init__(parent)
        self._link = link
        self._errand = AsyncTask(parent)

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._errand.under_way

    def ask(self, query: Query, answered: Callable[[Answer], object], failed: Callable[[ExpectedError], object]) -> None:
        """Ask; the calls come later, on this thread. Needs the window's running event loop."""
        self._errand.begin(self._wait(query, answered, failed))

    def cancel(self) -> None:
        """Withdraw the question."""
        self._errand.end()

    async def _wait(self, query: Query, answered: Callable[[Answer], object], failed: Callable[[ExpectedError], object]) -> None:
        try:
            answer = await self._link.ask(query)
        except ExpectedError as error:
            self._errand.release()  # not busy any more, so that a listener may ask again at once
            failed(error)
            return
        self._errand.release()
        answered(answer)


class ThrottledCall(QObject):
    """Calls `action` on the event loop after `poke`, never twice within the interval."""

    def __init__(self, action: Callable[[], None], interval_ms: int, parent: QObject) -> None:
        super().__init__(parent)
        self._action = action
        self._again = False
        self._interval_ms = interval_ms
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._fire)

    def poke(self) -> None:
        """Ask for a call."""
        if self._timer.isActive():
            self._again = True
        else:
            self._timer.start(0)

    def cancel(self) -> None:
        """Forget what was asked for."""
        self._timer.stop()
        self._again = False

    def flush(self) -> None:
        """Make the call now, if one is due."""
        if self._timer.isActive() and (self._timer.interval() == 0 or self._again):
            self.cancel()
            self._action()

    def _fire(self) -> None:
        if self._timer.interval() == 0 or self._again:
            self._again = False
            self._timer.start(self._interval_ms)
            self._action()
