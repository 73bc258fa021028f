"""The draft of a conversation below its message, with the editor, marks and keys of Review."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from app.domain.drafting.review import Review
from app.domain.ids import MessageId, ReviewId, ThreadId
from app.domain.protocol.commands import DraftReply
from app.domain.protocol.events import ConnectionChanged, MailChanged, ReviewDecided, ReviewReady
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.message.banners import invites
from app.ui.message.thread_view import ReadingPane
from app.ui.pages.review.decisions import Decisions
from app.ui.services.async_task import single_shot
from app.ui.services.notices import ErrorNotice
from app.ui.theme.metrics import at_text_size
from app.ui.widgets.containers import end_with
from app.ui.widgets.factory import RoleFrame, column

if TYPE_CHECKING:  # loaded with the first draft, or after the start
    from app.ui.pages.review.desk import ReviewDesk
    from app.ui.pages.review.detail_panel import DetailPanel

PAGE_KEYS = ("review.approve", "review.approve_other", "review.later", "review.answer_1", "review.answer_2")
"""Their keys work on the whole page. The other keys mean something else in a list, so they work inside the draft only."""
AFTER_MS = 20
"""The message is painted before its draft, so that moving through a list stays quick."""
LOWEST, HIGHEST = 270, 430
CROWDED = 800
"""Below this height of the pane, in pixels at 100 %, a suspected message stands without its draft."""
SHARE = 0.56
"""Most of the pane's height that the draft takes."""


def has_focus(widget: QWidget) -> bool:
    """Whether the focus is in a widget of the window on screen."""
    held = widget.window().focusWidget()
    return held is not None and (held is widget or widget.isAncestorOf(held))


