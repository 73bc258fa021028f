"""The Review page: the queue on the left, the current review on the right; fully usable by keyboard."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.domain.drafting.review import Review, ReviewRow, ReviewSection, ReviewStatus
from app.domain.ids import ReviewId
from app.domain.protocol.events import (
    CommandFailed,
    ConnectionChanged,
    MailChanged,
    ReviewDecided,
    ReviewReady,
    SyncProgress,
    WorkChanged,
)
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.pages.base import Page
from app.ui.pages.review.decisions import Decisions
from app.ui.pages.review.desk import ReviewDesk
from app.ui.pages.review.detail_panel import DetailPanel
from app.ui.pages.review.queue import FocusMode, ReviewList, show_empty
from app.ui.session.session_store import PageState
from app.ui.widgets.containers import end_with
from app.ui.widgets.factory import column
from app.ui.widgets.split_view import EmptyState, ListAndDetail, Stack


class ReviewPage(Page):
    """Page of waiting and decided reviews. The demo session drives it by `open`, `current_review`, `set_body` and
    `fill_slots`.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context, "review", self.tr("Review"))
        self._checking = False
        self._syncing: SyncProgress | None = None
        self._decisions = Decisions(context, self.touch_now, self.open)
        self.queue = ReviewList(context)
        self.queue.chosen.connect(self._choose)
        self.queue.model.unreadable.connect(self._cover_with, Qt.ConnectionType.QueuedConnection)
        self._keep_place(self.queue.list)
        self.queue.opened.connect(lambda: self._for_one(self.deciding.edit))
        self.queue.clicked.connect(lambda: self._panes.show_detail())
        self.queue.switched.connect(lambda: self._guard(self.refresh))
        self.desk = DetailPanel(context)
        self.desk.left.connect(self._focus_after_bar)
        end_with(self, self.desk)
        self.deciding: ReviewDesk = ReviewDesk(
            context, self.desk, self._decisions, lambda: self._panes.show_detail(), self.take_focus, lambda: not self._empty
        )
        self.desk.back.connect(self.go_back)
        self.desk.offered.connect(self._offer_for_picked)
        self.queue.list.marked.connect(self._show_picked)
        self._told: ReviewId | None = None
        """The outdated draft that was told of."""
        self.state = EmptyState(context.icons)
        self._detail_stack = Stack(self.state)
        self.focus_mode = FocusMode(context.actions["review.focus"])
        detail = QWidget()
        column(detail, 0, 0, self.focus_mode, (self._detail_stack, 1))
        self._panes: ListAndDetail = ListAndDetail(self.queue, detail, context.state, "review")
        self._detail_stack.currentChanged.connect(lambda at: self._panes.show_empty(self.queue.list, at == 0))
        self.focus_mode.turned.connect(self._panes.focus_detail)
        self.focus_mode.turned.connect(self.alone)
        self.covered.connect(lambda: self.focus_mode.turn(False))
        # focus mode has its own button to leave
        self._panes.folded.connect(self._show_back)
        column(self).addWidget(self._panes)
        self._connect_actions()

    def _show_back(self, narrow: bool) -> None:
        self.desk.set_back_visible(narrow and not self.focus_mode.on)

    def _choose(self, key: int) -> None:
        self._guard(partial(self._show, ReviewId(key)))

    def open(self, review_id: ReviewId) -> None:
        if self.queue.row_of(review_id) < 0:
            self._guard(self.refresh)
        if self.queue.row_of(review_id) >= 0:
            self.queue.mark(self.queue.row_of(review_id))
        self._guard(partial(self._show, review_id))
        self._panes.show_detail()

    def current_review(self) -> Review | None:
        return self.deciding.review

    @property
    def _empty(self) -> bool:
        return self._detail_stack.currentIndex() == 0

    def steps_ahead(self) -> tuple[Callable[[], object], ...]:
        return (self._put_desk,)

    def _put_desk(self) -> None:
        """Puts the desk into its place, with the first item or ahead. With the page it would stop the window twice as long."""
        if self.desk.parent() is None:
            self._detail_stack.addWidget(self.desk)
            if not self.isVisible():  # a visible page would lay it out twice when it shows the first item
                self._detail_stack.setCurrentIndex(1)

    def refresh(self) -> None:
        """Reads the queue again. The current review stays, else the one in its row follows.

        A draft that is being edited stays also when it waits no more: the next letters must not be typed into another one.
        """
        before, current = max(self.queue.list.current_row(), 0), self.current_review()
        if self._back_to:
            self.queue.pending = not self._back_to.get("decided")
        held = self._outdated(current) if current is not None and self.desk.typing else False
        blocked = self.queue.list.blockSignals(held)
        self.queue.read(self._decisions.unconfirmed)
        self.queue.list.blockSignals(blocked)
        self.focus_mode.show_left(self.queue.count)
        if held:
            self.queue.list.clearSelection()
            return
        if not self.queue.count:
            show_empty(self.state, self.context, self.queue.pending, self._checking, self._syncing)
            self._detail_stack.setCurrentIndex(0)
            self._panes.show_empty(self.queue.list, True)  # the stack begins so, and then tells of no change
            return
        at = self.queue.row_of(current.id) if current is not None else self.queue.list.saved_row(self._back_to)
        review_id = self.queue.mark(at if at >= 0 else min(before, self.queue.count - 1))
        if self.desk.review is not None or self.updatesEnabled():
            self._show(review_id, again=at >= 0)

    def fill(self) -> None:
        """Shows the first item on the first visit."""
        if self.desk.review is None and self.queue.count:
            self._choose(self.queue.model.id_at(self.queue.list.current_row()))

    def _outdated(self, review: Review) -> bool:
        """Whether the conversation went on without this draft. Says so once."""
        found = self.context.reader.review(review.id)
        if found is None or found.status is not ReviewStatus.SUPERSEDED:
            return False
        if self._told != review.id:
            self._told = review.id
            words = self.tr("A new message came in this conversation, so this draft is not sent. Copy what you still need.")
            self.context.notices.tell(words, for_ms=10_000)
        return True

    def save_state(self) -> PageState:
        return self._back_to or {**super().save_state(), "decided": int(not self.queue.pending)}

    def _leave(self) -> None:
        self.deciding.flush()
        self.focus_mode.turn(False)
        self.queue.forget_order()

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, ReviewReady | ReviewDecided | MailChanged | CommandFailed)

    def hear(self, event: Event) -> None:
        """Also tracks decisions, even while hidden."""
        self._decisions.hear(event)
        if isinstance(event, ConnectionChanged):
            self.deciding.note()
        elif isinstance(event, SyncProgress):
            self._syncing = event
            if not self.queue.count:
                self.touch()
        elif isinstance(event, WorkChanged):
            before, self._checking = self._checking, not event.paused and event.queued + event.running > 0
            if self._checking is not before and not self.queue.count:
                self.touch()
        super().hear(event)

    def take_focus(self) -> None:
        """Focuses the queue. In a narrow window with the panel open, focuses the message, or the panel if the message is
        hidden.
        """
        if not (self._panes.narrow and self._panes.detail_shown):
            self.queue.list.setFocus()
        elif self.desk.original.isVisibleTo(self):
            self.desk.original.take_focus()
        else:
            self.desk.setFocus()

    def _focus_after_bar(self) -> None:
        if self.isVisible():
            self.take_focus()

    def go_back(self) -> bool:
        if self.deciding.close_bars():
            return True
        if self.focus_mode.on:
            if not self.desk.typing:  # the first Escape leaves the text
                self.focus_mode.turn(False)
            self.take_focus()
            return True
        return self._panes.go_back(self.queue.list)

    def _approve(self, approve: Callable[[], object]) -> None:
        picked = self.queue.picked()
        if any(row.section is not ReviewSection.NOTICE for row in picked):
            self.context.notices.tell(self.tr("Approve drafts one at a time."))
        elif picked:
            self._dismiss(picked)
        else:
            approve()

    def _for_one(self, handler: Callable[[], object]) -> None:
        """Calls what changes the shown item only, unless others are selected."""
        picked = len(self.queue.picked())
        if picked:
            self.context.notices.tell(self.tr("%n item(s) selected. Click one item to work on it alone.", "", picked))
        else:
            handler()

    def _show_picked(self) -> None:
        self.queue.show_count()
        if self.isVisible() and not self._empty:
            self.desk.offer()

    def _offer_for_picked(self) -> None:
        """While several items are selected, disables what would change only the shown one."""
        picked, actions = self.queue.picked(), self.context.actions
        if not picked:
            return
        together = all(row.section is ReviewSection.NOTICE for row in picked)
        for name in ("approve", "approve_other", "edit", "changes", "save", "later", "write"):
            actions[f"review.{name}"].setEnabled(name == "approve" and together)
        actions["review.reject"].setEnabled(True)
        for name in ("review.approve", "review.reject") if together else ("review.reject",):
            actions[name].setText(self.tr("Dismiss selected"))
        actions["review.approve"].setIconText(actions["review.approve"].text())

    def _dismiss(self, rows: Sequence[ReviewRow]) -> None:
        """Dismisses or rejects several items with one undo."""
        if rows:
            self.take_focus()
            self._decisions.dismiss(rows)

    def _show(self, review_id: ReviewId, again: bool = False) -> None:
        review = self.context.reader.review(review_id)
        if review is not None and not (again and self.desk.review == review and not self._empty):
            self._put_desk()
            self.deciding.show(review)
            self._detail_stack.setCurrentIndex(1)

    def _ask_reason(self) -> None:
        picked = self.queue.picked()
        if picked:
            self._dismiss(picked)
        else:
            self.deciding.ask_reason()

    def _step(self, by: int) -> None:
        if self.queue.count and not self.queue.step(by):
            self.context.notices.tell(self.tr("This is the last item.") if by > 0 else self.tr("This is the first item."))

    def _toggle_focus_mode(self) -> None:
        """Toggles focus mode. The queue is read again first, so that an unreadable store is not reported as an empty queue."""
        if not self.focus_mode.on:
            self.queue.pending = True
            self.touch_now()
        if self.fault:
            self.context.notices.tell(self.fault)
            return
        if not self.focus_mode.turn(not self.focus_mode.on):
            self.context.notices.tell(self.tr("You're all caught up."))
        self.take_focus()

    def _connect_actions(self) -> None:
        views = ("review.why", "review.compare")
        own = self.deciding.handlers()
        handlers: dict[str, Callable[[], object]] = {
            **{name: act if name in views else partial(self._for_one, act) for name, act in own.items()},
            "review.approve": partial(self._approve, self.deciding.approve_if_seen),
            "review.approve_other": partial(self._approve, self.deciding.approve_otherwise),
            "review.reject": self._ask_reason,
            "review.skip": lambda: self._step(1),
            "review.previous": lambda: self._step(-1),
            "review.focus": self._toggle_focus_mode,
            "review.select": self.queue.list.pick,
            "review.extend": lambda: self.queue.list.extend(1),
            "review.extend_back": lambda: self.queue.list.extend(-1),
            "review.dismiss_all": lambda: self._dismiss(self.queue.notices()),
        }
        connect_actions(self, self.context, handlers)
