"""One question to the engine at a time, answered on the window's event loop.

A newer question withdraws the older one, so that a late answer can never overwrite a newer one.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.domain.commands import Answer, Query
from app.domain.errors import ExpectedError
from app.domain.ports.window import EngineLink

if TYPE_CHECKING:
    import asyncio


class Asker(QObject):
    """Exactly one of `answered` and `failed` is called for a question, neither after `cancel`."""

    def __init__(self, link: EngineLink, parent: QObject) -> None:
        super().__init__(parent)
        self._link = link
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._task is not None and not self._task.done()

    def ask(self, query: Query, answered: Callable[[Answer], object], failed: Callable[[ExpectedError], object]) -> None:
        """Ask; the calls come later, on this thread. Needs the window's running event loop."""
        import asyncio

        self.cancel()
        self._task = asyncio.get_running_loop().create_task(self._wait(query, answered, failed))

    def cancel(self) -> None:
        """Withdraw the question."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _wait(self, query: Query, answered: Callable[[Answer], object], failed: Callable[[ExpectedError], object]) -> None:
        import asyncio

        task = asyncio.current_task()
        try:
            answer = await self._link.ask(query)
        except ExpectedError as error:
            self._finish(task)
            failed(error)
            return
        self._finish(task)
        answered(answer)

    def _finish(self, task: "asyncio.Task[None] | None") -> None:
        """Not busy any more, so that a listener may ask again at once."""
        if self._task is task:
            self._task = None


def loop_runs() -> bool:
    """Whether questions can be asked: the window's event loop is running."""
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
