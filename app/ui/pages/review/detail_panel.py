"""The panel of one review: original message, draft or proposal, reasons, red flags, and the decision buttons."""

from contextlib import suppress
from functools import cached_property, partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import SCHEDULE_MEETING
from app.domain.drafting.review import (
    SECTIONS,
    Action,
    FlagKind,
    RedFlag,
    Review,
    ReviewKind,
    ReviewSection,
    request_of,
)
from app.domain.errors import NotAllowed
from app.domain.ids import MessageId
from app.domain.mail.message import Message, SystemLabel
from app.domain.mail.recipients import reply_subject
from app.ui.actions import spec_words
from app.ui.context import Context
from app.ui.editor.recipient_field import recipient_context
from app.ui.i18n.formatting import reason_words
from app.ui.message.body import BodyView
from app.ui.message.header import Attachments, MessageHeader
from app.ui.pages.review.ask_bar import FeedbackBar, NoModelBar, SendAnywayBar, common_reasons
from app.ui.pages.review.decisions import may_go_on
from app.ui.pages.review.draft_card import CompareView, DraftCard, told_with_files
from app.ui.pages.review.meeting_card import MeetingCard
from app.ui.pages.review.proposal_card import ProposalCard
from app.ui.pages.review.queue import KIND_TONES
from app.ui.pages.review.review_texts import flag_words, item_words, kind_explained, respond_words, status_words
from app.ui.pages.review.why import WhyPanel, whose_card
from app.ui.session.ini_file import remembered
from app.ui.session.typed_text import UnsavedWords
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type, at_text_size, is_large_text
from app.ui.widgets.action_buttons import ActionButtonBar, KeyButton, OneFilled, show_icons
from app.ui.widgets.containers import Scrolled
from app.ui.widgets.factory import (
    RoleFrame,
    announce,
    chip,
    clear,
    column,
    label,
    row,
    rule,
    set_role,
    set_tone,
    tab_through,
    tool_button,
)
from app.ui.widgets.labels import ElidedLabel, IconLabel, Title
from app.ui.widgets.menus import SendLaterBar
from app.ui.widgets.notice_line import notice_line
from app.ui.widgets.split_view import Stack


class FlagBar(QWidget):
    """Shows flags, the reason of a rejected approval, and a note. Red flags stop, amber ones inform on one line."""

    def __init__(self, icons: Icons) -> None:
        super().__init__()
        self._icons = icons
        self._lines = column(self, 0, Space.TIGHT)
        self.words: tuple[str, ...] = ()
        self.red: tuple[str, ...] = ()
        """The red warnings. They need a second, different act before anything leaves."""
        self.approval_error = self._note = ""
        self._note_icon = "offline"
        self._flags: tuple[RedFlag, ...] = ()
        self._removed_files: tuple[str, ...] = ()

    def note(self, sentence: str, icon: str) -> None:
        if sentence != self._note:
            self._note, self._note_icon = sentence, icon
            self._fill()

    def show_flags(self, flags: tuple[RedFlag, ...]) -> None:
        self._flags, self.approval_error, self._removed_files = flags, "", ()
        self._fill()
        announce(self, self.accessibleName())

    def leave_out(self, files: tuple[str, ...]) -> None:
        if files != self._removed_files:
            self._removed_files = files
            self._fill()

    def refuse(self, sentence: str) -> None:
        if sentence != self.approval_error:
            self.approval_error = sentence
            self._fill()
            announce(self, sentence, urgent=True)

    def _fill(self) -> None:
        clear(self._lines)
        current = [flag for flag in self._flags if flag.kind is not FlagKind.ATTACHMENT or flag.about not in self._removed_files]
        self.red = tuple(flag_words(flag) for flag in current if flag.red)
        amber = tuple(flag_words(flag) for flag in current if not flag.red)
        self.words = (*self.red, *amber)
        count = self.tr("%n note(s):", "", len(amber)) + " " if len(amber) > 1 else ""
        lines = [(words, "danger", "flag") for words in self.red]
        lines.append((count + " ".join(amber), "warning", "flag"))
        lines += [(self.approval_error, "danger", "error"), (self._note, "", self._note_icon)]
        for words, tone, icon in lines:
            if words:
                mark = IconLabel(self._icons, icon, tone or "neutral", 16)
                self._lines.addWidget(notice_line(mark, label(words, tone=tone, wrap=True), tone))
        shown = [text for text in (*self.words, self.approval_error, self._note) if text]
        self.setAccessibleName(" ".join(shown))
        self.setVisible(bool(shown))


