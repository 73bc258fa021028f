"""The Review page: the queue on the left, the current review on the right; fully usable by keyboard."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtWidgets import QWidget

from app.domain.agents.memory import RejectionReason
from app.domain.drafting.draft import Draft, fill_slots
from app.domain.drafting.review import Action, Review, ReviewKind, ReviewRow, ReviewSection
from app.domain.errors import NotAllowed
from app.domain.ids import MessageId, ReviewId
from app.domain.protocol.events import CommandFailed, ConnectionChanged, Event, MailChanged, ReviewDecided, ReviewReady
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.pages.base import Page
from app.ui.pages.review.ask_bar import CHANGES, REASON
from app.ui.pages.review.decisions import Decisions, go_on_by_hand
from app.ui.pages.review.detail_panel import DetailPanel
from app.ui.pages.review.queue import FocusMode, ReviewList, show_empty
from app.ui.pages.review.review_texts import wrong_argument
from app.ui.pages.review.unsaved import UnsavedEdits, UnsavedWords, same_words
from app.ui.services.async_task import ThrottledCall
from app.ui.session.session_store import PageState
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.factory import column
from app.ui.widgets.send_later import later_menu
from app.ui.widgets.split_view import ListAndDetail, Stack

KEEP_MS = 1000
GLANCE_MS = 300
"""A review shown for less than this cannot be approved: a double press was meant for the one before."""


class ReviewPage(Page):
    """Page of waiting and decided reviews. The demo session drives it by `open`, `current_review`, `set_body` and
    `fill_slots`.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context, "review", self.tr("Review"))
        self.glance_ms, self._shown_for = GLANCE_MS, QElapsedTimer()
        self._unsaved = UnsavedEdits(context.state)
        self._decisions = Decisions(context, self.touch_now, self.open)
        self._decisions.confirmed.connect(self._unsaved.forget)
        self._save_soon = ThrottledCall(self._save_edit, KEEP_MS, self)
        self.queue = ReviewList(context)
        self.queue.chosen.connect(lambda key: self._guard(partial(self._show, ReviewId(key))))
        self.queue.model.unreadable.connect(self._cover_with, Qt.ConnectionType.QueuedConnection)
        self._keep_place(self.queue.list)
        self.queue.opened.connect(self._edit)
        self.queue.clicked.connect(lambda: self._panes.show_detail())
        self.queue.switched.connect(lambda: self._guard(self.refresh))
        self.desk = DetailPanel(context, self._focus_after_bar)
        self.desk.ask.responded.connect(self.respond)
        self.desk.ask.rejected.connect(self.reject)
        self.desk.edited.connect(self._save_soon.poke)
        self.desk.ask.edited.connect(self._save_soon.poke)
        self.desk.back.connect(self.go_back)
        self.desk.answered.connect(self.respond)
        self.desk.later.chosen.connect(self.approve)
        self.desk.no_model.edit.connect(self._edit)
        self.desk.no_model.choose_model.connect(context.navigator.choose_model)
        self.desk.why.source_opened.connect(lambda key: context.navigator.show_message(MessageId(key)))
        self.state = EmptyState(context.icons)
        self._detail_stack = Stack(self.desk, self.state)
        self.focus_mode = FocusMode(context.actions["review.focus"])
        detail = QWidget()
        column(detail, 0, 0, self.focus_mode, (self._detail_stack, 1))
        self._panes: ListAndDetail = ListAndDetail(self.queue, detail, context.state, "review")
        self._detail_stack.currentChanged.connect(lambda at: self._panes.show_empty(self.queue.list, at == 1))
        self.focus_mode.turned.connect(self._panes.focus_detail)
        self.focus_mode.turned.connect(self.alone)
        self.covered.connect(lambda: self.focus_mode.turn(False))
        # focus mode has its own button to leave
        self._panes.folded.connect(lambda narrow: self.desk.set_back_visible(narrow and not self.focus_mode.on))
        column(self).addWidget(self._panes)
        self._connect_actions()

    def open(self, review_id: ReviewId) -> None:
        self._guard(partial(self._open_review, review_id))
        self._panes.show_detail()

    def _open_review(self, review_id: ReviewId) -> None:
        if self.queue.row_of(review_id) < 0:
            self.refresh()
        if self.queue.row_of(review_id) >= 0:
            self.queue.mark(self.queue.row_of(review_id))
        self._show(review_id)

    def current_review(self) -> Review | None:
        return self.desk.review if self._detail_stack.currentIndex() == 0 else None

    @property
    def glanced_at(self) -> bool:
        return not self._shown_for.isValid() or self._shown_for.elapsed() >= self.glance_ms

    def set_body(self, text: str) -> None:
        draft = self.desk.draft()
        if draft is not None:
            self._show_draft(replace(draft, body=text, spans=()))

    def fill_slots(self, answers: tuple[str, ...]) -> None:
        draft = self.desk.draft()
        if draft is not None:
            self._show_draft(fill_slots(draft, answers))

    def reject(self, text: str = "", reason: RejectionReason = RejectionReason.NONE) -> None:
        self._decide(Action.IGNORE, text=text, reason=reason)

    def respond(self, text: str) -> None:
        self._decide(Action.RESPOND, text=text)

    def refresh(self) -> None:
        """Reads the queue again. The current review stays, else the one in its row follows."""
        before, current = max(self.queue.list.current_row(), 0), self.current_review()
        if self._back_to:
            self.queue.pending = not self._back_to.get("decided")
        self.queue.read(self._decisions.unconfirmed)
        self.focus_mode.show_left(self.queue.count)
        if not self.queue.count:
            show_empty(self.state, self.context, self.queue.pending)
            self._detail_stack.setCurrentIndex(1)
            return
        at = self.queue.row_of(current.id) if current is not None else self.queue.list.saved_row(self._back_to)
        review_id = self.queue.mark(at if at >= 0 else min(before, self.queue.count - 1))
        self._show(review_id, again=at >= 0)

    def save_state(self) -> PageState:
        return self._back_to or {**super().save_state(), "decided": int(not self.queue.pending)}

    def _leave(self) -> None:
        self._save_soon.flush()
        self.focus_mode.turn(False)

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, ReviewReady | ReviewDecided | MailChanged | CommandFailed)

    def hear(self, event: Event) -> None:
        """Also tracks decisions, even while hidden."""
        self._decisions.hear(event)
        review = self.current_review()
        if isinstance(event, ConnectionChanged) and review is not None:
            self.desk.flags.note(*self._decisions.note(review))
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
        if not self.desk.ask.isHidden():
            self.desk.ask.close_bar()
            return True
        if not self.desk.no_model.isHidden():
            self.desk.no_model.hide()
            self.take_focus()
            return True
        if not self.desk.later.isHidden():
            self.desk.later.close_bar()
            return True
        if self.focus_mode.on:
            if not self.desk.typing:  # the first Escape leaves the text
                self.focus_mode.turn(False)
            self.take_focus()
            return True
        return self._panes.go_back(self.queue.list)

    def approve(self, send_at_ms: int = 0) -> None:
        """Approves the review, with its edits if any. If something is missing, shows a sentence instead.

        Mail goes out at `send_at_ms` (Unix milliseconds), or after the undo delay if 0.
        """
        draft = self.desk.draft()
        if self._cannot_approve(draft):
            return
        review = self.current_review()
        try:
            arguments = self.desk.arguments()
        except (NotAllowed, ValueError) as error:
            self._panes.show_detail()
            self.desk.flags.refuse(wrong_argument(error))
            return
        changed = draft is not None and review is not None and not same_words(draft, review.proposal.draft)
        action = Action.EDIT if changed or arguments else Action.ACCEPT
        self._decide(action, draft, arguments=arguments, send_at_ms=send_at_ms)

    def _choose_time(self) -> None:
        draft = self.desk.draft()
        if draft is None or self._cannot_approve(draft):
            return
        self._panes.show_detail()
        now, button = self.context.clock(), self.desk.card.later
        menu = later_menu(self, now, self.approve, lambda: self.desk.later.ask(now))
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _cannot_approve(self, draft: Draft | None) -> bool:
        refusal = (self.desk.card.approval_error(draft) if draft is not None else "") or self.desk.flags.open_red()
        if refusal:
            self._panes.show_detail()
            self.desk.show_draft()
            self.desk.flags.refuse(refusal)
        return bool(refusal)

    def _approve_if_seen(self) -> None:
        if self.desk.detail.answer.hasFocus():
            self.desk.detail.send.click()
            return
        if not self.glanced_at:
            self.context.notices.tell(self.tr("This one has only just come up. Press again to approve it."))
            return
        picked = self.queue.picked()
        if any(row.section is not ReviewSection.NOTICE for row in picked):
            self.context.notices.tell(self.tr("Approve drafts one at a time."))
            return
        if picked:
            self._dismiss(picked)
            return
        review = self.current_review()
        if review is None or Action.ACCEPT in review.allowed:
            self.approve()
        elif review.proposal.kind is ReviewKind.NOTIFY:
            self.reject()
        else:
            self._ask_changes()

    def _dismiss(self, rows: Sequence[ReviewRow]) -> None:
        """Dismisses or rejects several items with one undo."""
        if rows:
            self.take_focus()
            self._decisions.dismiss(rows)

    def _decide(
        self,
        action: Action,
        draft: Draft | None = None,
        text: str = "",
        reason: RejectionReason = RejectionReason.NONE,
        arguments: str = "",
        send_at_ms: int = 0,
    ) -> None:
        review = self.current_review()
        if review is None or action not in review.allowed:
            return
        self._save_soon.cancel()
        if not arguments:
            self._unsaved.forget_words(review.id)
        if draft is None and action is not Action.RESPOND:
            self._unsaved.forget(review.id)
        self.take_focus()  # the focused widget may disappear; single keys must reach the queue
        self._decisions.decide(review, action, draft, text, reason, arguments, send_at_ms)

    def _show(self, review_id: ReviewId, again: bool = False) -> None:
        review = self.context.reader.review(review_id)
        if review is None:
            return
        if again and self.desk.review == review and self._detail_stack.currentIndex() == 0:
            return
        self._save_soon.flush()
        proposal = review.proposal
        message = self.context.reader.message(proposal.message_id)
        thread = self.context.reader.messages(proposal.thread_id)
        same = self.desk.review is not None and self.desk.review.id == review_id
        if not same:
            self._shown_for.start()
        typing = same and self.desk.ask.line.hasFocus()
        kept = self._unsaved.draft(review.id, review.revision) if review.allowed else None
        words = self._unsaved.words(review.id, review.revision) if review.allowed else UnsavedWords()
        self.desk.show_review(review, message, thread, kept or proposal.draft, words.meeting)
        self.desk.flags.note(*self._decisions.note(review))
        self._detail_stack.setCurrentIndex(0)
        self._restore_input(review, words, typing)

    def _restore_input(self, review: Review, words: UnsavedWords, typing: bool) -> None:
        """Restores unsaved input of a review. The focus does not move, unless the user was `typing` in the input bar."""
        self.desk.detail.put_back(words.answer, words.fields)
        if not words.asking:
            return
        at = self.focusWidget()
        self.desk.ask.open(review, words.asking)
        self.desk.ask.put_back(words.line, words.ticked)
        if at is not None and not typing:
            at.setFocus()

    def _show_draft(self, draft: Draft) -> None:
        body, spans = draft.body, draft.spans
        self.desk.card.editor.set_draft(body, spans)
        self._save_edit()

    def _save_edit(self) -> None:
        review, draft = self.current_review(), self.desk.draft()
        if review is None or not review.allowed:
            return
        self._unsaved.keep_words(review.id, review.revision, self.desk.words())
        if draft is not None:
            if same_words(draft, review.proposal.draft):
                self._unsaved.forget(review.id)
            else:
                self._unsaved.keep(review.id, review.revision, draft)

    def _edit(self) -> None:
        review = self.current_review()
        if review is None or Action.EDIT not in review.allowed:
            return
        self._panes.show_detail()
        self.desk.show_answer()
        if review.proposal.draft is None:
            field = self.desk.first_field()
            if field is not None:
                field.setFocus()
            return
        self.desk.show_draft()
        editor = self.desk.card.editor
        if not editor.select_slot(from_start=True):
            editor.setFocus()

    def _ask_changes(self) -> None:
        review = self.current_review()
        if review is not None and Action.RESPOND in review.allowed:
            self._panes.show_detail()
            self.desk.show_answer()
            if self.desk.detail.answer.isVisible():
                self.desk.detail.answer.setFocus()
            elif self.context.settings().model.name:
                self.desk.ask.open(review, CHANGES)
            elif review.proposal.draft is None:
                self.respond("")
            else:
                self.desk.no_model.ask()

    def _ask_reason(self) -> None:
        picked = self.queue.picked()
        if picked:
            self._dismiss(picked)
            return
        review = self.current_review()
        if review is None or Action.IGNORE not in review.allowed:
            return
        if review.proposal.draft is None:
            self.reject()
            return
        self._panes.show_detail()
        self.desk.ask.open(review, REASON)

    def _step(self, by: int) -> None:
        if not self.queue.step(by):
            self.context.notices.tell(self.tr("This is the last one.") if by > 0 else self.tr("This is the first one."))

    def _toggle_focus_mode(self) -> None:
        """Toggles focus mode. The queue is read again first, so that an unreadable store is not reported as an empty queue."""
        if not self.focus_mode.on:
            self.queue.pending = True
            self.touch_now()
        if self.fault:
            self.context.notices.tell(self.fault)
            return
        if not self.focus_mode.turn(not self.focus_mode.on):
            self.context.notices.tell(self.tr("Nothing waits for you."))
        self.take_focus()

    def _save(self) -> None:
        draft = self.desk.draft()
        if draft is None or not draft.open_slots or not self._cannot_approve(draft):
            self._decide(Action.SAVE_DRAFT, draft)

    def _connect_actions(self) -> None:
        handlers = {
            "review.approve": self._approve_if_seen,
            "review.edit": self._edit,
            "review.changes": self._ask_changes,
            "review.save": self._save,
            "review.later": self._choose_time,
            "review.reject": self._ask_reason,
            "review.skip": lambda: self._step(1),
            "review.previous": lambda: self._step(-1),
            "review.why": self.desk.why.toggle,
            "review.compare": self.desk.show_difference,
            "review.focus": self._toggle_focus_mode,
            "review.write": lambda: go_on_by_hand(self.context, self.current_review(), self.desk.draft()),
            "review.select": self.queue.list.pick,
            "review.extend": lambda: self.queue.list.extend(1),
            "review.extend_back": lambda: self.queue.list.extend(-1),
            "review.dismiss_all": lambda: self._dismiss(self.queue.notices()),
        }
        connect_actions(self, self.context, handlers)
