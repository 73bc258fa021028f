"""Pages in two steps: made, which takes Python's time, and put into the window, where Qt dresses them. Between the two the window
answers, so that no page stops it for as long as both together.

Refuses to make a page twice.
"""

from collections.abc import Callable, Mapping

from app.ui.context import Context
from app.ui.page import Page


class Making:
    """Holds pages that were made ahead until the window takes them."""

    def __init__(self, factories: Mapping[str, Callable[[Context], Page]], context: Context) -> None:
        self._factories = factories
        self._context = context
        self._made: dict[str, Page] = {}
        self._taken: set[str] = set()

    def ahead(self, name: str) -> None:
        """Make a page, unless it is there."""
        if name not in self._taken and name not in self._made:
            self._made[name] = self._factories[name](self._context)

    def take(self, name: str) -> Page:
        """A page for the window, made now if it was not made ahead; asked for once a page."""
        self.ahead(name)
        self._taken.add(name)
        return self._made.pop(name)
