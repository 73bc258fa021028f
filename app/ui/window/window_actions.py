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
    context: Context
    name: str
    search: QLineEdit
    quitting: SignalInstance

    @property
    def compose_page(self) -> "ComposePage": ...

    def show_page(self, name: str) -> None: ...

    def go_back(self) -> None: ...


def connect_doings(parent: QWidget, window: WindowProtocol, hearing: EventHandler) -> None:
    """Connects the window's actions. `parent` is the window too."""
    context = window.context

    def sync() -> None:
        if may_have_account(context.reader.accounts):
            context.link.send(SyncNow())
        else:
            needs_gmail(context.notices, context.navigator, QCoreApplication.translate("Shell", "Only Gmail accounts sync."))

    def next_inbox() -> None:
        """Goes from the inbox of all accounts to that of the next one, and after the last one back to all."""
        names = ["inbox", *(one.name for one in label_places(context.reader) if one.name.startswith(INBOX_OF))]
        at = names.index(window.name) + 1 if window.name in names else 0
        if len(names) == at == 1:
            context.notices.tell(QCoreApplication.translate("Shell", "You have one inbox. Another account adds its own."))
        window.show_page(names[at % len(names)])

    def to_search() -> None:
        if not window.search.isVisible():  # a page takes the whole window
            window.show_page("search")
        window.search.setFocus()
        window.search.selectAll()

    handlers: dict[str, Callable[[], object]] = {f"window.{name}": partial(window.show_page, name) for name in PAGES}
    handlers["window.search"] = to_search
    handlers["window.compose"] = partial(begin_letter, context)
    handlers["window.palette"] = lambda: open_palette(
        context, window.name, parent, lambda one: window.compose_page.put_template(one)
    )
    handlers["window.next_inbox"] = next_inbox
    handlers["window.sync"] = sync
    handlers["window.sign_in"] = hearing.sign_in
    handlers["window.keys"] = lambda: CheatSheet(context.actions, parent, lambda: window.show_page("shortcuts")).open()
    handlers["window.back"] = window.go_back
    handlers["window.quit"] = window.quitting.emit
    handlers["window.pause"] = lambda: context.link.send(PauseAgents(not hearing.paused))
    handlers["window.import"] = ArchivesController(context, parent).choose
    connect_actions(parent, context, handlers)
