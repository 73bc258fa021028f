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
    """Opens other pages."""

    def show_page(self, name: str) -> None:
        """Opens a page, a mailbox view or a label by name."""

    def show_message(self, message_id: MessageId) -> None:
        """Opens the mail page at this message."""

    def show_review(self, review_id: ReviewId) -> None:
        """Opens Review at this item."""

    def show_run(self, run_id: RunId) -> None:
        """Opens Activity at this run."""

    def account(self) -> Account | None:
        """The account whose mail is on screen, else the first. None without an account."""

    def show_letter(self, letter: Letter) -> None:
        """Opens the editor with this letter, new or begun."""

    def leave_letter(self) -> None:
        """Returns to the page from which the editor was opened."""

    def make_rule(self, rule: RoutingRule) -> None:
        """Opens the rule editor with a new rule prefilled from `rule`."""

    def show_guide(self) -> None:
        """Opens the setup guide for a Google client, to add an account."""

    def search(self, text: str) -> None:
        """Opens the search page with the results for `text`."""

    def ask(self, text: str) -> None:
        """Opens the Assistant page and sends `text` as a request."""

    def show_settings(self, section: str, key: str = "") -> None:
        """Opens a section of the settings, at the setting with this key."""

    def restart(self) -> None:
        """Ends the program and starts it again, so that a setting applies to the whole window."""

    def forget_words(self) -> None:
        """Clears remembered searches and page positions after an account was forgotten."""


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
