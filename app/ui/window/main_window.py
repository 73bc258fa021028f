"""Where the window opens: in its stored place, inside the part of a screen that panels leave free."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QByteArray, QPoint, QRect, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QWidget

from app.domain.errors import ExpectedError
from app.domain.protocol.views import MailView
from app.ui.navigation.places import BELONGS, INBOX_OF, LABEL, PAGES, PART_OF_INBOX, SAVED, places
from app.ui.session.session_store import OF_NOBODY, WINDOW, SessionStore, session_file
from app.ui.theme.metrics import Space
from app.ui.window.first_frame import FOLD_BELOW

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QAction, QCloseEvent, QMoveEvent, QPaintEvent, QResizeEvent

    from app.domain.ids import MessageId, ReviewId
    from app.domain.wire import Event
    from app.ui.context import Context
    from app.ui.pages.base import Page
    from app.ui.pages.compose.page import ComposePage
    from app.ui.pages.mail.page import MailPage
    from app.ui.pages.review.page import ReviewPage
    from app.ui.pages.search.page import SearchPage
    from app.ui.session.session_store import PageState


USUAL = QSize(1280, 820)
TITLE_BAR, BORDER = 32, 4
"""Pixels kept for the window's frame, whose size is known only once the window is shown."""


def place_window(window: QWidget, stored: object) -> None:
    """Restores the stored geometry, which Qt moves onto a screen, or centres a window of the usual size."""
    if not isinstance(stored, QByteArray) or not window.restoreGeometry(stored):
        free = QGuiApplication.primaryScreen().availableGeometry().adjusted(BORDER, TITLE_BAR, -BORDER, -BORDER)
        size = USUAL.boundedTo(free.size())
        window.setGeometry(QRect(free.center() - QPoint(size.width() // 2, size.height() // 2), size))


RESTART = 11
"""Exit code of a window whose program starts again."""
DAY_LOOK_MS = 60_000
"""A new day is looked for: the computer may have slept over midnight or changed its time zone."""
SEARCH_WIDEST = 560
NEED_ACCOUNT = (
    "window.search",
    "window.palette",
    "window.compose",
    "window.keys",
    "window.sync",
    "window.pause",
    *(f"window.{page}" for page in PAGES),
)
"""Actions that do nothing before there is an account."""
VIEWS = {str(view): view for view in MailView if view is not MailView.DRAFTS}


class MainWindow(QMainWindow):
    """The main window. `first_painted` is emitted once; `closing` when the window is closed; `quitting` when the user quits the
    program. `state` is window.ini.
    """

    first_painted = Signal()
    closing = Signal()
    quitting = Signal()
    asked_to_write = Signal(str)
    """A `mailto:` address came from outside."""
    account_forgotten = Signal()
    """Searches and page positions must be forgotten too."""
    ended = Signal()
    """The window was hidden for the last time and the session must be saved."""
    stayed = Signal()
    """Escape was pressed and there was nothing to go back from."""
    counted = Signal(int, int, int)
    """Unread in the inbox, reviews that wait, outbox items that are held or uncertain."""

    def __init__(self, state: QSettings) -> None:
        super().__init__()
        self.state = state
        self.name = ""
        self.exit_code = 0
        self.was_closed = False
        self._painted = False
        self._assembled = self._whole_window = self._sample = False
        self._pages: dict[str, Page] = {}
        self.setWindowTitle("Replyroom")
        self.setMinimumSize(420, 480)
        place_window(self, state.value("window/geometry"))

    def assemble(self, context: "Context", pages: "dict[str, Callable[[Context], Page]]") -> None:
        """Builds everything inside the window. Before this call only its frame and position exist."""
        from PySide6.QtWidgets import QStackedWidget

        from app.domain.protocol.account_commands import CancelSignIn
        from app.ui.navigation.view import Navigation
        from app.ui.services.async_task import LatePainting
        from app.ui.window.event_handler import EventHandler
        from app.ui.window.status_bar import ModelBanner, SampleStrip, SignInBanner, StatusLine
        from app.ui.window.window_actions import connect_doings

        def clicked(index: "QModelIndex") -> None:
            """Opens a place. It may be marked already on behalf of a page that belongs to it."""
            place = self.navigation.places.places[index.row()].name
            if place and place != self.name:
                self.show_page(place)

        def leave_sample() -> None:
            from app.ui.pages.welcome.page import CONNECT_GMAIL

            self.exit_code = CONNECT_GMAIL
            self.quitting.emit()

        def says(event: "Event") -> bool:
            return any(page.says(event) for page in self._pages.values())

        self.context = context
        self.accounts = context.reader.accounts
        self.appearance = context.appearance
        self._factories = pages
        self._made: dict[str, Page] = {}
        """Pages made ahead that are not in the window yet."""
        self.status = StatusLine(context.icons)
        sign_in = context.actions["window.sign_in"]
        self.sample_strip = SampleStrip(context.icons, leave_sample)
        self.sample_strip.hide()
        self.model_banner = ModelBanner(context.icons, lambda: context.navigator.show_settings("model"))
        self.banner = SignInBanner(context.icons, sign_in, lambda: context.link.send(CancelSignIn()))
        self.navigation = Navigation(context.appearance, context.icons, places(), self.tr("Pages"))
        self.navigation.went.connect(self.show_page)
        self.navigation.clicked.connect(clicked)
        self.navigation.dropped.connect(lambda *filed: self.mail_page.changing.drop(*filed))
        self.search = context.search_line
        self._stack = QStackedWidget()
        self._painting = LatePainting(self._stack, lambda: cast("Page", self._stack.currentWidget()).fill())
        banners = (self.banner, self.model_banner)
        self._event_handler = EventHandler(context, self.status, banners, self.navigation, self._reveal, says, self)
        self._event_handler.counted.connect(self.counted)
        self._lay_out()
        connect_doings(self, self, self._event_handler)
        self._session = SessionStore(session_file(self.state), self)
        self._follow_window()
        self.account_forgotten.connect(self._forget_words)
        self._day = context.clock().astimezone().date()
        self._day_timer = QTimer(self, timerType=Qt.TimerType.VeryCoarseTimer)
        self._day_timer.timeout.connect(self._look_at_the_day)
        self._day_timer.start(DAY_LOOK_MS)
        self._assembled = True
        self.navigation.fold(self.width() < FOLD_BELOW)
        self._event_handler.counting.poke()

    @property
    def actions_by_id(self) -> "dict[str, QAction]":
        return dict(self.context.actions)

    @property
    def review_page(self) -> "ReviewPage":
        return cast("ReviewPage", self.page("review"))

    @property
    def mail_page(self) -> "MailPage":
        return cast("MailPage", self.page("mail"))

    @property
    def compose_page(self) -> "ComposePage":
        return cast("ComposePage", self.page("compose"))

    @property
    def search_page(self) -> "SearchPage":
        return cast("SearchPage", self.page("search"))

    def make_ahead(self, name: str) -> None:
        """Makes a page that is put into the window later."""
        if name not in self._pages and name not in self._made:
            self._made[name] = self._factories[name](self.context)

    def page(self, name: str) -> "Page":
        if name not in self._pages:
            self.make_ahead(name)
            page = self._made.pop(name)
            self._pages[name] = page
            self._stack.addWidget(page)
            page.restore_state(self._session.at(name))
            page.moved.connect(self._session.follow(name, page.save_state))
            page.listed.connect(self._event_handler.counting.poke)
            page.alone.connect(self._set_whole_window)
            for event in (*self._event_handler.connections.values(), self._event_handler.progress):
                if event is not None:
                    page.hear(event)
        return self._pages[name]

    def steps_ahead(self, name: str) -> "tuple[Callable[[], object], ...]":
        return self.page(name).steps_ahead()

    def show_page(self, name: str) -> None:
        """Shows a page. Names of mailbox views and of labels open the mail page. Without any mail there is only Welcome."""
        with self._painting:
            if not self._has_account():
                name = "welcome"
            leaves_search = self.name == "search" and name != "search"
            if name.startswith(SAVED):
                self._show_place("search")
                self.search_page.look_for(name.removeprefix(SAVED))
                self.navigation.mark(name)
            else:
                self._show_label(name) if name.startswith(LABEL) else self._show_place(name)
            if leaves_search:
                self.search.clear()  # over another list the search text would look like its filter

    def _show_place(self, name: str) -> None:
        self.name = name
        view = VIEWS.get(name)
        page = self.page("mail" if view else name)
        if view is not None:
            self.mail_page.show_view(view)  # before it is shown, because showing reads the list
        self._stack.setCurrentWidget(page)
        self.navigation.mark(BELONGS.get(name, name))
        self._reveal()
        self._moved()
        self._focus_page(page)

    def _show_label(self, name: str) -> None:
        self.name = name
        self._moved()
        self._stack.setCurrentWidget(self.mail_page)
        self.mail_page.search(name)
        own_split = name.startswith(PART_OF_INBOX) and not name.startswith(INBOX_OF)
        self.navigation.mark("inbox" if own_split else name)
        self._focus_page(self.mail_page)

    def show_message(self, message_id: "MessageId") -> None:
        self.show_page(str(MailView.ALL))
        self.mail_page.open_message(message_id)

    def show_review(self, review_id: "ReviewId") -> None:
        self.show_page("review")
        self.review_page.open(review_id)

    def hear(self, event: "Event") -> None:
        """Passes an event to the status line and to all pages. An error in one of them does not stop the others."""
        from app.ui.services.notices import ErrorBoundary, ErrorNotice

        self._event_handler.hear(event)
        for page in list(self._pages.values()):
            with ErrorBoundary(), ErrorNotice(self.context.notices):
                page.hear(event)

    def go_back(self) -> None:
        """Goes from a detail to its list in a narrow window. Else moves the focus to where work starts."""
        page = next((one for one in self._pages.values() if one is self._stack.currentWidget()), None)
        if page is not None and not page.go_back():
            self.stayed.emit()
            self._focus_page(page)

    def _focus_page(self, page: "Page") -> None:
        """Focuses the page's main widget, or the page. That widget may be invisible (an empty list, a detail in front)."""
        page.take_focus()
        held = self.focusWidget()
        if held is None or not (held is page or page.isAncestorOf(held)) or not held.isVisibleTo(page):
            page.setFocus()

    def _forget_words(self) -> None:
        self.search.clear()
        last = False
        with suppress(ExpectedError):  # while the database cannot be read the account is not gone either
            last = len(self.accounts()) < 2
        stays = () if last else OF_NOBODY
        for name, page in self._pages.items():
            if name not in stays:
                page.forget_words()
        self._session.forget(stays)
        if self.name.startswith(LABEL):
            self.show_page(str(MailView.INBOX))

    def _look_at_the_day(self) -> None:
        """Refreshes lists on a new day: today's times become dates."""
        day = self.context.clock().astimezone().date()
        if day != self._day:
            self._day = day
            for page in self._pages.values():
                page.touch()

    def bring_to_front(self) -> None:
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)  # a maximised one stays maximised
        self.show()
        self.raise_()
        self.activateWindow()

    def closeEvent(self, event: "QCloseEvent") -> None:
        """Saves position and session, then emits `closing`. Its listener decides whether the program ends."""
        if self._assembled:
            self._session.save()
        self.state.setValue("window/geometry", self.saveGeometry())
        self.state.sync()
        super().closeEvent(event)
        self.was_closed = True
        self.closing.emit()

    def resizeEvent(self, event: "QResizeEvent") -> None:
        super().resizeEvent(event)
        if self._assembled:
            self.navigation.fold(event.size().width() < FOLD_BELOW)
            self._moved()

    def paintEvent(self, event: "QPaintEvent") -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self.first_painted.emit()

    def _has_account(self) -> bool:
        from app.ui.services.notices import may_have_account

        return self._sample or may_have_account(self.accounts) or may_have_account(self.context.reader.archives)

    def _reveal(self) -> None:
        """Shows or hides header and navigation. They are hidden before the first account, and for a page that takes the whole
        window. Before the first account the actions of the window do nothing either.
        """
        there_is_mail = self._has_account()
        self.navigation.setVisible(there_is_mail and not self._whole_window)
        self._header.setVisible(there_is_mail and not self._whole_window)
        for name in NEED_ACCOUNT:
            self.context.actions[name].setEnabled(there_is_mail)

    def show_sample(self) -> None:
        """Marks the window as that of the sample mailbox, whose account comes with the first sync."""
        self._sample = True
        self.setWindowTitle(self.tr("Replyroom – Sample mailbox"))
        self.sample_strip.show()

    def restart(self) -> None:
        """Quits, and lets the program start itself again."""
        self.exit_code = RESTART
        self.quitting.emit()

    def _set_whole_window(self, alone: bool) -> None:
        self._whole_window = alone
        self._reveal()

    def _follow_window(self) -> None:
        """Restores the search text and follows the window's geometry. A killed window comes back in its place."""

        def place() -> "PageState":
            geometry = self.saveGeometry()
            if geometry != self.state.value("window/geometry"):
                self.state.setValue("window/geometry", geometry)
            page = self.name if self.name != "welcome" else self._session.at(WINDOW).get("page", "")
            return {"search": self.search.text(), "page": page}

        self.search.setText(str(self._session.at(WINDOW).get("search", "")))
        self.ended.connect(self._session.save)
        self._moved = moved = self._session.follow(WINDOW, place)
        self.search.textChanged.connect(lambda _text: moved())

    def moveEvent(self, event: "QMoveEvent") -> None:
        super().moveEvent(event)
        if self._assembled:
            self._moved()

    def _lay_out(self) -> None:
        from PySide6.QtWidgets import QLineEdit, QWidget

        from app.ui.editor.assistant_offer import hand_over_by_key
        from app.ui.widgets.action_buttons import KeyButton
        from app.ui.widgets.factory import STRETCH, RoleFrame, action_tool, clearable, column, named, row

        self._header = RoleFrame("header")
        named(self.search, self.tr("Search mail")).setPlaceholderText(self.tr("Search mail"))
        self.search.setProperty("role", "search")
        clearable(self.search, self.context.icons.icon("close"))
        self.search.setMaximumWidth(SEARCH_WIDEST)
        self.search.addAction(self.context.icons.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.returnPressed.connect(self._search)
        hand_over_by_key(self.search, self._ask_assistant)
        write = KeyButton(self.context.actions["window.compose"], "primary")
        names = ("window.pause", "window.sync", "window.keys", "window.settings")
        tools = [action_tool(self.context.actions[name]) for name in names]
        row(self._header, (Space.MEDIUM, Space.SMALL), Space.SMALL, write, (self.search, 1), STRETCH, *tools)
        middle = row(None, 0, 0, self.navigation, (self._stack, 1))
        central = QWidget()
        central.setProperty("role", "window")
        column(central, 0, 0, self.sample_strip, self.banner, self.model_banner, self._header, (middle, 1), self.status)
        self.setCentralWidget(central)

    def _ask_assistant(self, text: str) -> None:
        self.search.clear()
        self.context.navigator.ask(text)

    def _search(self) -> None:
        if text := self.search.text().strip():
            self.context.navigator.search(text)
