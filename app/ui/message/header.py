"""Header of a message: sender, recipients, date, names of attachments. Also the summary of a long conversation."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QAction, QColor, QGuiApplication, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.domain.errors import ExpectedError
from app.domain.ids import MessageId
from app.domain.mail.message import Address, Message, SystemLabel
from app.ui.i18n.formatting import initials, size_words, when_long, when_short
from app.ui.services.async_task import BackgroundImport, single_shot
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Space, Type, at_text_size, is_large_text
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import RoleFrame, button, chip, clear, column, label, plain_tip, row
from app.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:  # its patterns take 60 to 130 ms to compile: imported in a thread for the first long conversation
    from app.domain.language.summary import SummaryLine

SHOWN = 4
NARROW = 400
"""Below this width, in pixels at 100 %, the date stands below the name."""
SIGNED = re.compile(r"\bdkim=pass\b[^;]*?\bheader\.[di]=@?([\w.\-]+)", re.IGNORECASE)


def address_words(address: Address) -> str:
    return f"{address.name} <{address.email}>" if address.name else address.email


def people_words(people: tuple[Address, ...]) -> str:
    return ", ".join(one.name or one.email for one in people)


class Monogram(QWidget):
    def __init__(self, appearance: Appearance, size: int = 36) -> None:
        super().__init__()
        self._appearance = appearance
        self._who = ""
        self.setFixedSize(at_text_size(size), at_text_size(size))

    def show_name(self, who: str) -> None:
        self._who = who
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._appearance.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.avatars[sum(self._who.encode()) % len(theme.avatars)]))
        rect = QRect(0, 0, self.width(), self.height())
        painter.drawEllipse(rect)
        painter.setPen(QColor(theme.on_avatar))
        painter.setFont(self._appearance.fonts[Type.BODY])
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, initials(self._who))
        painter.end()


class MessageHeader(QWidget):
    """Emits `clicked` for a click on the sender's name or monogram."""

    clicked = Signal()

    def __init__(self, appearance: Appearance, clock: Callable[[], datetime]) -> None:
        super().__init__()
        self._clock = clock
        self._sent = clock()
        self._monogram = Monogram(appearance)
        self._name = ElidedLabel("", Type.STRONG)
        self._address = ElidedLabel("", Type.CAPTION, "soft")
        self._to = ElidedLabel("", Type.CAPTION, "soft")
        self._date = label("", Type.CAPTION, "soft")
        first = self._first = row(None, 0, Space.SMALL, self._name, (self._address, 1))
        self.details = label("", Type.CAPTION, wrap=True)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details.hide()
        self.more: QPushButton = button(self.tr("Details"), "link", self._toggle)
        second = self._second = row(None, 0, Space.SMALL, (self._to, 1), self.more)
        self._date_below = is_large_text()  # beside them it would leave name and address too little room
        (second if self._date_below else first).addWidget(self._date)
        words = column(None, 0, Space.HAIR, first, second, self.details)
        layout = row(self, 0, Space.MEDIUM)
        layout.addWidget(self._monogram, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
        self._email = ""
        for one in (self._monogram, self._name):
            one.setCursor(Qt.CursorShape.PointingHandCursor)
            one.installEventFilter(self)
        copy = QAction(self.tr("Copy the address"), self)
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(self._email))
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def show_message(self, message: Message) -> None:
        sender = message.sender
        self._email = sender.email
        self._monogram.show_name(sender.name or sender.email)
        draft = QCoreApplication.translate("Words", "Draft") if SystemLabel.DRAFT in message.labels else ""
        self._name.show_words(draft or sender.name or sender.email)
        self._address.show_words(sender.email if sender.name else "")
        to = self.tr("to %1").replace("%1", people_words(message.to[:SHOWN]))
        more = len(message.to) - SHOWN
        if more > 0:
            to += " " + self.tr("and %n more", "", more)
        if message.cc:
            to += " · " + self.tr("Cc %1").replace("%1", people_words(message.cc[:SHOWN]))
        everybody = [*map(address_words, message.to), *(f"Cc: {address_words(one)}" for one in message.cc)]
        self._to.show_words(to, "\n".join(everybody))
        signed = SIGNED.search(message.header("Authentication-Results"))
        facts = (
            (self.tr("From"), address_words(sender)),
            (self.tr("To"), ", ".join(map(address_words, message.to))),
            (self.tr("Cc"), ", ".join(map(address_words, message.cc))),
            (self.tr("Bcc"), ", ".join(map(address_words, message.bcc))),
            (self.tr("Reply to"), ", ".join(map(address_words, message.reply_to))),
            (self.tr("Date"), when_long(message.date)),
            (self.tr("Signed by"), signed[1] if signed else ""),
        )
        self.details.setText("\n".join(f"{name}: {words}" for name, words in facts if words))
        self._sent = message.date
        self._date.setToolTip(plain_tip(when_long(message.date)))
        self._share()

    def _toggle(self) -> None:
        self.details.setVisible(self.details.isHidden())
        self.more.setText(self.tr("Hide details") if self.details.isVisible() else self.tr("Details"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        button = event.button() if isinstance(event, QMouseEvent) else Qt.MouseButton.NoButton
        if event.type() is QEvent.Type.MouseButtonRelease and button is Qt.MouseButton.LeftButton:
            self.clicked.emit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Limits the width of the name, which anybody can choose. The address keeps its room, or two thirds of it.

        In a narrow header the date is below, as short as in lists.
        """
        below = is_large_text() or self.width() < at_text_size(NARROW)
        if below is not self._date_below:
            self._date_below = below
            (self._first if below else self._second).removeWidget(self._date)
            (self._second if below else self._first).addWidget(self._date)
        self._date.setText(when_short(self._sent, self._clock()) if below else when_long(self._sent))
        date = 0 if self._date_below else self._date.sizeHint().width() + Space.SMALL
        room = self.width() - self._monogram.width() - Space.MEDIUM - Space.SMALL - date
        self._name.setMaximumWidth(max(0, room // 3, room - self._address.sizeHint().width()))


FILE_NAME_WIDTH = 160
"""Longer names are shortened in the middle. The tooltip has the whole name."""


class Attachments(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._lines = column(self, 0, 0)

    def show_message(self, message: Message) -> None:
        clear(self._lines)
        files = [one for one in message.attachments if not one.inline]
        chips = []
        for file in files[:SHOWN]:
            name = file.filename or self.tr("unnamed file")
            short = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, at_text_size(FILE_NAME_WIDTH))
            made = chip(f"{short} · {size_words(file.size)}")
            made.setToolTip(plain_tip(f"{name}\n{file.mime_type}"))
            chips.append(made)
        if len(files) > SHOWN:
            chips.append(chip(self.tr("and %n more", "", len(files) - SHOWN)))
        self._lines.addWidget(FlowRow(chips, Space.TIGHT))
        self.setVisible(bool(files))


LONG_FROM = 8
"""Messages from which a conversation has a summary."""
READ_AT_MOST = 80
SUMMARY_LINES = 3
SUMMARY_AFTER_MS = 40
"""The message is painted first. Its lines have their place already, so that nothing moves."""


class ThreadSummary(RoleFrame):
    """A long conversation in a few of its own sentences; hidden for a short one. `read` returns a message.

    It reads one message in each turn of the event loop, so that keys are answered.
    """

    def __init__(self, read: Callable[[MessageId], Message | None]) -> None:
        super().__init__("notice")
        self._read = read
        self._ids: tuple[MessageId, ...] = ()
        self._left: list[tuple[int, MessageId]] = []
        self._found: list[SummaryLine] = []
        self.setAccessibleName(self.tr("Summary"))
        self._lines = [ElidedLabel("", Type.CAPTION) for _ in range(SUMMARY_LINES)]
        column(self, Space.SMALL, Space.HAIR, label(self.tr("Summary"), Type.CAPTION, "soft"), *self._lines)
        self._soon = single_shot(self, self._step)
        self._module = BackgroundImport("app.domain.language.summary")
        self.hide()

    def show_thread(self, ids: Sequence[MessageId]) -> None:
        wanted = tuple(ids[-READ_AT_MOST:])
        if wanted == self._ids:
            return
        same = bool(self._ids) and wanted[:1] == self._ids[:1]  # another message came: the old lines stay until then
        self._ids, self._left, self._found = wanted, list(enumerate(wanted)), []
        self._soon.stop()
        self.setVisible(len(wanted) >= LONG_FROM)
        if len(wanted) < LONG_FROM:
            return
        for line in () if same else self._lines:
            line.show_words("")
        self._soon.start(SUMMARY_AFTER_MS)

    def _step(self) -> None:
        if not self._module.ready():
            self._soon.start(SUMMARY_AFTER_MS)
            return
        from app.domain.language.summary import chosen, weighed

        if not self._left:
            told = chosen(self._found, SUMMARY_LINES)
            words = [self.tr("%1: %2").replace("%1", one.who).replace("%2", one.sentence) for one in told]
            for at, line in enumerate(self._lines):
                line.show_words(words[at] if at < len(words) else "")
            return
        number, message_id = self._left.pop(0)
        message: Message | None = None
        with suppress(ExpectedError):  # the pane reports it
            message = self._read(message_id)
        if message is not None:
            who = self.tr("You") if message.outgoing else message.sender.name or message.sender.email
            self._found += weighed(number, len(self._ids), who, message.body_text)
        self._soon.start(0)
