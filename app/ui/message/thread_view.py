"""The reading pane. It shows a conversation's subject, its messages on one line each, and the selected message in full. Also the
source view.
"""

from array import array
from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QFontDatabase, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QTextEdit, QWidget

from app.domain.ids import AttachmentId, LetterId, MessageId, ThreadId
from app.domain.mail.files import SOURCE_PART
from app.domain.mail.message import Attachment, Message, MessageLine
from app.ui.context import Context
from app.ui.i18n.formatting import when_short
from app.ui.lists.model import IdModel
from app.ui.lists.row_painter import RowPresentation
from app.ui.lists.view import RowList
from app.ui.message.attachments import AttachmentBar, AttachmentFiles
from app.ui.message.banners import CodeBar, InvitationCard, SuspicionBanner, UnsubscribeBar
from app.ui.message.body import BodyView, web_refused
from app.ui.message.header import MessageHeader, ThreadSummary
from app.ui.message.plain_text import LongPlainText
from app.ui.services.async_task import LatePainting, single_shot
from app.ui.services.notices import ErrorNotice
from app.ui.theme.metrics import Space, Type, at_text_size, is_large_text
from app.ui.widgets.action_buttons import ToolRow
from app.ui.widgets.containers import Dialog, Flowing, ScrolledHead
from app.ui.widgets.factory import STRETCH, button, column, label, named, put, row, rule, tool_button
from app.ui.widgets.labels import Title
from app.ui.widgets.split_view import UNBOUNDED, EmptyState, Stack

LONGEST = 1_000_000


