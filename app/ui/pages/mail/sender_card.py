"""The card of the sender beside a conversation: how much was written, promises, a note, and the last conversations.

It stands there in a wide pane, or when the owner clicks the sender or presses the key.
"""

from functools import partial

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QFrame, QPushButton

from app.domain.ids import MessageId
from app.domain.mail.message import Message, ThreadRow
from app.ui.context import Context
from app.ui.i18n.formatting import when_short
from app.ui.message.thread_view import ReadingPane
from app.ui.pages.review.why import ContactCard
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.containers import Scrolled
from app.ui.widgets.factory import STRETCH, button, clear, column, label
from app.ui.widgets.hints import plain_tip

WIDE = 980
"""From this width of the pane on, in pixels at 100 %, the card is shown unless the owner hid it."""
LEAST = 560
"""In a narrower pane there is no room for it."""
WIDTH = 250
LAST = 5
SHOWN = "mail/sender_card"
"""Whether the owner wants the card, in window.ini: 1, 0, or nothing to follow the width."""
LONGEST = 34
"""Characters of a subject."""


class SenderCard(QFrame):
    """Follows the message in `reading`."""

    def __init__(self, context: Context, reading: ReadingPane) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._context, self._reading = context, reading
        self._message: Message | None = None
        self._covered = False
        self.contact = ContactCard(context)
        self.heading = label(self.tr("Last conversations"), Type.STRONG)
        self._lines = column(None, 0, Space.HAIR)
        inside = QFrame()
        margins = (Space.MEDIUM, Space.LARGE, Space.LARGE, Space.LARGE)
        column(inside, margins, Space.SMALL, self.contact, self.heading, self._lines, STRETCH)
        column(self, 0, 0, Scrolled(inside))
        self.setFixedWidth(at_text_size(WIDTH))
        reading.put_beside(self)
        reading.showed.connect(self._follow)
        reading.sender_clicked.connect(self.toggle)
        reading.installEventFilter(self)
        self.hide()

    @property
    def wanted(self) -> bool:
        """Whether to show the card, by the owner's word or else by the width."""
        if not self._roomy or self._covered:
            return False
        said = str(self._context.state.value(SHOWN, "") or "")
        return said == "1" if said else self._reading.width() >= at_text_size(WIDE)

    @property
    def _roomy(self) -> bool:
        """Whether the message keeps enough room beside the card."""
        return self._reading.width() >= at_text_size(LEAST)

    def toggle(self) -> None:
        """Shows or hides the card from now on."""
        if not self._roomy:
            self._context.notices.tell(self.tr("Make the window wider to see the sender's card."))
            return
        self._context.state.setValue(SHOWN, "0" if self.isVisible() else "1")
        self._follow()

    def cover(self, covered: bool) -> None:
        """Leaves the place beside the message to another panel while it is `covered`."""
        if covered is not self._covered:
            self._covered = covered
            self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.wanted is self.isHidden():
            self._follow()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        message = self._reading.message
        self.setVisible(self.wanted and message is not None and not message.outgoing)
        if self.isHidden() or message is None:
            self._message = None
        elif self._message is None or self._message.id != message.id:
            self._message = message
            self._fill(message)

    def _fill(self, message: Message) -> None:
        self.contact.show_contact(message.account_id, message.sender.email)
        last = self._context.reader.last_of_sender(message.account_id, message.sender.email, LAST + 1)
        rows = self._context.reader.thread_rows([thread for thread, _ in last if thread != message.thread_id])
        clear(self._lines)
        for thread_id, message_id in last:
            if thread_id in rows:
                self._lines.addWidget(self._line(rows[thread_id], message_id))
        self.heading.setVisible(bool(rows))

    def _line(self, thread: ThreadRow, message_id: MessageId) -> QPushButton:
        words = thread.subject or self.tr("(no subject)")
        cut = words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
        made = button(cut, "link", partial(self._context.navigator.show_message, message_id))
        made.setToolTip(plain_tip(f"{words} · {when_short(thread.date, self._context.clock())}"))
        return made
