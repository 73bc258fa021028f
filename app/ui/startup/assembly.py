"""Fills a window: actions, context, pages, notices and the user's own keys. Imported after the first frame."""

from contextlib import suppress
from pathlib import Path

from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QLineEdit

from app.config.paths import DataFolder, resource
from app.domain.errors import ExpectedError
from app.domain.ports.window import EngineLink, MailboxReader
from app.ui.actions import build_actions, connect_actions
from app.ui.context import Context
from app.ui.navigation.places import LABEL
from app.ui.pages.compose.autosave import KeptLetters
from app.ui.pages.shortcuts import KeyTable
from app.ui.services.files import SettingsReader
from app.ui.session.pending_requests import RequestSession
from app.ui.session.session_store import last_page
from app.ui.startup.options import WindowOptions
from app.ui.startup.page_registry import FACTORIES
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons
from app.ui.window.main_window import VIEWS, MainWindow
from app.ui.window.navigator import WindowNavigator
from app.ui.window.toast import Toast


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
    """Name of the page to open first. Welcome without an account, else the page left last, else Review. An unreadable database
    does not stop the window: the page reports it and the engine repairs what it can.
    """
    with suppress(ExpectedError):
        if not context.reader.accounts():
            return "welcome"
    name = last_page(context.state)
    return name if name in FACTORIES or name in VIEWS or name.startswith(LABEL) else "review"
