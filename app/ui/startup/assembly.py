"""The pages by name, building them ahead of their first visit, and the window.

A first visit cost 300 ms, most of it imports. `PagePreloader` therefore imports page modules in a thread (Python switches threads
every few milliseconds, so the window keeps answering) and then builds the pages in short steps on the window's thread.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QLineEdit

from app.config.paths import DataFolder, resource
from app.domain.errors import ExpectedError
from app.domain.ports.window import EngineLink, MailboxReader
from app.domain.protocol.views import MailView
from app.ui.actions import build_actions, connect_actions
from app.ui.context import Context
from app.ui.navigation.places import LABEL
from app.ui.pages.base import Page
from app.ui.pages.shortcuts import KeyTable
from app.ui.services.async_task import single_shot
from app.ui.services.files import SettingsReader
from app.ui.session.pending_requests import RequestSession
from app.ui.session.session_store import last_page
from app.ui.session.typed_text import KeptLetters
from app.ui.startup.options import WindowOptions
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons
from app.ui.window.main_window import VIEWS, MainWindow
from app.ui.window.navigator import WindowNavigator
from app.ui.window.toast import Toast

PLAIN = {
    "mail": "mail.page:MailPage",
    "compose": "compose.page:ComposePage",
    "search": "search.page:SearchPage",
    "review": "review.page:ReviewPage",
    "today": "overview.today:TodayPage",
    "drafts": "compose.drafts:DraftsPage",
    "waiting": "overview.waiting:WaitingPage",
    "subscriptions": "overview.subscriptions:SubscriptionsPage",
    "templates": "templates:TemplatesPage",
    "shortcuts": "shortcuts:ShortcutsPage",
    "outbox": "outbox:OutboxPage",
    "changes": "outbox:ChangesPage",
    "assistant": "assistant.page:AssistantPage",
    "activity": "activity.page:ActivityPage",
    "memory": "memory.page:MemoryPage",
    "settings": "settings.page:SettingsPage",
    "welcome": "welcome.page:make_welcome_page",
}
"""Pages: their module in `app.ui.pages`, imported at the first visit, and what makes them from the context."""


def plain(place: str, context: Context) -> Page:
    module, _, name = place.partition(":")
    page: Page = getattr(import_module(f"app.ui.pages.{module}"), name)(context)
    return page


FACTORIES: dict[str, Callable[[Context], Page]] = {name: partial(plain, place) for name, place in PLAIN.items()}


LOOK_MS = 50
REST_MS = 120
"""Pause between two steps, so that user input comes first."""


class PagePreloader(QObject):
    """Imports modules and calls `read` in a thread, then runs the build steps singly. A step may return a tuple of more."""

    def __init__(
        self,
        modules: Sequence[str],
        steps: Sequence[Callable[[], object]],
        parent: QObject,
        read: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(parent)
        self._read = read
        self._modules = tuple(modules)
        self._steps = list(steps)
        self._stopped = False
        self._thread = Thread(target=self._import, name="warming", daemon=True)
        self._timer = single_shot(self, self._next)

    @property
    def done(self) -> bool:
        return not self._steps

    def start(self) -> None:
        self._thread.start()
        self._timer.start(LOOK_MS)

    def stop(self) -> None:
        """Cancels the remaining steps and waits for the import in progress."""
        self._stopped = True
        self._timer.stop()
        if self._thread.ident is not None:
            self._thread.join()

    def _import(self) -> None:
        for name in self._modules:
            if self._stopped:
                return
            with suppress(ImportError):  # the page that needs the module reports the error
                import_module(name)
        if not self._stopped:
            self._read()

    def _next(self) -> None:
        if self._thread.is_alive():
            self._timer.start(LOOK_MS)
            return
        if self._steps:
            self._timer.start(REST_MS)  # before the step, so that a failed step does not stop the others
            more = self._steps.pop(0)()
            self._steps[:0] = more if isinstance(more, tuple) else ()


def assemble(
    window: MainWindow,
    data: DataFolder,
    reader: MailboxReader,
    link: EngineLink,
    appearance: Appearance,
    icons: Icons,
    options: WindowOptions,
) -> None:
    window.setWindowIcon(QIcon(str(resource("icons", "replyroom.png"))))
    settings = SettingsReader(data.settings)
    actions: dict[str, QAction] = build_actions(icons.icon, window)
    toast = Toast(window, actions["window.undo"], icons.icon("close", "on_toast"))
    shell = WindowNavigator(window, toast)
    context = Context(
        reader=reader,
        link=link,
        appearance=appearance,
        icons=icons,
        actions=actions,
        notices=shell,
        navigator=shell,
        settings=settings.read,
        state=window.state,
        clock=options.clock,
        requests=RequestSession(link),
        open_link=lambda address: shell.open_link(address, options.open_link),
        save_folder=Path.home(),
        search_line=QLineEdit(),
        sample_command=options.sample_command,
    )
    window.assemble(context, FACTORIES)
    connect_actions(window, context, {"window.undo": shell.undo})
    window.stayed.connect(toast.dismiss)
    window.destroyed.connect(link.subscribe(window.hear))
    KeptLetters(context.state).resend(link)
    KeyTable(context.state, actions).apply()
    if options.sample:
        window.show_sample()
    window.show_page(options.page or first_page(context))
    appearance.dress(window)
    appearance.apply(appearance.choice, appearance.text_size)
    window.asked_to_write.connect(shell.write_to)
    if options.mailto:
        shell.write_to(options.mailto)


def first_page(context: Context) -> str:
    """Name of the page to open first. Welcome without mail, else the page left last, else Review; All mail for archives alone.
    An unreadable database does not stop the window: the page reports it and the engine repairs what it can.
    """
    name = last_page(context.state)
    with suppress(ExpectedError):
        if not context.reader.accounts():
            if not context.reader.archives():
                return "welcome"
            name = str(MailView.ALL) if name == "review" else name
    return name if name in FACTORIES or name in VIEWS or name.startswith(LABEL) else "review"
