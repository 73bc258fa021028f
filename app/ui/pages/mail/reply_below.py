"""Answers by hand, written below the message: the parts and keys of the compose page."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication

from app.domain.ids import LetterId, ThreadId
from app.domain.mail.letter import Letter, LetterState
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.message.thread_view import ReadingPane
from app.ui.pages.compose.editor import LetterTextEditor
from app.ui.pages.compose.page import ComposePage
from app.ui.pages.mail.draft_below import has_focus
from app.ui.theme.metrics import at_text_size

LOWEST, LOW, HIGHEST = 220, 300, 380
SHARE = 0.56
"""Most of the pane's height that the answer takes."""


class ReplyBelow(ComposePage):
    """Hidden unless an answer to the conversation in `reading` is being written. `leave` moves the focus back to the list.

    Emits `opened` when it comes on screen and goes, `archived` when sending takes the conversation out of the inbox, and
    `returned` with the conversation of an answer that was not sent after all.
    """

    opened = Signal(bool)
    archived = Signal()
    returned = Signal(object)

    def __init__(self, context: Context, reading: ReadingPane, leave: Callable[[], object]) -> None:
        super().__init__(context, below=True)
        self._reading, self._leave_to = reading, leave
        self._begun: dict[ThreadId, LetterId] = {}
        """Answers begun here that are still open, by conversation."""
        self._thread_id: ThreadId | None = None
        self.setAccessibleName(self.tr("Reply"))
        connect_actions(self, context, {"compose.full": self._open_whole})
        self.hide()
        reading.below.addWidget(self)
        reading.showed.connect(self.follow)
        reading.installEventFilter(self)

    @property
    def writing(self) -> bool:
        return self.letter_id is not None and not self.isHidden()

    def write(self, letter: Letter) -> None:
        """Begins an answer to the conversation on screen, or goes on with the one that is open."""
        thread_id = self._reading.thread_id
        if thread_id is None:
            return
        if self.writing and thread_id == self._thread_id:
            self.card.start_typing()
            return
        self._show_answer(thread_id, self._stored(thread_id) or letter)
        self.card.start_typing()

    def go_back(self) -> bool:
        """Closes an open question, else leaves the text, else closes the answer. Returns whether it did."""
        if not self.writing:
            return False
        if not has_focus(self):
            return super().go_back()
        if not self.form.close_bar():
            self._leave_to()
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.writing:
            self._fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), min(at_text_size(HIGHEST), round(self._reading.height() * SHARE)))

    def minimumSizeHint(self) -> QSize:
        return QSize(1, min(at_text_size(LOWEST), self.sizeHint().height()))

    def _fit(self) -> None:
        """Keeps to the share of the pane. Where it is low, recipients and text need the room of the short answers."""
        high = self.sizeHint().height()
        self.setMaximumHeight(high)
        self.card.answers.make_room(high < at_text_size(LOW))

    def _show_answer(self, thread_id: ThreadId, letter: Letter) -> None:
        self.open(letter, typing=False)
        if self.letter_id is None:
            return
        self._thread_id, self._begun[thread_id] = thread_id, letter.id
        self._fit()
        self.show()
        self.opened.emit(True)

    def _stored(self, thread_id: ThreadId) -> Letter | None:
        """The answer to this conversation that is still open: begun here, else the last one saved in Gmail."""
        drafts = self._reading.letters if thread_id == self._reading.thread_id else []
        letter_id = self._begun.get(thread_id) or next(reversed(drafts), None)
        stored = self.context.reader.letter(letter_id) if letter_id is not None else None
        return stored.letter if stored is not None and stored.state is LetterState.OPEN else None

    def follow(self) -> None:
        """Follows the reading pane: an answer stays with its conversation, also over a restart."""
        thread_id = self._reading.thread_id
        if thread_id == self._thread_id or not self._reading.isVisible():
            return
        if self.writing:
            self.close_letter()
            self._put_away()
        self._thread_id = thread_id
        letter = self._stored(thread_id) if thread_id is not None else None
        if thread_id is not None and letter is not None:
            self._show_answer(thread_id, letter)

    def _return_to_page(self, archived: bool = False) -> None:
        self._put_away()
        if archived:
            self.archived.emit()

    def _put_away(self) -> None:
        inside = has_focus(self)
        self.hide()
        self.opened.emit(False)
        if inside:
            self._leave_to()

    def _reopen(self, letter: Letter) -> None:
        about = self.context.reader.message(letter.about)
        if about is None or not self._reading.isVisible():
            super()._reopen(letter)
            return
        self._begun[about.thread_id] = letter.id
        self._thread_id = None
        self.returned.emit(about.thread_id)
        self.follow()
        self.card.start_typing()

    def write_alone(self) -> None:
        """Goes on without the conversation, which is gone: the next letters must not be keys of the list."""
        self._open_whole()
        self.context.notices.tell(self.tr("The conversation was deleted in Gmail. Your reply becomes a new conversation."))

    def _open_whole(self) -> None:
        """Goes on in the editor, at the same place of the text."""
        letter, at = self.card.letter(), self.card.editor.textCursor().position()
        if letter is not None:
            self.close_letter()
            self.context.navigator.show_letter(letter)
            self._put_away()  # when the focus is there: the list would choose its first row
            editor = QApplication.focusWidget()
            if isinstance(editor, LetterTextEditor):
                cursor = editor.textCursor()
                cursor.setPosition(min(at, editor.document().characterCount() - 1))
                editor.setTextCursor(cursor)
