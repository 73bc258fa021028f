"""Decides the review in a `DetailPanel`. Its keys and buttons do the same in Review and below a message.

Unsaved edits stay with their review wherever it is shown.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QObject, QPoint

from app.domain.agents.memory import RejectionReason
from app.domain.drafting.draft import Draft, fill_slots
from app.domain.drafting.review import Action, Review, ReviewKind
from app.domain.errors import NotAllowed
from app.domain.ids import MessageId
from app.domain.protocol.commands import Decide, DraftReply
from app.domain.record import replace
from app.ui.context import Context
from app.ui.editor.recipient_field import AddressCompleter
from app.ui.editor.spelling import SpellMarks
from app.ui.pages.review.ask_bar import CHANGES, REASON, common_reasons
from app.ui.pages.review.decisions import Decisions, as_letter, may_go_on
from app.ui.pages.review.detail_panel import DetailPanel
from app.ui.pages.review.draft_card import ANSWERS
from app.ui.pages.review.review_texts import wrong_argument
from app.ui.services.async_task import ThrottledCall
from app.ui.services.corrections import correct, correction, correction_menu
from app.ui.session.typed_text import UnsavedEdits, UnsavedWords
from app.ui.widgets.factory import submit_focused
from app.ui.widgets.menus import later_menu

KEEP_MS = 1000
GLANCE_MS = 300
"""A review shown for less than this cannot be approved: a double press was meant for the one before."""


class ReviewDesk(QObject):
    """`come` brings the panel on screen; `leave` moves the focus back to the list. `shown` tells whether the panel shows its
    review.
    """

    def __init__(
        self,
        context: Context,
        panel: DetailPanel,
        decisions: Decisions,
        come: Callable[[], object],
        leave: Callable[[], object],
        shown: Callable[[], bool],
    ) -> None:
        super().__init__(panel)
        self._context, self._panel, self._decisions = context, panel, decisions
        self._come, self._leave, self._shown = come, leave, shown
        self.glance_ms, self._shown_for = GLANCE_MS, QElapsedTimer()
        self._send_at_ms = 0
        self._unsaved = UnsavedEdits(context.state)
        decisions.confirmed.connect(self._unsaved.forget)
        self._save_soon = ThrottledCall(self._save_edit, KEEP_MS, self)
        self.flush = self._save_soon.flush
        """Saves edits that wait for a pause in typing."""
        card = panel.card
        fields = (card.to, card.cc, card.bcc)
        SpellMarks(card.editor, context, lambda: panel.about, fields)
        for field in fields:
            AddressCompleter(field.line, context.reader.people, context.notices, card.edited.emit)
        panel.ask.responded.connect(self.respond)
        panel.ask.rejected.connect(self.reject)
        panel.edited.connect(self._save_soon.poke)
        panel.ask.edited.connect(self._save_soon.poke)
        panel.answered.connect(self.respond)
        panel.detail.by_rule.connect(self._draft_by_rule)
        panel.later.chosen.connect(self.approve)
        panel.anyway.confirmed.connect(lambda: self.approve(self._send_at_ms, anyway=True))
        panel.why.source_opened.connect(lambda key: context.navigator.show_message(MessageId(key)))

    @property
    def review(self) -> Review | None:
        return self._panel.review if self._shown() else None

    @property
    def glanced_at(self) -> bool:
        return not self._shown_for.isValid() or self._shown_for.elapsed() >= self.glance_ms

    def handlers(self) -> dict[str, Callable[[], object]]:
        """The actions that decide the review shown, by id."""
        return {
            "review.approve": self.approve_if_seen,
            "review.approve_other": self.approve_otherwise,
            "review.edit": self.edit,
            "review.changes": self.ask_changes,
            "review.save": self.save,
            "review.later": self.choose_time,
            "review.reject": self.ask_reason,
            "review.no_answer": self.reject_unneeded,
            "review.why": self._panel.why.toggle,
            "review.should": self._correct,
            "review.compare": self._panel.show_difference,
            **{name: partial(self._panel.card.take_answer, at) for at, name in enumerate(ANSWERS)},
            "review.write": self._write_by_hand,
        }

    def show(self, review: Review) -> None:
        """Shows a review with its unsaved input. The focus does not move, unless the user is typing in the input bar."""
        self.flush()
        proposal, panel = review.proposal, self._panel
        message = self._context.reader.message(proposal.message_id)
        thread = self._context.reader.messages(proposal.thread_id)
        same = panel.review is not None and panel.review.id == review.id
        if not same:
            self._shown_for.start()
        typing = same and panel.ask.line.hasFocus()
        kept = self._unsaved.draft(review.id, review.revision) if review.allowed else None
        words = self._unsaved.words(review.id, review.revision) if review.allowed else UnsavedWords()
        panel.show_review(review, message, thread, kept or proposal.draft, words.meeting)
        panel.flags.note(*self._decisions.note(review))
        panel.detail.put_back(words.answer, words.fields)
        if words.asking:
            at = panel.window().focusWidget()
            panel.ask.open(review, words.asking)
            panel.ask.put_back(words.line, words.ticked)
            if at is not None and not typing:
                at.setFocus()

    def note(self) -> None:
        """Says again why the item would not go out now."""
        if self.review is not None:
            self._panel.flags.note(*self._decisions.note(self.review))

    def close_bars(self) -> bool:
        """Closes an open question below the draft. Returns whether there was one."""
        panel = self._panel
        bar = next((bar for bar in (panel.ask, panel.no_model, panel.anyway, panel.later) if not bar.isHidden()), None)
        if bar is not None:
            bar.close_bar()
        return bar is not None

    def set_body(self, text: str) -> None:
        draft = self._panel.draft()
        if draft is not None:
            self._show_draft(replace(draft, body=text, spans=()))

    def fill_slots(self, answers: tuple[str, ...]) -> None:
        draft = self._panel.draft()
        if draft is not None:
            self._show_draft(fill_slots(draft, answers))

    def reject(self, text: str = "", reason: RejectionReason = RejectionReason.NONE) -> None:
        self._decide(Action.IGNORE, text=text, reason=reason)

    def respond(self, text: str) -> None:
        self._decide(Action.RESPOND, text=text)

    def approve_if_seen(self) -> None:
        """Approves a draft. Dismisses what only informs, and asks what to say where only the user can answer."""
        review = self.review
        if self._answers():
            pass
        elif self._panel.detail.answer.hasFocus():
            self._panel.detail.send.click()
        elif not self.glanced_at:
            self._context.notices.tell(self.tr("This just appeared. Press again to approve it."))
        elif review is None or Action.ACCEPT in review.allowed:
            self.approve()
        elif review.proposal.kind is ReviewKind.NOTIFY:
            self.reject()
        else:
            self.ask_changes()

    def _answers(self) -> bool:
        """Submits the open question that has the focus, such as the reason for a rejection: there no key may approve."""
        return submit_focused(self._panel.ask, self._panel.later)

    def approve_otherwise(self) -> None:
        """Approves with the other choice about archiving, which is then the first."""
        if not self._answers() and self.glanced_at and self._panel.may_archive:
            self._panel.remember_archive(not self._panel.archives)
            self.approve()

    def approve(self, send_at_ms: int = 0, anyway: bool = False) -> None:
        """Approves the review, with its edits if any. If something is missing, shows a sentence instead. With a red warning it
        asks first, unless the user has confirmed it with `anyway`.

        Mail goes out at `send_at_ms` (Unix milliseconds), or after the undo delay if 0.
        """
        draft, panel, review = self._panel.draft(), self._panel, self.review
        if review is None or self._cannot_approve(draft):
            return
        if panel.flags.red and not anyway:
            self._send_at_ms = send_at_ms
            self._come()
            if panel.anyway.isHidden():
                panel.anyway.ask(draft, panel.flags.red)
            return
        if not panel.flags.red:
            panel.anyway.calm()
        try:
            arguments = panel.arguments()
        except (NotAllowed, ValueError) as error:
            self._come()
            panel.flags.refuse(wrong_argument(error))
            return
        changed = draft is not None and not same_words(draft, review.proposal.draft)
        action = Action.EDIT if changed or arguments else Action.ACCEPT
        self._decide(action, draft, arguments=arguments, send_at_ms=send_at_ms, archive=panel.archives)

    def choose_time(self) -> None:
        draft = self._panel.draft()
        if draft is None or self._cannot_approve(draft):
            return
        self._come()
        now, button = self._context.clock(), self._panel.card.later
        menu = later_menu(self._panel, now, self.approve, lambda: self._panel.later.ask(now))
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def edit(self) -> None:
        review = self.review
        if review is None or Action.EDIT not in review.allowed:
            return
        self._come()
        if review.proposal.draft is not None:
            self._panel.show_draft()
            self._panel.card.edit()
        elif (field := self._panel.first_field()) is not None:
            field.setFocus()

    def ask_changes(self) -> None:
        review = self.review
        if review is None or Action.RESPOND not in review.allowed:
            return
        self._come()
        if self._panel.detail.answer.isVisible():
            self._panel.detail.answer.setFocus()
        elif self._context.settings().model.name:
            self._panel.ask.open(review, CHANGES)
        elif review.proposal.draft is None and review.proposal.kind not in (ReviewKind.TOOL_CALL, ReviewKind.PLAN):
            self.respond("")  # the button says that it drafts a reply
        else:
            self._panel.no_model.ask()

    def _draft_by_rule(self) -> None:
        if self.review is not None:
            self._context.link.send(DraftReply(self.review.proposal.message_id, by_model=False))
            words = QCoreApplication.translate("ReviewPage", "Drafting without the model. The draft will replace this item.")
            self._context.notices.tell(words)

    def _write_by_hand(self) -> None:
        """Goes on in the editor of letters."""
        review, draft = self.review, self._panel.draft()
        if review is not None and draft is not None and may_go_on(review, draft):
            self._context.navigator.show_letter(as_letter(review.proposal, draft))

    def ask_reason(self) -> None:
        review = self.review
        if review is None or Action.IGNORE not in review.allowed:
            return
        if review.proposal.draft is None:
            self.reject()
            return
        self._come()
        self._panel.ask.open(review, REASON)

    def _correct(self) -> None:
        """Asks what the review's message should have been."""
        review, head = self.review, self._panel.why
        if review is not None and review.proposal.message_id:
            thread, message = review.proposal.thread_id, review.proposal.message_id
            menu = correction_menu(self._panel, lambda is_: correct(self._context, correction(is_, [thread], message)))
            menu.popup(head.mapToGlobal(head.rect().topRight()) - QPoint(menu.sizeHint().width(), menu.sizeHint().height()))

    def reject_unneeded(self) -> None:
        """Rejects a draft with the most common reason. New mail answers nobody, so it asks for another."""
        review = self.review
        if review is None or review.proposal.draft is None or review.proposal.starts:
            self.ask_reason()
            return
        words = next(words for words, reason in common_reasons().items() if reason is RejectionReason.NO_ANSWER)
        self.reject(words, RejectionReason.NO_ANSWER)

    def save(self) -> None:
        draft = self._panel.draft()
        if draft is None or not draft.open_slots or not self._cannot_approve(draft):
            self._decide(Action.SAVE_DRAFT, draft)

    def _cannot_approve(self, draft: Draft | None) -> bool:
        panel = self._panel
        refusal = panel.card.approval_error(draft) if draft is not None else ""
        if refusal:
            self._come()
            panel.show_draft()
            panel.flags.refuse(refusal)
        return bool(refusal)

    def _decide(
        self,
        action: Action,
        draft: Draft | None = None,
        text: str = "",
        reason: RejectionReason = RejectionReason.NONE,
        arguments: str = "",
        send_at_ms: int = 0,
        archive: bool = False,
    ) -> None:
        review = self.review
        if review is None or action not in review.allowed:
            return
        self._save_soon.cancel()
        if not arguments:
            self._unsaved.forget_words(review.id)
        if draft is None and action is not Action.RESPOND:
            self._unsaved.forget(review.id)
        self._leave()  # the focused widget may disappear; single keys must reach the list
        decision = Decide(review.id, review.revision, action, draft, text, reason, arguments, send_at_ms, archive)
        self._decisions.decide(review, decision)

    def _show_draft(self, draft: Draft) -> None:
        self._panel.card.editor.set_draft(draft.body, draft.spans)
        self._save_edit()

    def _save_edit(self) -> None:
        review, draft = self.review, self._panel.draft()
        if review is None or not review.allowed:
            return
        self._unsaved.keep_words(review.id, review.revision, self._panel.words())
        if draft is not None:
            if same_words(draft, review.proposal.draft):
                self._unsaved.forget(review.id)
            else:
                self._unsaved.keep(review.id, review.revision, draft)


def same_words(one: Draft, other: Draft | None) -> bool:
    """Whether two drafts have the same recipients, subject, text and files; spans are not compared."""
    parts = ("to", "cc", "bcc", "subject", "body", "attachments")
    return other is not None and all(getattr(one, part) == getattr(other, part) for part in parts)
