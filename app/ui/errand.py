"""One thing at a time that a widget waits for, begun on the window's event loop.

A newer errand takes the older one's place, and none outlives its widget: an answer that comes after the widget is gone would be
read from a closed file and shown nowhere. Refuses to say how an errand ended; the coroutine does that itself.
"""

import asyncio
from collections.abc import Coroutine

from PySide6.QtCore import QObject


class Errand:
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