class SourceView(Dialog):
    """Shows the raw source of a mail as text. At most `LONGEST` bytes are shown."""

    def __init__(self, path: Path, save: Callable[[], object], parent: QWidget) -> None:
        super().__init__(parent, self.tr("Original message"))
        self.text = named(LongPlainText(), self.tr("Original message"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        with path.open("rb") as file:
            beginning = file.read(LONGEST)
        self.text.show_words(beginning.decode("utf-8", "replace").replace("\r\n", "\n"))
        cut = self.tr("Only the first megabyte is shown.") if path.stat().st_size > LONGEST else ""
        buttons = (button(self.tr("Save as…"), "", save), button(self.tr("Close"), "primary", self.accept))
        below = row(None, 0, Space.SMALL, label(cut, Type.CAPTION, "soft"), STRETCH, *buttons)
        column(self, Space.LARGE, Space.SMALL, self.text, below)
        self.resize(820, 620)


STRIP_ROWS = 5
STRIP_SHARE = 0.22
"""Most of the pane's height that the rows of the other messages take."""
TIGHT, LOW, LOWEST = 720, 620, 370
"""Below these heights, in pixels at 100 % text size: other messages and answer buttons give their room to a draft; a conversation
has no summary, and other messages give theirs to an answer; the answer buttons give theirs to a warning.
"""
MOST_UNFOLDED = 100
"""Newest messages of a conversation that are shown below each other."""
LEAST_SUBJECT = 200
"""Pixels at 100 % text size that a subject keeps beside its tools, about three words."""


def message_look(message: MessageLine, now: datetime, new: bool) -> RowPresentation:
    draft = QCoreApplication.translate("Words", "Draft") if message.draft else ""
    who = draft or message.sender.name or message.sender.email
    when = when_short(message.date, now)
    return RowPresentation(who, message.subject, message.snippet, when, f"{who}, {when}, {message.snippet}", strong=new)


class Display(NamedTuple):
    """Everything that the reading pane shows. The day is included because times become dates."""

    message: Message | None
    lines: tuple[MessageLine, ...]
    day: date
    conversation: Sequence[Message]
    """The messages that are shown below each other, if they are."""


class ReadingPane(QWidget):
    """Shows a conversation. Emits `back` in a narrow window. `thread_id` and `message` are the last ones requested; the display
    may be some turns of the event loop behind (`show_soon`, `settle`).
    """

    back = Signal()
    sender_clicked = Signal()
    showed = Signal()
    """Another message, or none, is visible."""

    def __init__(self, context: Context, tools: ToolRow | None = None) -> None:
        super().__init__()
        self._context = context
        self._messages: dict[int, MessageLine] = {}
        self._new: set[int] = set()
        """The messages that were unread when the conversation was opened. They stay bold, although that marks them as read."""
        self.thread_id: ThreadId | None = None
        self.message: Message | None = None
        self.letters: list[LetterId] = []
        """Answers to the conversation that are being written here. They are not shown among its messages."""
        self.answers: QWidget | None = None
        """The buttons that answer, if any. They give their room to an answer that is being written."""
        self._filled: Display | None = None
        self._invited = MessageId(0)
        self._conversation: Sequence[Message] = ()
        self._replying = self._drafted = False
        self._soon = single_shot(self, self._fill)
        self._painting = LatePainting(self)
        self._empty = EmptyState(context.icons)
        self._subject = Title()
        self._tools = tools
        self._back = tool_button(context.icons.icon("back"), self.tr("Back to the list"), self.back.emit)
        self._model: IdModel[MessageLine] = IdModel(
            lambda ids: {key: self._messages[key] for key in ids if key in self._messages},
            lambda one: message_look(one, context.clock(), int(one.id) in self._new),
            self,
        )
        name = self.tr("Messages in the conversation")
        self._strip = RowList(context.appearance, context.icons, name, self._model, compact=True)
        self._strip.chosen.connect(lambda key: self._show_message(MessageId(key)))
        self._header = MessageHeader(context.appearance, context.clock)
        self.summary = ThreadSummary(context.reader.message)
        self.suspicion = SuspicionBanner(context)
        self.files = AttachmentFiles(context, self)
        self.attachments = AttachmentBar(context, self.files)
        self.invitation = InvitationCard(context)
        self.leaving = UnsubscribeBar(context)
        self.code = CodeBar(context)
        self.body = BodyView(context)
        self.suspicion.trusted.connect(lambda: self._show_conversation(self._conversation))
        self.files.pictures.connect(self._show_pictures)
        self.above, self.below, self.beside = column(None, 0, 0), column(None, 0, 0), row(None, 0, 0)
        self._header.clicked.connect(self.sender_clicked)
        self._stack = Stack(self._empty, self._make_content(), parent=self)
        column(self, 0, Space.SMALL, self._stack)
        self.set_back_visible(False)
        self.show_nothing()

    def set_back_visible(self, visible: bool) -> None:
        self._back.setVisible(visible)
        self._fit_tools()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_tools()
        self._share_room()

    def make_room(self, *, replying: bool | None = None, drafted: bool | None = None) -> None:
        """Gives the room of the answer buttons, and in a low pane that of the other messages, to an answer being written. A draft
        gets both where there is little room, and needs no button that asks for one.
        """
        self._replying = self._replying if replying is None else replying
        self._drafted = self._drafted if drafted is None else drafted
        if self._tools is not None:
            self._tools.offer_main(not self._drafted)
        self._share_room()

    def _share_room(self) -> None:
        """Shows the other messages and the answer buttons where there is room for them."""
        tight, low, lowest = (self.height() < at_text_size(most) for most in (TIGHT, LOW, LOWEST))
        if self.answers is not None:
            self.answers.setHidden(self._replying or (tight and self._drafted) or (lowest and self.suspicion.warns))
        self.summary.setMaximumHeight(0 if low else UNBOUNDED)
        high, messages = self._strip.row_height, len(self._messages)
        rows = min(messages, STRIP_ROWS, max(1, round(self.height() * STRIP_SHARE / high)))
        # The scroll bar is fixed, since one that appears and goes would lay out every row twice.
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if messages > rows else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self._strip.setVerticalScrollBarPolicy(policy)
        self._strip.setFixedHeight(high * rows)
        hidden = (low and self._replying) or (tight and self._drafted)
        self._strip.setVisible(messages > 1 and not self.unfolded and not hidden)

    @property
    def starred(self) -> bool:
        return self.thread_id is not None and any(one.starred for one in self._messages.values())

    @property
    def unread(self) -> bool:
        return self.thread_id is not None and any(one.unread for one in self._messages.values())

    @property
    def typing(self) -> bool:
        """Whether the focus is in a text field of this pane."""
        held = self.window().focusWidget()
        return isinstance(held, QLineEdit | QTextEdit) and not held.isReadOnly() and self.isAncestorOf(held)

    def show_nothing(self) -> None:
        self.show_soon(None)
        self.settle()

    @property
    def unfolded(self) -> bool:
        """Whether all messages of the conversation are shown below each other."""
        return bool(self._conversation)

    def unfold(self) -> None:
        """Shows all messages of the conversation below each other."""
        self.settle()
        if self.message is not None:
            self._show_conversation(self._read_conversation())
            self.body.take_focus()

    def fold(self) -> None:
        """Shows the messages as one line each, and the selected one in full."""
        if self.unfolded:
            self._show_conversation(())

    def _read_conversation(self) -> Sequence[Message]:
        messages: Sequence[Message] = ()
        if self.thread_id is not None:
            with ErrorNotice(self._context.notices):
                read = self._context.reader.messages(self.thread_id)
                messages = tuple(one for one in read if one.id in self._messages)[-MOST_UNFOLDED:]
        return messages

    def _show_conversation(self, messages: Sequence[Message]) -> None:
        self._conversation = messages
        self._message_head.setHidden(self.unfolded)
        self._share_room()
        warnings = {int(one.id): words for one in messages if (words := self.suspicion.warning(one))}
        self.body.show_conversation(messages, warnings)
        self._show_inline()
        if not messages:
            self.body.suspect(self.suspicion.warns)

    def _show_inline(self) -> None:
        """Gives the body the inline pictures of what it shows."""
        if self.message is not None:
            self.files.fetch_inline(() if web_refused() else self._conversation or (self.message,))  # then they are files
            self.body.set_inline(self.files.inline())

    def go(self, by: int) -> None:
        """Goes to the next or previous message of the conversation."""
        if self.thread_id is not None:
            self._strip.select_row(min(max(self._strip.current_row() + by, 0), len(self._messages) - 1))

    def show_thread(self, thread_id: ThreadId, message_id: MessageId | None = None) -> None:
        """Shows a conversation at once, at `message_id` or at the newest message."""
        self.show_soon(thread_id, message_id)
        self.settle()

    def show_soon(self, thread_id: ThreadId | None, message_id: MessageId | None = None) -> None:
        """Like `show_thread`, but the display follows in a later turn. This keeps moving quickly through a list cheap. None shows
        nothing. An unchanged conversation is left alone.
        """
        found: dict[int, MessageLine] = {}
        message: Message | None = None
        if thread_id is not None:
            with ErrorNotice(self._context.notices):  # never keep another mail on screen: the next action would apply to it
                lines = self._context.reader.thread_lines(thread_id)
                self.letters = [one.letter_id for one in lines if one.draft and one.letter_id is not None]
                shown = [one for one in lines if not one.draft or one.letter_id is None]
                found = {int(one.id): one for one in shown or lines}
                # The one message whose body is read: the named one, else the current one, else the newest that is no draft.
                here = self.message.id if self.message is not None and thread_id == self.thread_id else None
                newest = [one.id for one in found.values() if not one.draft] or [one.id for one in found.values()]
                wanted = [one for one in (message_id, here) if one in found] or newest[-1:]
                message = self._context.reader.message(wanted[0]) if wanted else None
        if message is None:
            self.thread_id, self.message = None, None
            self._soon.start()
            return
        unread = {key for key, one in found.items() if one.unread}
        by_opening = self._context.settings().reading.mark_read != "never"
        self._new = self._new | unread if by_opening and thread_id == self.thread_id else unread
        self.thread_id, self._messages, self.message = thread_id, found, message
        if self._filled != self._to_fill():
            self._soon.start()

    def settle(self) -> None:
        """Shows what was requested now, without waiting for the next turn."""
        if self._soon.isActive():
            self._soon.stop()
            self._fill()

    def _fill(self) -> None:
        """Fills the display, which is painted in a turn of its own."""
        from_web = self.body.in_web_view
        self._painting.hold()
        # Each part shown or hidden would lay out the pane again, up to nine times and 4 of 18 ms. It is done once, at the end.
        self._content.setEnabled(False)
        try:
            self._fill_parts()
        finally:
            self._content.setEnabled(True)
            self._content.activate()
            # Chromium's view leaves a black hole when it goes while nothing is painted.
            self._painting.release(now=from_web or self.body.in_web_view)
        self.showed.emit()

    def _fill_parts(self) -> None:
        if self.message is None:
            self._filled, self._invited = None, MessageId(0)
            self.fold()
            self._empty.show_state("mail", self.tr("Nothing selected"), self.tr("Choose a conversation to read it here."))
            self._stack.setCurrentIndex(0)
            return
        message, shown, filled = self.message, self._filled, self._to_fill()
        self._subject.show_words(next(iter(self._messages.values())).subject or self.tr("(no subject)"))
        self._model.set_ids(array("q", self._messages))
        self.summary.show_thread([one.id for one in self._messages.values()])
        if shown is None or shown.message != message:  # the page reads again with every change of mail
            self._fill_head(message)
            self._fill_body(message)  # last: Qt moves the picture of an opaque view even while nothing is painted
        if self.unfolded:
            self._show_conversation(filled.conversation)
        else:
            self._share_room()
        self._strip.select_row(self._model.row_of(message.id), quiet=True)
        self._filled = filled
        self._stack.setCurrentIndex(1)

    @property
    def settled(self) -> bool:
        return not self._soon.isActive()

    def _to_fill(self) -> Display:
        same = self.message is not None and self.unfolded and self._conversation[0].thread_id == self.message.thread_id
        conversation = self._read_conversation() if same else ()
        return Display(self.message, tuple(self._messages.values()), self._context.clock().date(), conversation)

    def _show_message(self, message_id: MessageId) -> None:
        self.settle()
        message: Message | None = None
        with ErrorNotice(self._context.notices):
            message = self._context.reader.message(message_id) if message_id in self._messages else None
        if message is None or message == self.message or self._filled is None:
            return
        self.message, self._filled = message, self._filled._replace(message=message)
        self._fill_head(message)
        self._fill_body(message)
        self.showed.emit()

    def _fill_head(self, message: Message) -> None:
        self._header.show_message(message)
        self.suspicion.show_message(message)
        if not self.unfolded:
            self.body.suspect(self.suspicion.warns)
        self.files.show_message(message)
        self.leaving.show_message(message)
        self.code.show_message(message)
        if self._invited != message.id:
            self._invited = message.id
            self.invitation.show_message(message)

    def _fill_body(self, message: Message) -> None:
        self.body.show_message(message)
        self._show_inline()
        self.attachments.show_message(message)

    def show_source(self) -> None:
        self.settle()
        if self.message is not None:
            whole = Attachment(AttachmentId(0), self.message.id, SOURCE_PART, "mail.eml", "message/rfc822", 0, "", inline=False)
            self._context.notices.tell(self.tr("Downloading the original…"), for_ms=1500)
            self.files.want(
                self.message.id, SOURCE_PART, lambda path: SourceView(path, partial(self.attachments.save, whole), self).open()
            )

    def _show_pictures(self) -> None:
        self._show_inline()
        if self.message is not None and self.settled:
            self.attachments.show_message(self.message)

    def _fit_tools(self) -> None:
        if self._tools is None:
            return
        room = self.width() - 2 * Space.LARGE
        if not is_large_text():
            back = self._back.sizeHint().width() + Space.SMALL if self._back.isVisibleTo(self) else 0
            room -= back + at_text_size(LEAST_SUBJECT) + Space.SMALL
        self._tools.fit(max(0, room))

    def _make_content(self) -> QWidget:
        content = QWidget()
        content.setProperty("role", "surface")
        title = row(None, (Space.LARGE, 0), Space.SMALL)
        self._subject.setContentsMargins(0, Space.MEDIUM, 0, Space.MEDIUM)  # as high as the list's heading, with any tools
        put(title, self._back, (self._subject, 1))
        below = row(None, 0, Space.SMALL)
        if self._tools is not None and is_large_text():
            below.setContentsMargins(Space.MEDIUM, 0, Space.LARGE, Space.MEDIUM)
            put(below, self._tools, STRETCH)
        elif self._tools is not None:
            title.addWidget(self._tools)
        head, parts = Flowing(), (self._header, self.code, self.leaving, self.attachments, self.invitation)
        column(head, (Space.LARGE, Space.MEDIUM), Space.MEDIUM, *parts)
        self._message_head = ScrolledHead(head)
        notes = column(None, (Space.LARGE, Space.SMALL, Space.LARGE, Space.TIGHT), Space.SMALL, self.suspicion, self.summary)
        reading = column(None, 0, 0, notes, self._strip, self._message_head, (self.body, 1), self.below)
        self.beside.insertLayout(0, reading, 1)
        self._content = column(content, 0, 0, title, below, self.above, rule(), (self.beside, 1))
        return content
