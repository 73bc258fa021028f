"""Async helpers for widgets: one task, one engine query, throttled calls and imports in a thread.

A new task or query cancels the older one, so a late answer never overwrites a newer one. Tasks end with their widget.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from importlib import import_module
from threading import Thread
from typing import Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from app.domain.errors import ExpectedError
from app.domain.ports.window import EngineLink
from app.domain.wire import Query


class AsyncTask:
    """Runs one coroutine at a time. It is cancelled when `owner` is destroyed."""

    def __init__(self, owner: QObject) -> None:
        self._task: asyncio.Task[object] | None = None
        owner.destroyed.connect(lambda: self.end())

    @property
    def under_way(self) -> bool:
        return self._task is not None and not self._task.done()

    def begin(self, work: Coroutine[object, object, object]) -> None:
        self.end()
        self._task = asyncio.ensure_future(work)

    def end(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()

    def release(self) -> None:
        """Lets the current task finish, so that another can begin."""
        self._task = None


def loop_runs() -> bool:
    """Whether the window's event loop runs and tasks can start."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def end_all(loop: asyncio.AbstractEventLoop) -> None:
    """Cancels all tasks of a stopped loop and waits until they end."""
    waiting = asyncio.all_tasks(loop)
    for task in waiting:
        task.cancel()
    if waiting:
        loop.run_until_complete(asyncio.gather(*waiting, return_exceptions=True))


class EngineQuestion(QObject):
    """Asks the engine one query at a time. Calls exactly one of `answered` and `failed`, and neither after `cancel`."""

    def __init__(self, link: EngineLink, parent: QObject) -> None:
        super().__init__(parent)
        self._link = link
        self._query_task = AsyncTask(parent)

    @property
    def busy(self) -> bool:
        return self._query_task.under_way

    def ask(self, query: Query, answered: Callable[[Any], object], failed: Callable[[ExpectedError], object]) -> None:
        """Sends a query. The callbacks run later on this thread; `answered` takes the query's kind of answer. Needs the window's
        running event loop.
        """

        async def wait() -> None:
            try:
                answer = await self._link.ask(query)
            except ExpectedError as error:
                self._query_task.release()  # before the callback, which may ask again at once
                failed(error)
                return
            self._query_task.release()
            answered(answer)

        self._query_task.begin(wait())

    def cancel(self) -> None:
        self._query_task.end()


class ThrottledCall(QObject):
    """Throttles `action`. It is called `first_ms` after the first `poke`, then at most once every `interval_ms`."""

    def __init__(self, action: Callable[[], None], interval_ms: int, parent: QObject, first_ms: int = 0) -> None:
        super().__init__(parent)
        self._action = action
        self._again = False
        self._interval_ms, self._first_ms = interval_ms, first_ms
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._fire)

    def poke(self) -> None:
        if self._timer.isActive():
            self._again = True
        else:
            self._timer.start(self._first_ms)

    def cancel(self) -> None:
        self._timer.stop()
        self._again = False

    def flush(self) -> None:
        if self._timer.isActive() and (self._timer.interval() == self._first_ms or self._again):
            self.cancel()
            self._action()

    def _fire(self) -> None:
        if self._timer.interval() == self._first_ms or self._again:
            self._again = False
            self._timer.start(self._interval_ms)
            self._action()


def single_shot(owner: QObject, call: Callable[[], object], interval_ms: int = 0) -> QTimer:
    """Makes a timer that calls once after each start."""
    timer = QTimer(owner, singleShot=True, interval=interval_ms)
    timer.timeout.connect(call)
    return timer


class LatePainting:
    """Paints what changes in `widget` a turn of the event loop after `release`. The old picture stays until then. So a page or a
    list does not stop the window for its reading and painting together. `before` is called in a turn of its own first.

    The timer starts last: a pane that fills itself in the next turn is painted with its page, not as a hole in it.
    """

    def __init__(self, widget: QWidget, before: Callable[[], object] | None = None) -> None:
        self._widget, self._before = widget, before
        self._painting = single_shot(widget, partial(widget.setUpdatesEnabled, True))
        self._filling = single_shot(widget, self._fill)

    def _fill(self) -> None:
        assert self._before is not None
        try:
            self._before()
        finally:  # painted also if that failed; started now, since Qt takes the timer first that has been due the longest
            self._painting.start()

    def hold(self) -> None:
        self._filling.stop()
        self._painting.stop()
        if self._widget.isVisible() and self._widget.updatesEnabled():
            self._widget.setUpdatesEnabled(False)

    def release(self, now: bool = False) -> None:
        """`now` paints in the same turn."""
        if now:
            self._widget.setUpdatesEnabled(True)
        else:
            (self._painting if self._before is None else self._filling).start()

    def __enter__(self) -> None:
        self.hold()

    def __exit__(self, *_error: object) -> None:
        self.release()


class BackgroundImport:
    """Imports a module in a thread from the first `ready` on.

    Python switches threads every few milliseconds, while an import on the window's thread blocks it throughout.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._thread: Thread | None = None

    def ready(self) -> bool:
        """Whether the module is imported. The first call starts the import and returns False."""
        if self._thread is None:
            self._thread = Thread(target=self._import, name="import")
            self._thread.start()
            return False
        return not self._thread.is_alive()

    def _import(self) -> None:
        with suppress(ImportError):
            import_module(self._module)
