"""Notices, Undo and navigation of a window."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication

from app.domain.agents.routing import RoutingRule
from app.domain.ids import MessageId, ReviewId, RunId
from app.domain.mail.letter import Letter
from app.domain.mail.message import Account
from app.ui.context import Words
from app.ui.navigation.places import INBOX_OF, LABEL
from app.ui.services.notices import ErrorNotice
from app.ui.window.main_window import VIEWS, MainWindow
from app.ui.window.toast import Toast

if TYPE_CHECKING:
    from app.ui.pages.activity.page import ActivityPage
    from app.ui.pages.assistant.page import AssistantPage
    from app.ui.pages.settings.page import SettingsPage
    from app.ui.pages.welcome.page import WelcomePage


Step = Callable[[], object]
MOST = 50


class WindowNavigator:
    def __init__(self, window: MainWindow, toast: Toast) -> None:
        self._window, self.toast = window, toast
        self._undoing: list[Step] = []
        """The newest `MOST` steps that notices offered to undo. Each is taken once, by its notice or by the key."""
        self._came_from = ""
        window.account_forgotten.connect(self._undoing.clear)

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
        if act is not None and not leads:
            self._keep(act)
            act = partial(self._take, act)
        if undo is not None:
            self._keep(undo)
        self.toast.tell(words, action, act, for_ms, leads=leads)

    def _keep(self, step: Step) -> None:
        if step not in self._undoing:
            self._undoing.append(step)
            del self._undoing[:-MOST]

    def _take(self, step: Step) -> None:
        if step in self._undoing:
            self._undoing.remove(step)
            step()

    def undo(self) -> None:
        """Undoes the newest step, whether or not its notice is still shown."""
        self.toast.dismiss()
        if self._undoing:
            self._undoing.pop()()
        else:
            self.tell(QCoreApplication.translate("Shell", "Nothing to undo."))

    def show_page(self, name: str) -> None:
        self._window.show_page(name)

    def show_message(self, message_id: MessageId) -> None:
        with ErrorNotice(self):
            self._window.show_message(message_id)

    def show_review(self, review_id: ReviewId) -> None:
        with ErrorNotice(self):
            self._window.show_review(review_id)

    def show_run(self, run_id: RunId) -> None:
        self._window.show_page("activity")
        with ErrorNotice(self):
            cast("ActivityPage", self._window.page("activity")).open_run(run_id)

    def account(self) -> Account | None:
        window = self._window
        accounts, shown, here = window.accounts(), None, f"{window.name} "
        if window.name == "search":
            shown = window.search_page.reading.message
        elif window.name in VIEWS or window.name.startswith(LABEL):
            shown = window.mail_page.reading.message
        for one in accounts:
            if here.startswith(f"{INBOX_OF}{one.email} ") or (shown is not None and shown.account_id == one.id):
                return one
        return next(iter(accounts), None)

    def show_letter(self, letter: Letter) -> None:
        if self._window.name != "compose":
            self._came_from = self._window.name
        with ErrorNotice(self):
            self._window.compose_page.open(letter)
            self._window.show_page("compose")

    def leave_letter(self) -> None:
        self.show_page(self._came_from or "review")

    def make_rule(self, rule: RoutingRule) -> None:
        """Opens a rule in Settings. The page it was made from comes back when the rule is saved or given up."""
        back = partial(self._window.show_page, self._window.name)
        self._window.show_page("settings")
        cast("SettingsPage", self._window.page("settings")).begin_rule(rule, back)

    def show_guide(self) -> None:
        cast("WelcomePage", self._window.page("welcome")).add_account()
        self._window.show_page("welcome")

    def search(self, text: str) -> None:
        self._window.show_page("search")
        self._window.search_page.look_for(text)

    def ask(self, text: str) -> None:
        self._window.show_page("assistant")
        with ErrorNotice(self):
            cast("AssistantPage", self._window.page("assistant")).ask(text)

    def show_settings(self, section: str, key: str = "") -> None:
        page = cast("SettingsPage", self._window.page("settings"))
        page.show_section(section)
        self._window.show_page("settings")
        page.show_setting(section, key)

    def restart(self) -> None:
        self._window.restart()

    def forget_words(self) -> None:
        self._window.account_forgotten.emit()

    def open_link(self, address: str, elsewhere: Callable[[str], object]) -> bool:
        """Opens the editor for a `mailto:` address. Any other address goes to `elsewhere`. Returns whether it was opened."""
        if address[:7].lower() == "mailto:":
            self.write_to(address)
        elif elsewhere(address) is False:
            words = QCoreApplication.translate("Shell", "No browser opened for %1").replace("%1", address)
            copy = QCoreApplication.translate("Shell", "Copy link")
            self.tell(words, copy, lambda: QGuiApplication.clipboard().setText(address), 20_000, leads=True)
            return False
        return True

    def write_to(self, address: str) -> None:
        """Opens the editor with the letter that a `mailto:` address describes. It is never passed on to the system, which might
        open this program again.
        """
        from app.ui.pages.compose.new_letter import begin_letter, parse

        asked = parse(address)
        if asked is None:
            self.tell(QCoreApplication.translate("Shell", "This email address is too long to open."))
            return
        begin_letter(self._window.context, asked)
