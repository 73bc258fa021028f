"""Handlers of the window's own actions: open pages, write, search, sync, pause. Pages connect their own actions."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app.domain.protocol.commands import PauseAgents, SyncNow
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.navigation.places import PAGES
from app.ui.pages.archives import ArchivesController
from app.ui.pages.compose.new_letter import begin_letter
from app.ui.pages.shortcuts.page import CheatSheet
from app.ui.palette.palette import open_palette
from app.ui.window.event_handler import EventHandler

if TYPE_CHECKING:
    from app.ui.window.main_window import MainWindow


def connect_doings(window: "MainWindow", context: Context, hearing: EventHandler, back: Callable[[], None]) -> None:
    """Connects the window's actions. `back` goes from a detail to its list."""
    archives = ArchivesController(context, window)
    handlers: dict[str, Callable[[], object]] = {f"window.{name}": partial(window.show_page, name) for name in PAGES}
    handlers["window.search"] = partial(_to_search, window)
    handlers["window.compose"] = partial(begin_letter, context)
    handlers["window.palette"] = lambda: open_palette(
        context, window.name, window, lambda template: window.compose_page.put_template(template)
    )
    handlers["window.sync"] = lambda: context.link.send(SyncNow())
    handlers["window.sign_in"] = hearing.sign_in
    handlers["window.keys"] = lambda: CheatSheet(context.actions, window, lambda: window.show_page("shortcuts")).open()
    handlers["window.back"] = back
    handlers["window.quit"] = window.quitting.emit
    handlers["window.pause"] = lambda: context.link.send(PauseAgents(not hearing.paused))
    handlers["window.import"] = archives.choose
    connect_actions(window, context, handlers)


def _to_search(window: "MainWindow") -> None:
    if not window.search.isVisible():  # a page takes the whole window
        window.show_page("search")
    window.search.setFocus()
    window.search.selectAll()
