"""One question to the engine at a time, answered on the window's event loop.

A newer question withdraws the older one, so that a late answer can never overwrite a newer one.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.domain.commands import Answer, Query
from app.domain.errors import ExpectedError
from app.domain.ports.window import EngineLink
from app.ui.errand import Errand


class Asker(QObject):
    """Exactly one of `answered` and `failed` is called for a question, neither after `cancel`."""

    def __init__(self, link: EngineLink, parent: QObject) -> None:
        super().__init__(parent)
        self._link = link
        self._errand = Errand(parent)

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
