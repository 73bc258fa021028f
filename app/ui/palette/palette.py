"""One line for everything (Ctrl+K): commands, pages, labels, people, templates, mail by search, and requests to the assistant."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QDialog, QLineEdit, QListView, QWidget

from app.domain.errors import ExpectedError
from app.domain.finding import FindMail, FoundMails
from app.domain.ids import MessageId, ThreadId
from app.domain.mail import ThreadRow
from app.ui.build import column, label
from app.ui.context import Context
from app.ui.errand import Errand
from app.ui.handing_over import key_words, looks_like_request, offer_words
from app.ui.palette.delegate import ITEM_ROLE, ItemDelegate
from app.ui.palette.items import MOST_OF_PEOPLE, Item, picked, recent_first
from app.ui.palette.recent import recent, remember
from app.ui.scale import Space, Type
from app.ui.text import when_short

WIDTH = 620
SHOWN = 11
MOST = 300
"""Commands, pages, labels and templates in the list; who looks for one more types some of its name."""
TYPED_MS = 180
MAILS = 6

FindItems = Callable[[str, int], Sequence[Item]]


class Palette(QDialog):
    """`fixed` are lines that are there at once; `people` gives at most so many for what is typed. Opened without blocking."""

    def __init__(self, context: Context, fixed: Sequence[Item], people: FindItems, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "palette")
        self.setWindowTitle(self.tr("Do or find anything"))
        self.setAccessibleName(self.windowTitle())
        self._context, self._fixed, self._people = context, fixed, people
        self._mails: list[Item] = []
        self._asking = Errand(self)
        self.line = QLineEdit()
        self.line.setProperty("role", "search")
        self.line.setPlaceholderText(self.tr("A command, a page, a person, words of a mail…"))
        self.line.setAccessibleName(self.windowTitle())
        self.line.installEventFilter(self)
        self.model = QStandardItemModel(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName(self.tr("Matches"))
        self.list.setItemDelegate(ItemDelegate(context.appearance, context.icons, self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.clicked.connect(lambda _index: self.take())
        self._none = label(self.tr("Nothing matches. Return searches all mail."), Type.CAPTION, "soft")
        layout = column(self, Space.MEDIUM, Space.SMALL)
        for widget in (self.line, self.list, self._none):
            layout.addWidget(widget)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TYPED_MS)
        self._timer.timeout.connect(self._ask_now)
        self.line.textChanged.connect(self._typed)
        self._fill()
        self._place(parent)

    def take(self) -> None:
        """Do the chosen line; without any, search all mail for what was typed."""
        item = self.list.currentIndex().data(ITEM_ROLE)
        text = self.line.text().strip()
        self.close()
        if isinstance(item, Item):
            remember(self._context.state, item.name)
            item.act()
        elif text:
            self._context.navigator.search(text)

    def titles(self) -> list[str]:
        """What is offered now, from the top."""
        return [str(self.model.item(row).text()) for row in range(self.model.rowCount())]

    def done(self, result: int) -> None:
        """Closed: nothing is asked any more."""
        self._withdraw()
        super().done(result)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and Down move in the list while the line has the keyboard."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: SHOWN, Qt.Key.Key_PageUp: -SHOWN}
            by = step.get(Qt.Key(event.key()))
            if by is not None:
                row = min(max(self.list.currentIndex().row() + by, 0), self.model.rowCount() - 1)
                self.list.setCurrentIndex(self.model.index(row, 0))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                asks = event.modifiers() & Qt.KeyboardModifier.ControlModifier
                self._hand_over() if asks else self.take()
                return True
        return False

    def _withdraw(self) -> None:
        """What was asked about other words is not answered any more."""
        self._timer.stop()
        self._asking.end()

    def _typed(self, text: str) -> None:
        self._withdraw()
        self._mails = []
        self._fill()
        if len(text.strip()) > 1:
            self._timer.start()

    def _ask_now(self) -> None:
        self._withdraw()
        self._asking.begin(self._ask(self.line.text().strip()))

    async def _ask(self, text: str) -> None:
        try:
            answer = await self._context.link.ask(FindMail(text, MAILS))
        except ExpectedError:
            return  # commands and pages are there all the same
        assert isinstance(answer, FoundMails)
        rows: Mapping[ThreadId, ThreadRow] = {}
        with suppress(ExpectedError):  # the mailbox takes only its own lines away
            rows = self._context.reader.thread_rows([one.thread_id for one in answer.mails])
        self._mails = []
        for one in answer.mails:
            row = rows.get(one.thread_id)
            if row is not None:
                when = when_short(row.date, self._context.clock())
                title = f"{row.subject or self.tr('(no subject)')} – {row.sender}"
                act = self._shower(one.message_id)
                self._mails.append(Item(title, when, "mail", act))
        self._fill(keep=True)

    def _shower(self, message_id: MessageId) -> Callable[[], object]:
        return lambda: self._context.navigator.show_message(message_id)

    def _fill(self, keep: bool = False) -> None:
        """Lines for what is typed: commands and pages, a few people, the mail that was found, and the search itself."""
        text, here = self.line.text().strip(), self.list.currentIndex().row()
        lines = picked(self._fixed, text, loosely=True) if text else recent_first(self._fixed, recent(self._context.state))
        lines = lines[:MOST]
        if text:
            lines += self._people(text, MOST_OF_PEOPLE)
            lines += self._mails
            search = self.tr("Search all mail for “%1”").replace("%1", text)
            lines.append(Item(search, "", "search", lambda: self._context.navigator.search(text)))
            first = looks_like_request(text) and not picked(self._fixed, text)
            lines.insert(0 if first else len(lines), self._handing_over(text))
        self.model.clear()
        for item in lines:
            line = QStandardItem(item.title)
            line.setEditable(False)
            line.setData(item, ITEM_ROLE)
            spoken = ", ".join(filter(None, (item.title, item.kind, item.keys)))
            line.setData(spoken, Qt.ItemDataRole.AccessibleTextRole)
            self.model.appendRow(line)
        self._none.setVisible(not lines)
        self._fit(len(lines))
        if lines:
            self.list.setCurrentIndex(self.model.index(min(here, len(lines) - 1) if keep and here > 0 else 0, 0))

    def _handing_over(self, text: str) -> Item:
        """The line as a request."""
        return Item(offer_words(text), "", "assistant", lambda: self._context.navigator.ask(text), key_words())

    def _hand_over(self) -> None:
        text = self.line.text().strip()
        if text:
            self.close()
            self._context.navigator.ask(text)

    def _fit(self, lines: int) -> None:
        """As tall as the lines need, within bounds."""
        row = self.list.sizeHintForRow(0) if lines else 0
        self.list.setFixedHeight(row * min(lines, SHOWN) + Space.TIGHT)
        self.list.setVisible(lines > 0)
        self.adjustSize()

    def _place(self, parent: QWidget) -> None:
        width = min(WIDTH, parent.width() - 2 * Space.LARGE)
        self.setFixedWidth(width)
        self.adjustSize()
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - width) // 2, corner.y() + Space.HUGE)
