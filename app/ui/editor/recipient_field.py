"""A line of recipients as chips, with a status; Cc and Bcc lines; completion of addresses."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from enum import StrEnum

from PySide6.QtCore import (
    QAbstractItemModel,
    QCoreApplication,
    QEvent,
    QMimeData,
    QObject,
    QPoint,
    QRect,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QCompleter, QLineEdit, QListView, QPushButton, QStyle, QStyleOptionFrame, QWidget

from app.domain.drafting.review import FlagKind, Proposal, request_of
from app.domain.mail.message import Address, Message
from app.domain.ports.window import KnownAddress
from app.domain.record import Record
from app.ui.context import Context, Notices
from app.ui.services.notices import OnceNotice
from app.ui.theme.appearance import PopupStyle
from app.ui.theme.metrics import Radius, Space, Type, at_text_size, is_large_text
from app.ui.theme.painting import MEASURED
from app.ui.widgets.factory import button, chip, label, named, plain_tip, put, row, say

_EMAIL = re.compile(r"[^\s@<>,;\"]+@[^\s@<>,;\".]+(?:\.[^\s@<>,;\".]+)+\Z")
_PIECE = re.compile(r'(?:"[^"]*"|<[^<>]*>|[^,;"<])+|["<]')
"""Text between separators; commas inside quotes or angle brackets do not separate."""
_NAMED = re.compile(r"\s*(.*?)\s*<([^<>]*)>\s*\Z")
_GROUP = re.compile(r'^\s*[^@:<>"]*:')
"""Group name before its first member (RFC 5322), or the `mailto:` of a link."""
_PLAIN_NAME = re.compile(r"[\w .'\-]*\Z")


class RecipientStatus(StrEnum):
    """What is known of a recipient, the worst first."""

    INVALID = "invalid"
    LOOK_ALIKE = "look_alike"
    NEW = "new"
    KNOWN = "known"
    IN_THREAD = "in_thread"


class KnownPeople(Container[str]):
    """Lower-case addresses that mail was exchanged with. Everyone counts as known while the database cannot be read."""

    def __init__(self, context: Context) -> None:
        self._reader, self._notice = context.reader, OnceNotice(context.notices)

    def __contains__(self, email: object) -> bool:
        known = self._notice.read(lambda: self._reader.known_emails((str(email),)))
        return known is None or email in known


class RecipientContext(Record):
    """Addresses that decide a status, all in lower case. `look_alike` holds what the red flag named: addresses or domains."""

    in_thread: frozenset[str]
    known: Container[str]
    look_alike: frozenset[str]


def people_of(thread: Iterable[Message]) -> frozenset[str]:
    """The addresses in a conversation, in lower case."""
    people = (person for one in thread for person in (one.sender, *one.to, *one.cc, *one.reply_to))
    return frozenset(person.email.lower() for person in people)


def recipient_context(proposal: Proposal, thread: Iterable[Message]) -> RecipientContext:
    """For those to whom a draft, or an invitation to a meeting, goes: the red flags were computed for them."""
    asked: Iterable[object] = [one.email for one in proposal.draft.recipients] if proposal.draft else ()
    if proposal.draft is None:
        asked = request_of(proposal.request_json)[1].get("attendees", ())
    about = {kind: frozenset(flag.about.lower() for flag in proposal.flags if flag.kind is kind) for kind in FlagKind}
    known = frozenset(one.lower() for one in asked if isinstance(one, str)) - about[FlagKind.NEVER_WRITTEN_TO]
    return RecipientContext(people_of(thread), known, about[FlagKind.LOOK_ALIKE_DOMAIN])


def standing(address: Address, around: RecipientContext) -> RecipientStatus:
    email = address.email.lower()
    if not _EMAIL.match(email):
        return RecipientStatus.INVALID
    if any(email == one or address.domain.lower() == one for one in around.look_alike):
        return RecipientStatus.LOOK_ALIKE
    if email in around.in_thread:
        return RecipientStatus.IN_THREAD
    return RecipientStatus.KNOWN if email in around.known else RecipientStatus.NEW


def written(addresses: tuple[Address, ...]) -> str:
    """Formats addresses as one line to edit."""
    found = []
    for one in addresses:
        name = one.name if _PLAIN_NAME.match(one.name) else '"' + one.name.replace("\\", "").replace('"', "'") + '"'
        found.append(f"{name} <{one.email}>" if name else one.email)
    return ", ".join(found)


def read(line: str) -> tuple[Address, ...]:
    """Parses addresses, `Name <email>`, `"Name" <email>` or bare, separated by commas, semicolons or, in bare lists as pasted
    from a table, spaces. Groups give their members. Invalid addresses are kept, to be marked.
    """
    found: list[Address] = []
    for piece in _PIECE.findall(" ".join(line.split())):
        piece = _GROUP.sub("", piece, count=1)
        words, named = piece.split(), _NAMED.match(piece)
        if named is not None:
            found.append(Address(named[2].strip().lower(), named[1].strip().strip('"').strip()))
        elif len(words) > 1 and all(map(_EMAIL.match, words)):
            found += [Address(one.lower()) for one in words]
        else:
            found.append(Address(piece.strip().lower()))
    return tuple(one for one in found if one.email or one.name)


def standing_words(standing: RecipientStatus) -> tuple[str, str]:
    table = {
        RecipientStatus.IN_THREAD: (QCoreApplication.translate("Standing", "in conversation"), "positive"),
        RecipientStatus.KNOWN: (QCoreApplication.translate("Standing", "known"), ""),
        RecipientStatus.NEW: (QCoreApplication.translate("Standing", "new"), "warning"),
        RecipientStatus.LOOK_ALIKE: (QCoreApplication.translate("Standing", "impostor?"), "danger"),
        RecipientStatus.INVALID: (QCoreApplication.translate("Standing", "not an address"), "danger"),
    }
    return table[standing]


INSET = 2
"""Pixels that Qt leaves at either side of a line edit's text."""
CHIP_ROOM = 260
CROSS = "×"
RECIPIENT = "application/x-replyroom-recipient"
"""Format of a dragged recipient: the address as written in a line."""