class DraftBelow(QWidget):
    """Shows the draft that waits for the conversation in `reading`; hidden without one. Emits `archived` when an approval takes
    the conversation out of the inbox. `leave` moves the focus back to the page.
    """

    archived = Signal()

    def __init__(self, context: Context, reading: ReadingPane, leave: Callable[[], object]) -> None:
        super().__init__()
        self._context, self._reading, self._leave_to = context, reading, leave
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Draft reply"))
        self._decisions = Decisions(context, self._decided, self._reopen)
        self._layout = column(self, 0, 0)
        self._asked: set[ThreadId] = set()
        self._wanted = ThreadId(0)
        self._aside = False
        self._filled: Review | None = None
        """What the hidden panel shows already."""
        self.panel: DetailPanel | None = None
        self.desk: ReviewDesk | None = None
        self._soon = single_shot(self, self._follow, AFTER_MS)
        self._cover = RoleFrame("surface")
        """Lies over the draft of another conversation until that of the open one is read."""
        self._cover.setParent(self)
        reading.below.addWidget(self)
        reading.showed.connect(self._cover_other)
        reading.showed.connect(self._soon.start)
        reading.suspicion.trusted.connect(self._soon.start)
        reading.installEventFilter(self)
        self.hide()

    def refresh(self) -> None:
        """Reads again which draft waits."""
        review = self._waiting()
        self._cover.hide()
        if review is None:
            self._reading.make_room(drafted=False)
            inside = has_focus(self)
            self.hide()
            if inside:
                self._leave_to()
            return
        panel = self._make_panel()
        if panel.review != review or (self.isHidden() and self._filled != review):
            self._make_desk().show(review)
        self._filled = None
        panel.put_first(not (self._reading.suspicion.warns or panel.flags.red))
        self._reading.make_room(drafted=True)
        self._fit()
        self.show()

    def _cover_other(self) -> bool:
        """Covers the draft on screen if it is of the conversation before. Returns whether it is."""
        review = self.panel.review if self.panel is not None and self.isVisible() else None
        other = review is not None and review.proposal.thread_id != self._reading.thread_id
        if other:
            self._cover.setGeometry(self.rect())
            self._cover.raise_()
            self._cover.show()
        return other

    def _follow(self) -> None:
        """Shows the draft that waits. Its parts are made and filled in turns of their own, so that keys are answered."""
        review = self._waiting()
        parts = self.parts() if review is not None else ()
        if parts:
            parts[0]()
            self._soon.start()
        elif review is not None and self.isHidden() and self._filled != review:
            self._make_desk().show(review)
            self._filled = review
            QTimer.singleShot(0, self, self._follow)
        else:
            self.refresh()

    def _waiting(self) -> Review | None:
        """The draft to show now. None while an invitation, which has its own answers, or a warning of deception needs the room;
        the draft is then shown once the owner asks for it.
        """
        review: Review | None = None
        reading = self._reading
        with ErrorNotice(self._context.notices):
            if reading.thread_id is not None and not self._aside:
                review = self._context.reader.drafted_reply(reading.thread_id)
        crowded = invites(reading.message) or (reading.suspicion.warns and reading.height() < at_text_size(CROWDED))
        if review is None or review.id in self._decisions.unconfirmed:
            return None
        return None if crowded and reading.thread_id != self._wanted else review

    def set_aside(self, aside: bool) -> None:
        """Hides the draft while the user writes an answer of their own."""
        if aside is not self._aside:
            self._aside = aside
            self.refresh()

    def draft(self, message_id: MessageId, thread_id: ThreadId) -> None:
        """Goes to the draft that waits, or asks for one and tells when it is ready."""
        self._wanted = thread_id
        self.refresh()
        if not self.isHidden() and self.desk is not None:
            self.desk.edit()
            return
        self._asked.add(thread_id)
        self._context.link.send(DraftReply(message_id))
        self._context.notices.tell(self.tr("Drafting a reply…"))

    def hear(self, event: Event) -> None:
        """Follows drafts and decisions, also while the page is hidden."""
        self._decisions.hear(event)
        if isinstance(event, ConnectionChanged) and self.desk is not None:
            self.desk.note()
        if isinstance(event, ReviewReady):
            self._tell_ready(event.review_id)
        if isinstance(event, ReviewReady | ReviewDecided | MailChanged) and self._reading.isVisible():
            self._soon.start()

    def go_back(self) -> bool:
        """Closes an open question, else leaves the draft. Returns whether it did."""
        if self.desk is None or not has_focus(self):
            return False
        if self.desk.close_bars():
            return True
        if self.hasFocus():
            self._leave_to()
        else:  # the first Escape leaves the text
            self.setFocus()
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and not self.isHidden():
            self._fit()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Claims the keys of Review before the list's: the same letter archives there and edits here."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._named(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        name = self._named(event)
        if name:
            self._context.actions[name].trigger()
        else:
            super().keyPressEvent(event)

    def _named(self, event: QKeyEvent) -> str:
        if self.desk is None:
            return ""
        pressed, actions = QKeySequence(event.keyCombination()), self._context.actions
        return next((one for one in self.desk.handlers() if one not in PAGE_KEYS and pressed in actions[one].shortcuts()), "")

    def parts(self) -> tuple[Callable[[], object], ...]:
        """What is still to be made for the first draft, in order."""
        steps = ((self._make_panel, self.panel), (self._make_desk, self.desk))
        return tuple(step for step, made in steps if made is None)

    def _make_panel(self) -> "DetailPanel":
        from app.ui.pages.review.detail_panel import DetailPanel

        if self.panel is None:
            self.panel = DetailPanel(self._context, below=True)
            self.panel.left.connect(self.setFocus)
            end_with(self, self.panel)
        return self.panel

    def _make_desk(self) -> "ReviewDesk":
        """Puts the panel in and makes what decides in it."""
        if self.desk is None:
            from app.ui.pages.review.desk import ReviewDesk

            panel = self._make_panel()
            self._layout.addWidget(panel)
            self.desk = ReviewDesk(
                self._context, panel, self._decisions, lambda: None, self._leave_to, lambda: not self.isHidden()
            )
            for name, handler in self.desk.handlers().items():
                self._context.actions[name].triggered.connect(partial(self._act, handler))
        return self.desk

    def _act(self, handler: Callable[[], object], _checked: bool = False) -> None:
        """Does it for the draft of the open conversation: that of the one before stays on screen until the next is read."""
        if self._cover_other():
            self._reading.settle()
            self.refresh()
        if self.isVisible():
            with ErrorNotice(self._context.notices):
                handler()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), min(at_text_size(HIGHEST), round(self._reading.height() * SHARE)))

    def minimumSizeHint(self) -> QSize:
        """Less where the message's head is high, but always with the buttons."""
        return QSize(1, min(LOWEST, self.sizeHint().height()))

    def _fit(self) -> None:
        self.setMaximumHeight(self.sizeHint().height())
        self.updateGeometry()

    def _decided(self) -> None:
        panel = self.panel
        archives = (
            panel is not None and panel.review is not None and panel.review.id in self._decisions.unconfirmed and panel.archives
        )
        self.refresh()
        if archives and self.isHidden():
            self.archived.emit()

    def _reopen(self, review_id: ReviewId) -> None:
        review = self._context.reader.review(review_id)
        if review is not None and self._reading.isVisible():
            self._context.navigator.show_message(review.proposal.message_id)
            self.refresh()

    def _tell_ready(self, review_id: ReviewId) -> None:
        review = self._context.reader.review(review_id)
        if review is None or review.proposal.thread_id not in self._asked:
            return
        self._asked.discard(review.proposal.thread_id)
        show = partial(self._context.navigator.show_message, review.proposal.message_id)
        self._context.notices.tell(self.tr("The draft is ready."), self.tr("Open"), show, leads=True)
