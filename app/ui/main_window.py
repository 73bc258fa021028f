"""The shell: search on top, pages on the left, one page in the middle, the status line at the foot.

Builds a page when it is first shown. Passes events on and decides nothing.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QCloseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QMainWindow, QStackedWidget, QWidget

from app.domain.commands import PauseAgents, SyncNow
from app.domain.events import (
    CommandFailed,
    ConnectionChanged,
    EngineReady,
    Event,
    IndexProgress,
    MailChanged,
    OutboxChanged,
    ReviewDecided,
    ReviewReady,
    SettingsChanged,
    SyncProgress,
    Trouble,
    WorkChanged,
)
from app.domain.ids import MessageId, ReviewId
from app.domain.ports.window import MailView
from app.ui.actions import connect_actions
from app.ui.appearance import Appearance
from app.ui.archives import Archives
from app.ui.build import action_tool, column, frame, row
from app.ui.cheat_sheet import CheatSheet
from app.ui.compose.starting import new_letter
from app.ui.context import Context
from app.ui.key_button import KeyButton
from app.ui.navigation import Navigation
from app.ui.page import Page
from app.ui.palette.opening import open_palette
from app.ui.places import LABEL, PAGES, label_places, places
from app.ui.scale import Space
from app.ui.status import StatusLine
from app.ui.throttle import Throttle
from app.ui.trouble import sentence

if TYPE_CHECKING:
    from app.ui.compose.page import ComposePage
    from app.ui.mail.page import MailPage
    from app.ui.review.page import ReviewPage
    from app.ui.search.page import SearchPage

FOLD_BELOW = 1000
SEARCH_WIDEST = 560
COUNT_MS = 250
VIEWS = {str(view): view for view in MailView if view is not MailView.DRAFTS}


class MainWindow(QMainWindow):
    """`first_painted` is emitted once, after the first painting reached the screen; `closing` when it is closed,
    `quitting` when the user wants everything to end."""

    first_painted = Signal()
    closing = Signal()
    quitting = Signal()

    def __init__(self, context: Context, pages: dict[str, Callable[[Context], Page]]) -> None:
        super().__init__()
        self._context = context
        self.accounts = context.reader.accounts
        self._factories = pages
        self._pages: dict[str, Page] = {}
        self._painted = False
        self._archives = Archives(context, self)
        self._paused = False
        self._connection: ConnectionChanged | None = None
        self.name = ""
        self.setWindowTitle("Replyroom")
        self.setMinimumSize(420, 480)
        self.status = StatusLine(context.icons)
        self.navigation = Navigation(context.appearance, context.icons, places(), self.tr("Pages"))
        self.navigation.went.connect(self.show_page)
        self.search = QLineEdit()
        self._stack = QStackedWidget()
        self._counting = Throttle(self._count, COUNT_MS, self)
        self._lay_out()
        self._connect_actions()
        geometry = context.state.value("window/geometry")
        if geometry is None or not self.restoreGeometry(geometry):
            self.resize(1280, 820)

    @property
    def actions_by_id(self) -> dict[str, QAction]:
        """Every action of the table."""
        return dict(self._context.actions)

    @property
    def appearance(self) -> Appearance:
        """What the window looks like."""
        return self._context.appearance

    @property
    def review_page(self) -> "ReviewPage":
        """The review page, built if need be."""
        return cast("ReviewPage", self.page("review"))

    @property
    def mail_page(self) -> "MailPage":
        """The mail page, built if need be."""
        return cast("MailPage", self.page("mail"))

    @property
    def compose_page(self) -> "ComposePage":
        """The page on which letters are written, built if need be."""
        return cast("ComposePage", self.page("compose"))

    @property
    def search_page(self) -> "SearchPage":
        """The page of search results, built if need be."""
        return cast("SearchPage", self.page("search"))

    def page(self, name: str) -> Page:
        """A page by name, built on first use."""
        if name not in self._pages:
            page = self._factories[name](self._context)
            self._pages[name] = page
            self._stack.addWidget(page)
            if self._connection is not None:
                page.hear(self._connection)
        return self._pages[name]

    def show_page(self, name: str) -> None:
        """Go to a page; the names of the mailbox's views and of labels open the mail page."""
        if name.startswith(LABEL):
            self._show_label(name)
            return
        self.name = name
        view = VIEWS.get(name)
        page = self.page("mail" if view else name)
        self._stack.setCurrentWidget(page)
        if view is not None:
            self.mail_page.show_view(view)
        self.navigation.mark(name)
        self._reveal(name != "welcome" or bool(self._context.reader.accounts()))
        if name != "welcome":
            self._context.state.setValue("window/page", name)
        page.take_focus()

    def _show_label(self, name: str) -> None:
        """The mail of a label, with everything that can be done to it."""
        self.name = name
        self._stack.setCurrentWidget(self.mail_page)
        self.mail_page.search(name)
        self.navigation.mark(name)
        self.mail_page.take_focus()

    def show_message(self, message_id: MessageId) -> None:
        """Read a message in All mail."""
        self.show_page(str(MailView.ALL))
        self.mail_page.open_message(message_id)

    def show_review(self, review_id: ReviewId) -> None:
        """Open an item of the queue."""
        self.show_page("review")
        self.review_page.open(review_id)

    def hear(self, event: Event) -> None:
        """Pass an event to the status line and to the pages."""
        self._to_status(event)
        if isinstance(event, CommandFailed | Trouble):
            self._context.notices.tell(sentence(event.code, event.detail, event.remedy), for_ms=10_000)
        if isinstance(event, MailChanged | ReviewReady | ReviewDecided | OutboxChanged | EngineReady):
            self._counting.poke()
        for page in list(self._pages.values()):
            page.hear(event)

    def come_forward(self) -> None:
        """A second start asked for the window."""
        self.showNormal() if self.isMinimized() else self.show()
        self.raise_()
        self.activateWindow()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the place; who made the window decides what closing means."""
        self._context.state.setValue("window/geometry", self.saveGeometry())
        self._context.state.sync()
        super().closeEvent(event)
        self.closing.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold the navigation when there is little room."""
        super().resizeEvent(event)
        self.navigation.fold(event.size().width() < FOLD_BELOW)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tell of the first painting."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self._counting.poke()
            self.first_painted.emit()

    def _to_status(self, event: Event) -> None:
        status = self.status
        if isinstance(event, EngineReady):
            status.engine_up(event.model_label)
        elif isinstance(event, ConnectionChanged):
            self._connection = event
            status.connection_changed(event)
        elif isinstance(event, SyncProgress):
            status.sync_progress(event)
        elif isinstance(event, IndexProgress):
            status.index_progress(event)
        elif isinstance(event, WorkChanged):
            status.work_changed(event)
            self._paused_changed(event.paused)
        elif isinstance(event, SettingsChanged):
            status.set_model(event.model_label)
            self._look_again()

    def _count(self) -> None:
        self._reveal(self.name != "welcome" or bool(self._context.reader.accounts()))
        counts = self._context.reader.counts()
        self.navigation.set_labels(label_places(self._context.reader))
        model = self.navigation.places
        model.set_count("review", counts.pending_reviews, strong=True)
        model.set_count("inbox", counts.inbox_unread, strong=False)
        model.set_count("outbox", counts.outbox_waiting + counts.outbox_attention, strong=counts.outbox_attention > 0)
        self.status.set_pending(counts.outbox_waiting, counts.outbox_attention)

    def _lay_out(self) -> None:
        self._header = frame("header")
        top = row(self._header, 0, Space.SMALL)
        top.setContentsMargins(Space.MEDIUM, Space.SMALL, Space.MEDIUM, Space.SMALL)
        self.search.setProperty("role", "search")
        self.search.setPlaceholderText(self.tr("Search mail"))
        self.search.setAccessibleName(self.tr("Search mail"))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(SEARCH_WIDEST)
        self.search.addAction(self._context.icons.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.returnPressed.connect(self._search)
        write = KeyButton(self._context.actions["window.compose"], "primary")
        top.addWidget(write)
        top.addWidget(self.search, 1)
        top.addStretch(1)
        for name in ("window.pause", "window.sync", "window.keys", "window.settings"):
            top.addWidget(action_tool(self._context.actions[name]))
        middle = row(None, 0, 0)
        middle.addWidget(self.navigation)
        middle.addWidget(self._stack, 1)
        central = QWidget()
        central.setProperty("role", "window")
        layout = column(central, 0, 0)
        layout.addWidget(self._header)
        layout.addLayout(middle, 1)
        layout.addWidget(self.status)
        self.setCentralWidget(central)

    def _search(self) -> None:
        text = self.search.text().strip()
        if not text:
            return
        self._context.navigator.search(text)

    def _connect_actions(self) -> None:
        handlers: dict[str, Callable[[], object]] = {f"window.{name}": self._goer(name) for name in PAGES}
        handlers["window.search"] = self._to_search
        handlers["window.compose"] = self._compose
        handlers["window.palette"] = self._open_palette
        handlers["window.sync"] = lambda: self._context.link.send(SyncNow())
        handlers["window.keys"] = lambda: CheatSheet(self._context.actions, self, lambda: self.show_page("shortcuts")).open()
        handlers["window.back"] = self._back
        handlers["window.quit"] = self.quitting.emit
        handlers["window.pause"] = self._toggle_pause
        handlers["window.import"] = self._archives.choose
        connect_actions(self, self._context.actions, handlers)

    def _goer(self, name: str) -> Callable[[], None]:
        return lambda: self.show_page(name)

    def _reveal(self, there_is_mail: bool) -> None:
        """Before the first account there is nothing to search and nowhere to go."""
        self.navigation.setVisible(there_is_mail)
        self._header.setVisible(there_is_mail)

    def _compose(self) -> None:
        accounts = self.accounts()
        if accounts:
            self._context.navigator.show_letter(new_letter(accounts[0].id))

    def _open_palette(self) -> None:
        open_palette(self._context, self.name, self, lambda one: self.compose_page.put_template(one))

    def _to_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def _toggle_pause(self) -> None:
        self._context.link.send(PauseAgents(not self._paused))

    def _paused_changed(self, paused: bool) -> None:
        self._paused = paused
        action = self._context.actions["window.pause"]
        action.setText(self.tr("Let the assistant go on") if paused else self.tr("Pause the assistant"))
        action.setIcon(self._context.icons.icon("play" if paused else "pause"))

    def _look_again(self) -> None:
        """The settings file was written: theme and text size may be others."""
        looks = self._context.settings().appearance
        wanted = (looks.theme, looks.text_percent / 100)
        if wanted != (self.appearance.choice, self.appearance.text_size):
            self.appearance.apply(*wanted)

    def _back(self) -> None:
        page = self._stack.currentWidget()
        if isinstance(page, Page) and not page.go_back():
            page.take_focus()
