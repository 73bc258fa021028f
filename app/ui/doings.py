"""What the window's own actions do: go somewhere, write, search, sync, pause. Pages connect theirs themselves."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QLineEdit, QWidget

from app.domain.commands import PauseAgents, SyncNow
from app.ui.actions import connect_actions
from app.ui.archives import Archives
from app.ui.cheat_sheet import CheatSheet
from app.ui.compose.starting import begin_letter
from app.ui.context import Context
from app.ui.hearing import Hearing
from app.ui.palette.opening import open_palette
from app.ui.places import PAGES

if TYPE_CHECKING:
    from app.ui.compose.page import ComposePage


class Ways(Protocol):
    """What the actions need of the window."""

    name: str
    search: QLineEdit
    quitting: SignalInstance

    @property
    def compose_page(self) -> "ComposePage":
        """Where letters are written."""

    def show_page(self, name: str) -> None:
        """Go to a page."""


def connect_doings(window: QWidget, ways: Ways, context: Context, hearing: Hearing, back: Callable[[], None]) -> None:
    """Give the window its actions; `ways` is the window as well, `back` leads from a detail to its list."""
    archives = Archives(context, window)
    handlers: dict[str, Callable[[], object]] = {f"window.{name}": partial(ways.show_page, name) for name in PAGES}
    handlers["window.search"] = partial(_to_search, ways)
    handlers["window.compose"] = partial(begin_letter, context)
    handlers["window.palette"] = partial(_open_palette, window, ways, context)
    handlers["window.sync"] = lambda: context.link.send(SyncNow())
    handlers["window.sign_in"] = hearing.sign_in
    handlers["window.keys"] = lambda: CheatSheet(context.actions, window, lambda: ways.show_page("shortcuts")).open()
    handlers["window.back"] = back
    handlers["window.quit"] = ways.quitting.emit
    handlers["window.pause"] = lambda: context.link.send(PauseAgents(not hearing.paused))
    handlers["window.import"] = archives.choose
    connect_actions(window, context, handlers)


def _open_palette(window: QWidget, ways: Ways, context: Context) -> None:
    open_palette(context, ways.name, window, lambda one: ways.compose_page.put_template(one))


def _to_search(ways: Ways) -> None:
    if not ways.search.isVisible():  # a page has the window for itself
        ways.show_page("search")
    ways.search.setFocus()
    ways.search.selectAll()
