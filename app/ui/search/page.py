"""The search page: Gmail's operators and free text over the mail on this machine; each result says why it matched."""

from array import array
from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLineEdit, QWidget

from app.domain.errors import ExpectedError
from app.domain.events import EngineReady, Event, MailChanged
from app.domain.finding import FindMail, FoundMail, FoundMails
from app.domain.ids import ThreadId
from app.ui.build import button, clearable, column, label, row, rule
from app.ui.context import Context
from app.ui.errand import Errand, loop_runs
from app.ui.lists.look import RowLook
from app.ui.lists.model import IdModel
from app.ui.lists.place import ListPlace
from app.ui.lists.view import RowList
from app.ui.mail.looks import thread_look
from app.ui.mail.reading import ReadingPane
from app.ui.page import Page
from app.ui.panes import ListAndDetail
from app.ui.parts import comes_back
from app.ui.scale import Space, Type
from app.ui.search.words import EXAMPLES, why_chips, why_line
from app.ui.stack import Stack
from app.ui.state import StateView
from app.ui.text import number_words
from app.ui.told import said_of
from app.ui.whereabouts import Spot
from app.ui.wrapped import Wrapped

TYPED_MS = 250


class SearchPage(Page):
    """Searches while one types; a newer search takes the older one's place."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "search", "")
        self.title = self.tr("Search")
        self.setAccessibleName(self.title)
        self._found: dict[int, FoundMail] = {}
        self._asked = self._answered = ""
        self._asking = Errand(self)
        self.line = QLineEdit()
        self.line.setProperty("role", "search")
        comes_back(self.line)
        self.line.setAccessibleName(self.tr("Search mail"))
        self.line.setPlaceholderText(self.tr("Words, or from: to: subject: label: has: is: before: after: newer_than:"))
        clearable(self.line, context.icons.icon("close"))
        self.model: IdModel[RowLook] = IdModel(self._read, lambda look: look, self)
        self.list = RowList(context.appearance, context.icons, self.tr("Results"))
        self.list.setModel(self.model)
        self._kept_list = ListPlace(self.list, self.model)
        self.list.moved.connect(self.moved)
        self.list.chosen.connect(self._show)
        self.list.opened.connect(self._open)
        self.list.clicked.connect(lambda _index: self._panes.show_detail())
        self._count = label("", Type.CAPTION, "soft")
        self.state = StateView(context.icons)
        self._lists = Stack()
        self._lists.addWidget(self.list)
        self._lists.addWidget(self.state)
        self.reading = ReadingPane(context)
        self.reading.back.connect(self.go_back)
        self._panes: ListAndDetail = ListAndDetail(self._make_listing(), self.reading, context.state, "search")
        self._panes.folded.connect(self.reading.set_back_visible)
        column(self).addWidget(self._panes)
        self._timer = QTimer(self, singleShot=True)
        self._timer.setInterval(TYPED_MS)
        self._timer.timeout.connect(self._ask_now)
        self.line.textEdited.connect(lambda _text: self._timer.start())
        self.line.textChanged.connect(lambda _text: self.moved.emit())
        self.line.returnPressed.connect(self._entered)
        self._show_state()

    def look_for(self, text: str) -> None:
        """Search for this."""
        if text != self._asked:
            self.reading.show_nothing()
            self._back_to = {}
        self.line.setText(text)
        self._ask_now()

    def place(self) -> Spot:
        """What is searched for and where in the results the user is."""
        return self._back_to or {"text": self.line.text(), **self._kept_list.read()}

    def begin_at(self, place: Spot) -> None:
        """The search of before; it is made as soon as somebody can answer."""
        text = str(place.get("text", ""))
        self._back_to = dict(place)
        self.line.setText(text)
        if not text.strip():
            return
        if loop_runs():
            self._ask_now()
        else:
            self._asked = text.strip()
            self._say_searching()

    def _return(self) -> None:
        """With the answer, which comes later than the first reading."""

    def forget_words(self) -> None:
        """An empty page."""
        super().forget_words()
        self.line.clear()
        self._ask_now()

    def hear(self, event: Event) -> None:
        """A search of before the engine was there is made now."""
        super().hear(event)
        if isinstance(event, EngineReady) and self._asked and not self._found:
            self._ask_now()

    def refresh(self) -> None:
        """Search again: mail came or went."""
        if self._asked and loop_runs():
            self._ask_now()

    def concerned_by(self, event: Event) -> bool:
        """Mail."""
        return isinstance(event, MailChanged)

    def take_focus(self) -> None:
        """The list while there are results, else the line."""
        (self.list if self._found else self.line).setFocus()

    def go_back(self) -> bool:
        """From the mail to the results, from the results to the line."""
        if self._panes.narrow and self._panes.detail_shown:
            self._panes.show_list()
            self.list.setFocus()
            return True
        if not self.line.hasFocus():
            self.line.setFocus()
            self.line.selectAll()
            return True
        return False

    def _entered(self) -> None:
        self._ask_now()
        if self._found:
            self.list.setFocus()

    def _ask_now(self) -> None:
        self._timer.stop()
        self._asking.end()
        self._asked = self.line.text().strip()
        if not self._asked:
            self._answered = ""
            self._fill({})
            return
        if not self._found:
            self._say_searching()
        self._asking.begin(self._ask(self._asked))

    def _say_searching(self) -> None:
        self.state.show_state("search", self.tr("Searching…"), "")
        self._lists.setCurrentIndex(1)

    async def _ask(self, text: str) -> None:
        try:
            answer = await self.context.link.ask(FindMail(text))
        except ExpectedError as error:
            self._fill({})
            words = said_of(error, self.context.reader)
            self.state.show_state("error", self.tr("Search failed"), words, self.tr("Try again"), self._ask_now)
            return
        assert isinstance(answer, FoundMails)
        again, self._answered = text == self._answered and bool(self._found), text
        found = {found.thread_id: found for found in answer.mails}
        fill = self._fill_again if again and found and not self._back_to else self._fill
        self._guard(lambda: fill(found, answer.more))

    def _fill(self, found: dict[ThreadId, FoundMail], more: bool = False) -> None:
        self._take(found, more, fresh=True)
        if not found:
            self.reading.show_nothing()
            return
        before, self._back_to = self._back_to, {}
        row_before = self._kept_list.chosen(before)
        here = self.reading.thread_id
        wanted = here if here in self._found else next(iter(self._found))
        wanted = self.model.id_at(row_before) if row_before >= 0 else wanted
        self.list.select_row(self.model.row_of(wanted), quiet=True)
        self._show(wanted)
        self._kept_list.scroll(before)

    def _fill_again(self, found: dict[ThreadId, FoundMail], more: bool) -> None:
        """Mail that comes while one reads asks again: what is read, chosen and at the upper edge stays. A conversation that is
        found no more, such as under is:unread because it was read, keeps its row until another one is asked for."""
        before, here = self._kept_list.read(), self.reading.thread_id
        if here is not None and here not in found and here in self._found and self.context.reader.thread_rows([here]):
            rows = list(found.items())
            rows.insert(min(self.model.row_of(here), len(rows)), (here, self._found[here]))
            found = dict(rows)
        self._take(found, more, fresh=False)
        chosen = self._kept_list.chosen(before)
        if chosen < 0:
            chosen = self.model.row_of(next(iter(self._found)))
        if chosen != self.list.current_row() or not self.list.selected_count():
            self.list.select_row(chosen, quiet=True)
        if here is None or here not in self._found:
            self._show(self.model.id_at(chosen))
        else:
            self.reading.show_thread(here)  # at the mail one was at in it
        if "top" in before:
            self._kept_list.scroll(before)

    def _take(self, found: dict[ThreadId, FoundMail], more: bool, *, fresh: bool) -> None:
        """List what was found, from the beginning where it is `fresh`; what Qt makes current meanwhile is not opened."""
        self._found = {int(key): value for key, value in found.items()}
        self.list.blockSignals(True)
        if fresh:
            self.model.set_ids(array("q"))
        self.model.set_ids(array("q", self._found))
        self.list.blockSignals(False)
        count = number_words(len(found)) + ("+" if more else "")
        self._count.setText(count if found else "")
        self._show_state()

    def _show_state(self) -> None:
        held = self.list.hasFocus()
        self._lists.setCurrentIndex(0 if self._found else 1)
        self._panes.show_alone(not self._found)
        if held and not self._found:
            self.line.setFocus()  # not wherever Qt goes from a list that is hidden
        if self._asked:
            words = self.tr("Try fewer words, or an operator such as from: or has:attachment.")
            self.state.show_state("search", self.tr("Nothing found"), words)
        else:
            words = self.tr("All mail on this computer is searched, also without a connection.")
            self.state.show_state("search", self.tr("Search your mail"), words)

    def _show(self, key: int) -> None:
        found = self._found.get(key)
        if found is not None:
            self.reading.show_thread(found.thread_id, found.message_id)

    def _open(self, key: int) -> None:
        found = self._found.get(key)
        if found is not None:
            self.context.navigator.show_message(found.message_id)

    def _read(self, ids: Sequence[int]) -> Mapping[int, RowLook]:
        rows = self.context.reader.thread_rows([ThreadId(key) for key in ids])
        return {int(key): self._look(int(key), thread_look(one, self.context.clock())) for key, one in rows.items()}

    def _look(self, key: int, look: RowLook) -> RowLook:
        """A conversation's row, with the reason instead of its verdict."""
        found = self._found.get(key)
        if found is None:
            return look
        chips, line = why_chips(found), why_line(found) or look.snippet
        spoken = ", ".join((look.spoken, *(chip.text for chip in chips)))
        return RowLook(look.who, look.subject, line, look.when, spoken, look.count, look.strong, chips, look.marks)

    def _make_listing(self) -> QWidget:
        listing = QWidget()
        self.model.unreadable.connect(self._cover_with, Qt.ConnectionType.QueuedConnection)
        listing.setProperty("role", "surface")
        head = column(None, 0, Space.SMALL)
        head.setContentsMargins(Space.LARGE, Space.MEDIUM, Space.LARGE, Space.SMALL)
        title = row(None, 0, Space.SMALL)
        title.addWidget(label(self.title, Type.TITLE))
        title.addWidget(self._count, 1)
        head.addLayout(title)
        head.addWidget(self.line)
        head.addWidget(Wrapped([button(example, "link", partial(self._add, example)) for example in EXAMPLES]))
        layout = column(listing, 0, 0)
        layout.addLayout(head)
        layout.addWidget(rule())
        layout.addWidget(self._lists, 1)
        return listing

    def _add(self, operator: str) -> None:
        """Put an operator into the line."""
        self.line.setText(f"{self.line.text().rstrip()} {operator}".lstrip())
        self.line.setFocus()
        if not operator.endswith(":"):
            self._ask_now()
