"""What every page is handed: the ports, the looks, and the ways to reach its neighbours. Made once by `application`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction

from app.config.settings import Settings
from app.domain.agents.routing import RoutingRule
from app.domain.ids import MessageId, ReviewId
from app.domain.mail.letter import Letter
from app.domain.ports.agents import Clock
from app.domain.ports.window import EngineLink, MailboxReader
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons


class Notices(Protocol):
    """Short words over the page, with at most one way to act on them."""

    def tell(
        self, words: str, action: str = "", act: Callable[[], object] | None = None, for_ms: int = 5000, *, leads: bool = False
    ) -> None:
        """Show a notice; a newer one takes the older one's place. An action that `leads` elsewhere takes nothing back."""


class Navigator(Protocol):
    """The way to other pages."""

    def show_page(self, name: str) -> None:
        """Open a page by its name."""

    def show_message(self, message_id: MessageId) -> None:
        """Open the mail page at this message."""

    def show_review(self, review_id: ReviewId) -> None:
        """Open Review at this item."""

    def show_letter(self, letter: Letter) -> None:
        """Write this letter, begun or new."""

    def leave_letter(self) -> None:
        """Back to where writing began."""

    def make_rule(self, rule: RoutingRule) -> None:
        """Open the rules at a new one that begins with `rule`."""

    def show_guide(self) -> None:
        """Open the steps that lead to a Google client, for another account."""

    def search(self, text: str) -> None:
        """Show what a search finds."""

    def ask(self, text: str) -> None:
        """Hand a request to the assistant."""

    def choose_model(self) -> None:
        """Open the settings of the language model."""

    def forget_words(self) -> None:
        """Forget what was searched for and where the user was."""


@dataclass(frozen=True, slots=True)
class Context:
    """Handed to each page. `settings` reads the file again at each call; `state` is window.ini; `open_link` shows a
    web address in the system browser."""

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
    open_link: Callable[[str], object]
    save_folder: Path
    sample_command: tuple[str, ...] = ()