SIDE_BY_SIDE_FROM = 740
READABLE = 96
"""Minimum height in pixels of the message's text; in a lower window the whole panel scrolls."""
BUTTONS = (
    ("review.approve", Action.ACCEPT),
    ("review.approve_other", Action.ACCEPT),
    ("review.edit", Action.EDIT),
    ("review.changes", Action.RESPOND),
    ("review.save", Action.SAVE_DRAFT),
    ("review.reject", Action.IGNORE),
)
ARCHIVE = "review/archive"
"""Key in window.ini: whether Approve also archives."""
NOT_FOR_NOTICES = ("review.edit", "review.save", "review.reject")
NOT_FOR_QUESTIONS = ("review.edit", "review.save", "review.changes")
"""Buttons that say nothing more than the first one; their keys work."""


class DetailPanel(QWidget):
    """Shows one review and holds its edits; sends no commands. Emits `answered` with the answer to a question."""

    edited = Signal()
    back = Signal()
    offered = Signal()
    answered = Signal(str)
    left = Signal()
    """The text or a bar was left by key."""

    def __init__(self, context: Context, below: bool = False) -> None:
        """With `below` the panel stands below the message it answers and shows only the draft."""
        super().__init__()
        self.setProperty("role", "surface")
        self._below = below
        self._in_inbox = False
        self._context = context
        self.review: Review | None = None
        self._subject = Title()
        self._kind = chip()
        self._back = tool_button(context.icons.icon("back"), self.tr("Back to the queue"), self.back.emit)
        self._back.hide()
        self._header = MessageHeader(context.appearance, context.clock)
        self._attachments = Attachments()
        self.original = BodyView(context)
        self.original.setMinimumHeight(at_text_size(READABLE))
        self.card = DraftCard(context)
        self.card.edited.connect(self._edited)
        self.card.left.connect(self.left)
        self.detail = ProposalCard(context)
        self.detail.answered.connect(self.answered)
        self.detail.edited.connect(self._edited)
        self.why = WhyPanel(context, context.actions["review.why"])
        self.flags = FlagBar(context.icons)
        self.ask = FeedbackBar(context.reader, self.left.emit)
        choose_model = partial(context.navigator.show_settings, "model")
        self.no_model = NoModelBar(context.actions["review.edit"].trigger, choose_model, self.left.emit)
        self.anyway = SendAnywayBar(self.left.emit)
        self.later = SendLaterBar(self.left.emit)
        self._cards = Stack(self.card, self.detail)
        self._message_card = RoleFrame("card")
        self.matter = ElidedLabel("", Type.STRONG)
        """What an item that only informs says, above the message, which gets the card's room."""
        self._no_message_label = ElidedLabel("", Type.CAPTION, "soft")  # a wrapped label would request too much height
        self._lay_out()

    @cached_property
    def meeting(self) -> MeetingCard:
        """Made for the first meeting: few reviews are one."""
        card = MeetingCard(self._context)
        card.edited.connect(self._edited)
        self._add_card(card)
        return card

    @cached_property
    def compare(self) -> CompareView:
        view, card = CompareView(self._context.appearance), RoleFrame("card")
        title = label(self.tr("Changes from the original draft"), Type.CAPTION, "soft", wrap=True)
        column(card, 1, 0, row(None, (Space.LARGE, Space.SMALL), Space.SMALL, (title, 1)), rule(), (view, 1))
        self._add_card(card)
        return view

    def _add_card(self, card: QWidget) -> None:
        self._cards.addWidget(card)
        inside = (one for one in card.findChildren(QWidget) if one.window() is self.window())  # popups are windows
        tab_through(self.detail, (one for one in inside if one.focusPolicy() & Qt.FocusPolicy.TabFocus))

    def show_review(
        self, review: Review, message: Message | None, thread: tuple[Message, ...], draft: Draft | None, arguments: str = ""
    ) -> None:
        """Shows a review. `draft` and `arguments` may contain edits that are not decided yet."""
        self.review = review
        proposal = review.proposal
        self._in_inbox = any(SystemLabel.INBOX in one.labels for one in thread)
        original = None if self._below else message
        title = proposal.draft.subject if proposal.draft is not None and proposal.starts else reason_words(proposal.detail)
        self._subject.show_words((message.subject if message is not None else title) or self.tr("(no subject)"))
        self._kind.setText(item_words(proposal.kind, proposal.starts) if review.allowed else status_words(review.status))
        set_tone(self._kind, KIND_TONES[proposal.kind] if review.allowed else "")
        if original is not None:
            self._header.show_message(original)
            self._attachments.show_message(original)
        self.original.show_message(original)
        self._message_card.setVisible(original is not None)
        why_none = self.tr("The assistant needs this for your request.")
        if proposal.message_id:
            why_none = self.tr("The email this is about is no longer in the mailbox.")
        elif proposal.starts:
            why_none = self.tr("A new email you asked the assistant to write.")
        self._no_message_label.show_words(why_none)
        self._no_message_label.setVisible(message is None)
        self.detail.show_review(review)
        informs = message is not None and proposal.kind is ReviewKind.NOTIFY
        matter = reason_words(proposal.detail) or reason_words(proposal.reason) or kind_explained(proposal.kind)
        self.matter.show_words(matter)
        self.matter.setVisible(informs)
        self._cards.setVisible(not informs)
        if draft is not None:
            known = self._below and message is not None and draft.subject == reply_subject(message.subject)
            self.card.show_draft(review, draft, recipient_context(proposal, thread), known)
            self.card.set_read_only(Action.EDIT not in review.allowed)
        self._cards.setCurrentWidget(self.card if draft is not None else self._card_without_draft(review, thread, arguments))
        self.why.show_review(review, whose_card(proposal, message), matter if informs else "")
        self.flags.show_flags(proposal.flags)
        self.flags.leave_out(self.card.files.taken_off if draft is not None else ())
        for bar in (self.later, self.no_model, self.anyway):
            bar.hide()
        if not self.ask.isHidden():
            self.ask.close_bar()
        self._set_actions(review, draft)

    @property
    def about(self) -> MessageId:
        """The message that the review is about, 0 for none."""
        return self.review.proposal.message_id if self.review is not None else MessageId(0)

    @property
    def may_archive(self) -> bool:
        """Whether approving could also archive: the draft answers a conversation in the inbox."""
        review = self.review
        draft = review.proposal.draft if review is not None and Action.ACCEPT in review.allowed else None
        return draft is not None and self._in_inbox

    @property
    def archives(self) -> bool:
        """Whether approving also archives, as the user last chose."""
        return self.may_archive and remembered(self._context.state, ARCHIVE, 1) == 1

    def remember_archive(self, archives: bool) -> None:
        self._context.state.setValue(ARCHIVE, int(archives))

    def showEvent(self, event: QShowEvent) -> None:
        """Two pages share the actions: the panel that comes on screen sets them."""
        super().showEvent(event)
        self.offer()

    def offer(self) -> None:
        """Sets the actions to what may be done with the review."""
        if self.review is not None:
            self._set_actions(self.review, self.review.proposal.draft)

    def draft(self) -> Draft | None:
        shown = self.review is not None and self.review.proposal.draft is not None
        return self.card.draft() if shown else None

    @property
    def typing(self) -> bool:
        held = self.focusWidget()
        return held is not None and held.hasFocus() and self._cards.isAncestorOf(held)

    def words(self) -> UnsavedWords:
        asking = "" if self.ask.isHidden() else self.ask.purpose
        line, ticked = (self.ask.line.text(), self.ask.ticked) if asking else ("", -1)
        card, meeting = self._cards.currentWidget(), ""
        if isinstance(card, MeetingCard):
            with suppress(NotAllowed):  # an incomplete address is not a valid meeting yet
                meeting = card.arguments
        answer, fields = (self.detail.answer.toPlainText(), self.detail.typed) if card is self.detail else ("", {})
        typed = bool(line) and line not in common_reasons()  # a ready reason is chosen again as easily
        return UnsavedWords(answer, asking if typed or ticked >= 0 else "", line, ticked, fields, meeting)

    def arguments(self) -> str:
        """Returns the edited arguments of a tool call as JSON, empty if unchanged. Raises `NotAllowed`, `ValueError`."""
        if self.review is None or self.review.proposal.draft is not None:
            return ""
        card = self._cards.currentWidget()
        return card.arguments if isinstance(card, MeetingCard) else self.detail.arguments

    @property
    def comparing(self) -> bool:
        return "compare" in vars(self) and self._cards.currentWidget() is self.compare.parentWidget()

    def show_difference(self) -> None:
        draft, card = self.draft(), self.compare.parentWidget()
        if self.comparing:
            self._cards.setCurrentIndex(0)
        elif self.review is not None and draft is not None and card is not None:
            proposed = self.review.proposed or self.review.proposal.draft
            self.compare.compare(told_with_files(proposed), told_with_files(draft))
            self._cards.setCurrentWidget(card)

    def first_field(self) -> QWidget | None:
        """Returns the first field to edit in a review without a draft. None if nothing can be edited."""
        card = self._cards.currentWidget()
        if isinstance(card, MeetingCard):
            return card.view
        return next(iter(self.detail.fields.values()), None)

    def show_draft(self) -> None:
        self.card.open_text()
        if self.comparing:
            self._cards.setCurrentIndex(0)

    def set_back_visible(self, visible: bool) -> None:
        self._back.setVisible(visible)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() >= at_text_size(SIDE_BY_SIDE_FROM)
        wanted = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self._split.orientation() is not wanted:
            self._split.setOrientation(wanted)
            self._restore_split()

    def _card_without_draft(self, review: Review, thread: tuple[Message, ...], arguments: str) -> QWidget:
        """Returns the card for a review without a draft: the meeting or the proposal."""
        proposal = review.proposal
        if request_of(proposal.request_json)[0] != SCHEDULE_MEETING:
            return self.detail
        if not self.meeting.show_meeting(review, recipient_context(proposal, thread), arguments):
            return self.detail
        self.meeting.set_read_only(Action.EDIT not in review.allowed)
        return self.meeting

    def _set_actions(self, review: Review, draft: Draft | None) -> None:
        actions, kind, waits = self._context.actions, review.proposal.kind, bool(review.allowed)
        approve, other, accepts = actions["review.approve"], actions["review.approve_other"], Action.ACCEPT in review.allowed
        informs, attends = waits and kind is ReviewKind.NOTIFY, waits and SECTIONS[kind] is ReviewSection.ATTENTION
        red, asks = bool(self.flags.red), respond_words(kind, bool(self._context.settings().model.name))[0]
        for name, action in BUTTONS:
            editable = draft is not None or (action is Action.EDIT and bool(self.first_field()))
            actions[name].setEnabled(action in review.allowed and (editable or action is not Action.EDIT))
        approve.setEnabled(waits)  # without a draft it does the obvious thing
        other.setEnabled(self.may_archive)
        other.setVisible(self.may_archive and not red)
        actions["review.later"].setEnabled(accepts and draft is not None)
        actions["review.write"].setEnabled(accepts and may_go_on(review, draft))
        actions["review.compare"].setEnabled(draft is not None)
        actions["review.changes"].setText(asks)
        both, alone = self.tr("Approve and archive"), spec_words("review.approve")
        first, second = (both, self.tr("Approve only")) if self.archives else (alone, both)
        icons = ("archive", "sending") if self.archives else ("approve", "archive")
        if red and draft is not None:
            icons = ("sending", "archive")
        if informs or attends:
            first = self.tr("Dismiss") if informs else asks
        elif red and accepts:
            first = self.tr("Send anyway…") if draft is not None else self.tr("Do it anyway…")
        approve.setText(first)
        approve.setIconText(alone if first == both else first)
        other.setText(second)
        show_icons(self._context.icons, {approve: icons[0], other: icons[1]})
        self.put_first(not red or informs)
        for name, made in self._made.items():
            made.offer(name not in (NOT_FOR_NOTICES if informs else NOT_FOR_QUESTIONS if attends else ()))
        dismissable = kind not in (ReviewKind.REPLY, ReviewKind.TOOL_CALL, ReviewKind.PLAN)
        actions["review.reject"].setText(self.tr("Dismiss") if dismissable else self.tr("Reject"))
        set_role(self._made["review.reject"], "" if dismissable else "danger")
        self._bar.fit()
        self.offered.emit()

    def _edited(self) -> None:
        self.flags.refuse("")
        self.flags.leave_out(self.card.files.taken_off)
        self.edited.emit()

    def _save_split(self) -> None:
        """Saves the message's share in thousandths, one value per orientation."""
        first, second = self._split.sizes()
        self._context.state.setValue(self._split_key, round(1000 * first / max(1, first + second)))

    def _restore_split(self) -> None:
        wide = self._split.orientation() is Qt.Orientation.Horizontal
        share = min(max(remembered(self._context.state, self._split_key, 500 if wide else 420), 50), 950)
        self._split.setSizes([share, 1000 - share])

    @property
    def _split_key(self) -> str:
        return "splitters/desk_across" if self._split.orientation() is Qt.Orientation.Horizontal else "splitters/desk_down"

    def put_first(self, approve: bool) -> None:
        """Makes Approve the filled button, or a plain one where the user should think first."""
        set_role(self._made["review.approve"], "primary" if approve else "")

    def _lay_out(self) -> None:
        """Message, draft and reasons scroll; flags and questions stay visible below them, if there is room."""
        head = column(None, (Space.LARGE, Space.MEDIUM, Space.LARGE, Space.SMALL), Space.SMALL, self._header, self._attachments)
        # the text's square background must not cover the card's round corners
        column(self._message_card, (1, 1, 1, Space.TIGHT), 0, head, rule(), (self.original, 1))
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setProperty("role", "gap")
        self._split.setHandleWidth(Space.SMALL)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._message_card)
        self._split.addWidget(self._cards)
        self._split.splitterMoved.connect(lambda _at, _index: self._save_split())
        self._restore_split()
        reading, middle = QWidget(), QWidget()
        scrolled, fixed = ((self.flags,), ()) if self._below and is_large_text() else ((), (self.flags,))
        column(reading, 0, Space.SMALL, *scrolled, self._no_message_label, self.matter, (self._split, 1), self.why)
        parts = ((Scrolled(reading), 1), *fixed, self.ask, self.no_model, self.anyway, self.later)
        column(middle, (Space.LARGE, 0, Space.LARGE, Space.SMALL), Space.SMALL, *parts)
        layout = column(self, 0, 0)
        if self._below:
            for part in (self._back, self._subject, self._kind):
                part.setParent(self)
                part.hide()
            layout.addWidget(rule())
        else:
            margin = (Space.LARGE, Space.MEDIUM, Space.LARGE, Space.SMALL)
            layout.addLayout(row(None, margin, Space.SMALL, self._back, (self._subject, 1), self._kind))
        layout.addWidget(middle, 1)
        names = [name for name, _action in BUTTONS] + ([] if self._below else ["review.skip"])
        roles = {"review.approve": "primary", "review.reject": "danger"}
        self._made = {name: KeyButton(self._context.actions[name], roles.get(name, "")) for name in names}
        self._bar = ActionButtonBar(list(self._made.values()), apart=5)
        OneFilled(self._made["review.approve"], self.ask, self.no_model, self.anyway, self.later)
        layout.addWidget(self._bar)