class RecipientLine(QLineEdit):
    """A line edit that shows a chip for each recipient while it has no focus. The tooltip has all addresses.

    A chip can be dragged to another line, and removed by its cross. Emits `rewritten` with the recipients that are left or were
    added, and `dragging` when a drag begins.
    """

    rewritten = Signal(object)
    dragging = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "quiet")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a press on a chip must leave the chips in place
        self.people: tuple[Address, ...] = ()
        self._pressed: tuple[int, QPoint] | None = None

    def say_whole(self, people: tuple[Address, ...]) -> None:
        """Sets the chips, and the tooltip, one address per line."""
        self.people = people
        self.setToolTip(plain_tip("\n".join(written((one,)) for one in people)))

    def chips(self) -> list[tuple[QRect, str]]:
        """Place and text of each chip that fits."""
        room, metrics, gap = self._room(), self.fontMetrics(), Space.TIGHT
        more = metrics.horizontalAdvance("+99") + 2 * gap
        cross = 0 if self.isReadOnly() else metrics.horizontalAdvance(CROSS) + gap
        widest = room.width() if len(self.people) == 1 else at_text_size(CHIP_ROOM)
        found: list[tuple[QRect, str]] = []
        x = room.left()
        for at, one in enumerate(self.people):
            left = room.right() - x - (more if at < len(self.people) - 1 else 0)
            words = metrics.elidedText(
                written((one,))[:MEASURED], Qt.TextElideMode.ElideRight, min(widest, left) - cross - 2 * gap
            )
            width = metrics.horizontalAdvance(words) + cross + 2 * gap
            if found and (width > left or len(words) < 4):
                break
            found.append((QRect(x, room.top(), width, room.height()), words))
            x += width + gap
        return [(QStyle.visualRect(self.layoutDirection(), room, place), words) for place, words in found]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the chips, and how many more there are."""
        if self.hasFocus() or not self.people:
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        ground, chips = self.palette().highlight().color(), self.chips()
        ground.setAlphaF(0.14)
        middle, end = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight
        for place, words in chips:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(place, Radius.CHIP, Radius.CHIP)
            painter.setPen(self.palette().text().color())
            inside = place.adjusted(Space.TIGHT, 0, -Space.TIGHT, 0)
            painter.drawText(inside, int(Qt.AlignmentFlag.AlignLeft | middle), words)
            if not self.isReadOnly():
                painter.drawText(inside, int(end | middle), CROSS)
        left = len(self.people) - len(chips)
        if left:
            painter.drawText(self._room(), int(end | middle), f"+{left}")
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point, places = event.position().toPoint(), self.chips() if self.people else []
        at = next((at for at, (place, _words) in enumerate(places) if place.contains(point)), -1)
        if self.hasFocus() or at < 0 or self.isReadOnly() or event.button() is not Qt.MouseButton.LeftButton:
            self._pressed = None
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            super().mousePressEvent(event)
            return
        self._pressed = (at, point)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            super().mouseMoveEvent(event)
            return
        at, begun = self._pressed
        if (event.position().toPoint() - begun).manhattanLength() < QApplication.startDragDistance():
            return
        self._pressed = None
        self.dragging.emit()
        data = QMimeData()
        data.setData(RECIPIENT, written((self.people[at],)).encode())
        drag, place = QDrag(self), self.chips()[at][0]
        drag.setMimeData(data)
        drag.setPixmap(self.grab(place))
        if drag.exec(Qt.DropAction.MoveAction) is Qt.DropAction.MoveAction:
            self._rewrite(self.people[:at] + self.people[at + 1 :])

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Removes a recipient by its cross; elsewhere on a chip the line is edited."""
        if self._pressed is None:
            super().mouseReleaseEvent(event)
            return
        (at, _begun), self._pressed = self._pressed, None
        place = self.chips()[at][0]
        cross = self.fontMetrics().horizontalAdvance(CROSS) + 2 * Space.TIGHT
        from_end = event.position().x() - place.left() if self.isRightToLeft() else place.right() - event.position().x()
        if from_end <= cross:
            self._rewrite(self.people[:at] + self.people[at + 1 :])
        else:
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(RECIPIENT) and not self.isReadOnly():
            event.acceptProposedAction()
        else:
            super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if event.mimeData().hasFormat(RECIPIENT):
            event.acceptProposedAction()
        else:
            super().dragMoveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Takes a recipient dragged from another line."""
        if not event.mimeData().hasFormat(RECIPIENT):
            super().dropEvent(event)
            return
        if event.source() is self:
            event.ignore()
            return
        moved = read(bytes(event.mimeData().data(RECIPIENT).data()).decode())
        self._rewrite(self.people + tuple(one for one in moved if one.email not in {known.email for known in self.people}))
        event.acceptProposedAction()

    def _rewrite(self, people: tuple[Address, ...]) -> None:
        self.setText(written(people))
        self.setCursorPosition(0)
        self.rewritten.emit(people)

    def _room(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        inside = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        return inside.adjusted(INSET, 0, -INSET, 0)


NAME_WIDTH = 64
CHIP_FROM = 260
"""Width of a field from which it also says that nothing is wrong with its recipients."""


class RecipientField(QWidget):
    """Label, line and chip. Emits `edited` while the user types."""

    edited = Signal()

    def __init__(self, title: str) -> None:
        super().__init__()
        self._status_context = RecipientContext(frozenset(), frozenset(), frozenset())
        self._shown: tuple[str, tuple[Address, ...]] = ("", ())
        name = label(title, Type.CAPTION, "soft")
        name.setFixedWidth(at_text_size(NAME_WIDTH))
        self.line = named(RecipientLine(), title)
        self._chip, self._calm = chip(), False
        put(row(self), name, (self.line, 1), self._chip)
        self.line.textChanged.connect(self._mark)
        self.line.editingFinished.connect(self._mark)
        self.line.textEdited.connect(lambda _text: self.edited.emit())
        self.line.rewritten.connect(lambda _people: self.edited.emit())

    def show_addresses(self, addresses: tuple[Address, ...], around: RecipientContext) -> None:
        """Shows addresses; `around` decides what is known of them."""
        self._status_context = around
        self._shown = (written(addresses), addresses)
        self.line.setText(self._shown[0])
        self.line.setCursorPosition(0)
        self._mark()

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The addresses in the line. An unedited line returns exactly those that were shown."""
        text = self.line.text()
        return self._shown[1] if text == self._shown[0] else read(text)

    @property
    def standings(self) -> tuple[RecipientStatus, ...]:
        return tuple(standing(address, self._status_context) for address in self.addresses)

    @property
    def wrong(self) -> str:
        """The first invalid address as typed, empty if all are valid."""
        found = (one for one in self.addresses if standing(one, self._status_context) is RecipientStatus.INVALID)
        return next((one.email or one.name for one in found), "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._calm:
            self._show_chip(True)

    def _show_chip(self, found: bool) -> None:
        """Shows what is known of the recipients. In a narrow line only a doubt: the names need the room."""
        self._chip.setVisible(found and not (self._calm and 0 < self.width() < at_text_size(CHIP_FROM)))

    def _mark(self) -> None:
        counts = Counter(self.standings)
        if self.line.hasFocus():
            del counts[RecipientStatus.INVALID]  # it may be half typed
        shown = [one for one in RecipientStatus if counts[one]]
        self._calm = bool(shown) and shown[0] in (RecipientStatus.KNOWN, RecipientStatus.IN_THREAD)
        self._show_chip(bool(shown))
        lines = [f"{address.email}: {standing_words(standing(address, self._status_context))[0]}" for address in self.addresses]
        self.line.setAccessibleDescription("; ".join(lines))
        self.line.say_whole(self.addresses)
        if not shown:
            return
        single = len(shown) == 1 and counts[shown[0]] == 1
        words = [standing_words(one)[0] if single else f"{counts[one]} {standing_words(one)[0]}" for one in shown]
        if shown[0] is RecipientStatus.NEW and len(shown) > 1:
            first = QCoreApplication.translate("Standing", "first mail to %1 of %2 people")
            words = [first.replace("%1", str(counts[shown[0]])).replace("%2", str(counts.total()))]
        say(self._chip, ", ".join(words), standing_words(shown[0])[1])
        self._chip.setToolTip(plain_tip("\n".join(lines)))


class CopyLines:
    """The Cc and Bcc lines, hidden while empty. `more` is the link that shows them; so does a recipient dragged from a line.

    With `subject` that line can be hidden with them.
    """

    def __init__(self, to: RecipientField, cc: RecipientField, bcc: RecipientField, subject: QWidget | None = None) -> None:
        self._cc, self._bcc, self._subject = cc, bcc, subject
        self._lines: tuple[QWidget, ...] = (cc, bcc) if subject is None else (cc, bcc, subject)
        for field in (to, cc, bcc):
            field.line.dragging.connect(self._unfold)
        self.more: QPushButton = button("", "link", self.show)

    def fold(self, subject: bool = False) -> None:
        """Hides empty lines, with `subject` also that line, and names them in the link."""
        for field in (self._cc, self._bcc):
            field.setVisible(bool(field.addresses))
        if self._subject is not None:
            self._subject.setHidden(subject)
        lines = (
            (QCoreApplication.translate("LetterCard", "Cc"), not self._cc.addresses),
            (QCoreApplication.translate("LetterCard", "Bcc"), not self._bcc.addresses),
            (QCoreApplication.translate("LetterCard", "Subject"), subject and self._subject is not None),
        )
        hidden = [words for words, missing in lines if missing]
        self.more.setVisible(bool(hidden))
        self.more.setText(f"{hidden[0]}…" if len(hidden) > 1 and is_large_text() else ", ".join(hidden))

    def show(self) -> None:
        first = next((one for one in self._lines if one.isHidden()), self._cc)
        self._unfold()
        (first.line if isinstance(first, RecipientField) else first).setFocus()

    def _unfold(self) -> None:
        for line in self._lines:
            line.show()
        self.more.hide()


MOST = 8


def folded(text: str) -> str:
    """Lower case without diacritics."""
    if text.isascii():
        return text.lower()
    return "".join(char for char in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(char))


def last_piece(line: str, cursor: int) -> tuple[int, str]:
    """Start and typed text of the address at the cursor. Commas inside quotes do not separate."""
    start, quoted = 0, False
    for place, char in enumerate(line[:cursor]):
        if char == '"':
            quoted = not quoted
        elif char in ",;" and not quoted:
            start = place + 1
    return start, line[start:cursor].lstrip()


class OfferList(QListView):
    """A list of offers. It chooses none when it gets the focus; Qt's list chooses the first."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        chosen = self.currentIndex().isValid()
        super().focusInEvent(event)
        if not chosen:
            self.selectionModel().clearCurrentIndex()


def list_below(line: QLineEdit, model: QAbstractItemModel, most: int) -> tuple[QCompleter, QListView]:
    """Makes a list of offers below a line, unfiltered, in the style of the line."""
    made = QCompleter(model, line)
    made.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
    made.setWidget(line)
    made.setMaxVisibleItems(most)
    popup = named(OfferList(), line.accessibleName())
    made.setPopup(popup)
    PopupStyle(popup, line)
    return made, popup


class AddressCompleter(QObject):
    """Attached to one line edit. `find` returns at most that many people for the typed text; `taken` is called after a match was
    chosen.
    """

    def __init__(
        self, line: QLineEdit, find: Callable[[str, int], Sequence[KnownAddress]], notices: Notices, taken: Callable[[], object]
    ) -> None:
        super().__init__(line)
        self._line, self._find, self._taken = line, find, taken
        self._notice = OnceNotice(notices)
        self._model = QStringListModel(self)
        self.completer, self.popup = list_below(line, self._model, MOST)
        self.completer.setWrapAround(False)  # else Down at the last match chooses none, and Return leaves half a name
        self.completer.activated.connect(self._take)
        line.textEdited.connect(self._typed)
        line.installEventFilter(self)
        self.popup.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tab and Return take the selected match while the list is open. Escape closes the list and not the letter."""
        if not isinstance(event, QKeyEvent) or not self.popup.isVisible():
            return False
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        if event.type() != QEvent.Type.KeyPress or (watched is self.popup and event.key() != Qt.Key.Key_Tab):
            return False  # the popup has the keys, and Qt handles Return there
        if event.key() not in (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        self._take(self._model.stringList()[max(0, self.popup.currentIndex().row())])
        self.popup.hide()
        return True

    def _typed(self, text: str) -> None:
        _, piece = last_piece(text, self._line.cursorPosition())
        people = self._notice.read(lambda: self._find(piece, MOST)) or ()
        found = [written((one.address,)) for one in people]
        self._model.setStringList(found)
        if found:
            self.completer.complete()
            self.popup.setCurrentIndex(self._model.index(0))
        else:
            self.popup.hide()

    def _take(self, address: str) -> None:
        text, cursor = self._line.text(), self._line.cursorPosition()
        start, _ = last_piece(text, cursor)
        rest = text[cursor:].lstrip(" ,;")
        before = f"{text[:start].rstrip()} " if text[:start].strip() else ""
        self._line.setText(f"{before}{address}, {rest}")
        self._line.setCursorPosition(len(before) + len(address) + 2)
        self._taken()
