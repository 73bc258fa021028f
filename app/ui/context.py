"""`Context`: what every page is built with. `app.ui.startup.assembly` makes it once."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit

from app.config.settings import Settings
from app.domain.agents.routing import RoutingRule
from app.domain.ids import MessageId, ReviewId, RunId
from app.domain.mail.letter import Letter
from app.domain.mail.message import Account
from app.domain.ports.agents import Clock
from app.domain.ports.window import EngineLink, MailboxReader
from app.domain.record import Record
from app.ui.session.pending_requests import RequestSession
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons

Words = str | Callable[[int], str]
"""The words of a notice, or what makes them from the seconds left."""


class Notices(Protocol):
    """Short notices over the page, with at most one action."""

    def tell(
        self,
        words: Words,
        action: str = "",
        act: Callable[[], object] | None = None,
        for_ms: int = 5000,
        *,
        leads: bool = False,
        undo: Callable[[], object] | None = None,
    ) -> None:
        """Shows a notice for `for_ms` milliseconds and replaces the one on screen. `action` labels a button that calls `act`.
        Any action is kept for Undo, also after its notice is gone, unless `leads` says that it opens something instead; Undo
        then does `undo`. The same `act` told again replaces the one before.
        """


class Navigator(Protocol):
    """Opens other pages.

    `show_page` takes the name of a page, a mailbox view or a label. `account` is the one whose mail is on screen, else the first.
    `leave_letter` returns to where the editor was opened. `make_rule` opens the editor of rules with a new one. `show_guide` sets
    up a Google client for another account. `ask` sends a request to the assistant. `restart` applies a setting to the whole
    window. `forget_words` clears remembered searches and positions after an account was forgotten.
    """

    def show_page(self, name: str) -> None: ...
    def show_message(self, message_id: MessageId) -> None: ...
    def show_review(self, review_id: ReviewId) -> None: ...
    def show_run(self, run_id: RunId) -> None: ...
    def account(self) -> Account | None: ...
    def show_letter(self, letter: Letter) -> None: ...
    def leave_letter(self) -> None: ...
    def make_rule(self, rule: RoutingRule) -> None: ...
    def show_guide(self) -> None: ...
    def search(self, text: str) -> None: ...
    def ask(self, text: str) -> None: ...
    def show_settings(self, section: str, key: str = "") -> None: ...
    def restart(self) -> None: ...
    def forget_words(self) -> None: ...


class Context(Record):
    """Dependencies of a page. `settings` reads the file again when it has changed; `state` is window.ini; `open_link` opens a
    web address in the system browser; `requests` are the assistant's without an answer; `save_folder` is where save dialogs
    start; `search_line` is the search field on top; `sample_command` starts the demo.
    """

    reader: MailboxReader
    link: EngineLink
    appearance: Appearance
    icons: Icons
    actions: Mapping[str, QAction]
    notices: Notices
    navigator: Navigator
    settings: Callable[[], Settings]
    state: QSettings
    clock: Clock
    requests: RequestSession
    open_link: Callable[[str], object]
    save_folder: Path
    search_line: QLineEdit
    sample_command: tuple[str, ...] = ()
