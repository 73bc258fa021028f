"""Handlers of the window's own actions: open pages, write, search, sync, pause. Pages connect their own actions."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QCoreApplication, SignalInstance
from PySide6.QtWidgets import QLineEdit, QWidget

from app.domain.protocol.commands import PauseAgents, SyncNow
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.navigation.places import INBOX_OF, PAGES, label_places
from app.ui.pages.archives import ArchivesController
from app.ui.pages.compose.new_letter import begin_letter, needs_gmail
from app.ui.pages.shortcuts import CheatSheet
from app.ui.palette import open_palette
from app.ui.services.notices import may_have_account
from app.ui.window.event_handler import EventHandler

if TYPE_CHECKING:
    from app.ui.pages.compose.page import ComposePage


class WindowProtocol(Protocol):
    name: str
    search: QLineEdit
    quitting: SignalInstance

    @property
    def compose_page(self) -> "ComposePage": ...

    def show_page(self, name: str) -> None: ...


def connect_doings(
    window: QWidget, ways: WindowProtocol, context: Context, hearing: EventHandler, back: Callable[[], None]
) -> None:
    """Connects the window's actions. `ways` is the window too; `back` goes from a detail to its list."""
    archives = ArchivesController(context, window)
    handlers: dict[str, Callable[[], object]] = {f"window.{name}": partial(ways.show_page, name) for name in PAGES}
    handlers["window.search"] = partial(_to_search, ways)
    handlers["window.compose"] = partial(begin_letter, context)
    handlers["window.palette"] = partial(_open_palette, window, ways, context)
    handlers["window.next_inbox"] = partial(_next_inbox, ways, context)
    handlers["window.sync"] = partial(_sync, context)
    handlers["window.sign_in"] = hearing.sign_in
    handlers["window.keys"] = lambda: CheatSheet(context.actions, window, lambda: ways.show_page("shortcuts")).open()
    handlers["window.back"] = back
    handlers["window.quit"] = ways.quitting.emit
    handlers["window.pause"] = lambda: context.link.send(PauseAgents(not hearing.paused))
    handlers["window.import"] = archives.choose
    connect_actions(window, context, handlers)


def _open_palette(window: QWidget, ways: WindowProtocol, context: Context) -> None:
    open_palette(context, ways.name, window, lambda one: ways.compose_page.put_template(one))


def _sync(context: Context) -> None:
    if may_have_account(context.reader.accounts):
        context.link.send(SyncNow())
    else:
        needs_gmail(context.notices, context.navigator, QCoreApplication.translate("Shell", "Only Gmail accounts sync."))


def _next_inbox(ways: WindowProtocol, context: Context) -> None:
    """Goes from the inbox of all accounts to that of the next one, and after the last one back to all."""
    names = ["inbox", *(one.name for one in label_places(context.reader) if one.name.startswith(INBOX_OF))]
    at = names.index(ways.name) + 1 if ways.name in names else 0
    if len(names) == at == 1:
        context.notices.tell(QCoreApplication.translate("Shell", "You have one inbox. Another account adds its own."))
    ways.show_page(names[at % len(names)])


def _to_search(ways: WindowProtocol) -> None:
    if not ways.search.isVisible():  # a page takes the whole window
        ways.show_page("search")
    ways.search.setFocus()
    ways.search.selectAll()
