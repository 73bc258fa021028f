"""The Search page: Gmail's operators and free text over the local copy, with the reason for each result.

Full-text results come first. Similar mail is added below them later and moves nothing.
"""

from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QShowEvent

from app.domain.errors import ExpectedError
from app.domain.ids import ThreadId
from app.domain.mail.message import Account, SystemLabel, ThreadRow
from app.domain.protocol.events import EngineReady, MailChanged
from app.domain.protocol.queries import (
    ExplainedMails,
    ExplainMails,
    FindMail,
    FoundMail,
    FoundMails,
    MatchPlace,
    SearchMatch,
    Suggestions,
    SuggestSearch,
    blended,
    joined,
)
from app.domain.protocol.views import VIEW_LABELS, MailView
from app.domain.record import replace
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.editor.assistant_offer import offer_beside
from app.ui.i18n.formatting import number_words
from app.ui.lists.model import IdModel
from app.ui.lists.row_looks import thread_look, with_account
from app.ui.lists.row_painter import Chip, RowPresentation
from app.ui.message.find_bar import searched_words
from app.ui.navigation.places import view_title
from app.ui.pages.base import Page
from app.ui.pages.mail.desk import NAMES, ConversationDesk
from app.ui.pages.search.alike import SimilarResults
from app.ui.pages.search.refine import RefineRow, SearchOffers
from app.ui.services.async_task import AsyncTask, loop_runs, single_shot
from app.ui.services.notices import said_of
from app.ui.session.ini_file import note_search, saved, toggle_saved
from app.ui.session.session_store import PageState
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import RoleFrame, action_tool, announce, column, label, plain_tip, row, rule, tool_button
from app.ui.widgets.split_view import EmptyState, Stack

LEAD = 6
"""Characters kept before a match beside several chips, so that the match itself is not cut off."""


def where_words(where: MatchPlace) -> str:
    words = {
        MatchPlace.SUBJECT: QCoreApplication.translate("Finding", "in the subject"),
        MatchPlace.SENDER: QCoreApplication.translate("Finding", "in the sender"),
        MatchPlace.RECIPIENTS: QCoreApplication.translate("Finding", "in the recipients"),
        MatchPlace.BODY: QCoreApplication.translate("Finding", "in the text"),
        MatchPlace.LABEL: QCoreApplication.translate("Finding", "in the label"),
        MatchPlace.FILE: QCoreApplication.translate("Finding", "in a file"),
        MatchPlace.DATE: QCoreApplication.translate("Finding", "in the date"),
        MatchPlace.MEANING: QCoreApplication.translate("Finding", "related"),
    }
    return words[where]


def own_label(match: SearchMatch) -> str:
    """The words for a matching label that is one of Gmail's own, empty for others."""
    if match.where is not MatchPlace.LABEL:
        return ""
    if match.text == SystemLabel.UNREAD:
        return QCoreApplication.translate("Words", "unread")
    return next((view_title(view) for view, label in VIEW_LABELS.items() if label == match.text), "")


def why_chips(found: FoundMail) -> tuple[Chip, ...]:
    """Returns a chip for each place that matched; similar mail has a plain chip."""
    words = {own_label(one) or where_words(one.where): one.where for one in found.why}
    return tuple(Chip(text, "" if where is MatchPlace.MEANING else "accent") for text, where in words.items())


def why_line(found: FoundMail) -> SearchMatch | None:
    """Returns the matching line that says most. None if only the subject, sender or date matched.

    In order of preference: text, file, label, recipients, passage of similar mail. With several chips the line starts at most
    `LEAD` characters before the match, if possible at a word.
    """
    best = (MatchPlace.BODY, MatchPlace.FILE, MatchPlace.LABEL, MatchPlace.RECIPIENTS, MatchPlace.MEANING)
    line = next((match for where in best for match in found.why if match.where is where and not own_label(match)), None)
    if line is None or len(why_chips(found)) < 2 or line.start <= LEAD or line.end <= line.start:
        return line
    earliest = line.start - LEAD
    gap = line.text.find(" ", earliest - 1, line.start - 1)
    cut = earliest if gap < 0 else gap + 1
    return SearchMatch(line.where, "…" + line.text[cut:], line.start + 1 - cut, line.end + 1 - cut)


READ_MS = 250
"""While somebody types the rows change at once; the first one is opened after this pause."""
MOST_LOOSE = 10
"""Mails with some of the words that are listed where none has all."""
FEW = 3
"""With fewer results a likelier spelling is offered."""


PLACES = ((SystemLabel.TRASH, MailView.TRASH), (SystemLabel.SPAM, MailView.SPAM), (SystemLabel.INBOX, MailView.INBOX))


def place_chip(thread: ThreadRow) -> Chip:
    """Says where a conversation lies: Inbox, Archive, Sent, Drafts, Spam or Trash."""
    view = next((view for label, view in PLACES if label in thread.labels), None)
    if view is not None:
        return Chip(view_title(view), "" if view is MailView.INBOX else "warning")
    for own, view in ((SystemLabel.DRAFT, MailView.DRAFTS), (SystemLabel.SENT, MailView.SENT)):
        if own in thread.labels and thread.message_count == 1:
            return Chip(view_title(view))
    return Chip(QCoreApplication.translate("Finding", "Archive"))


class SearchPage(Page):
    """Searches while the user types; a new search cancels the one before."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "search", self.tr("Search"))
        self._found: dict[int, FoundMail] = {}
        self._exact, self._total = tuple[FoundMail, ...](), 0
        self._loose: tuple[FoundMail, ...] = ()
        """Mails with some of the words, while none has all."""
        self._asked = self._answered = self._announced = ""
        self._task = AsyncTask(self)
        self._best = 0
        """How many of the first results are the most relevant ones, above the newest."""
        self._best_first = False
        self._typed = False
        self._similar = SimilarResults(context, self, self._in_view)
        self._similar.came.connect(self._show_similar)
        self._similar.said.connect(self._show_state)
        self.line = context.search_line
        self._text = ""
        """What is searched for. The field shows it while the page is visible."""
        self._to_list = False
        self.model: IdModel[RowPresentation] = IdModel(self._read, lambda look: look, self)
        tools = [name for name in NAMES if name != "mail.inbox"]
        self.desk = ConversationDesk(context, self, self.tr("Results"), self.model, lambda: self.name, tools)
        self.list, self.reading = self.desk.list, self.desk.reading
        self.list.verticalScrollBar().valueChanged.connect(self._similar.look)
        self.list.chosen.connect(self._show)
        self.list.opened.connect(lambda key: context.navigator.show_message(self._found[key].message_id))
        self.refine = RefineRow(context)
        self.refine.edited.connect(self._edit)
        self.refine.chosen.connect(self._choose)
        self.offers = SearchOffers(context, self.line, self.line.hasFocus)
        self._save = tool_button(context.icons.icon("starred"), self.tr("Save this search"), self._toggle_saved)
        self._count = label("", Type.CAPTION, "soft")
        self.ask = offer_beside(self.line, context.icons, context.navigator.ask)
        self.note = label("", Type.CAPTION, "soft", wrap=True)
        self.state = EmptyState(context.icons)
        self._lists = Stack(self.list, self.state)
        self.model.unreadable.connect(self._cover_with, Qt.ConnectionType.QueuedConnection)
        listing = RoleFrame("surface")
        best = action_tool(context.actions["mail.best_first"])
        title = row(
            None, 0, Space.SMALL, label(self.title, Type.TITLE), (self._count, 1), *self.desk.bulk_tools, best, self._save
        )
        margins = (Space.LARGE, Space.MEDIUM, Space.LARGE, Space.SMALL)
        head = column(None, margins, Space.SMALL, title, self.ask, self.refine)
        column(listing, 0, 0, head, rule(), (self._lists, 1), self.note)
        self.note.setContentsMargins(Space.LARGE, Space.SMALL, Space.LARGE, Space.SMALL)
        self.note.hide()
        self._panes = self.desk.split(listing)
        self.list.marked.connect(self._show_count)
        column(self, 0, 0, self.desk.offer, (self._panes, 1))
        self._timer = single_shot(self, lambda: self._show(self.model.id_at(self.list.current_row())), READ_MS)
        self.line.textChanged.connect(self._follow_text)
        connect_actions(self, context, {"mail.best_first": self._toggle_best})
        self._show_state()

    def look_for(self, text: str) -> None:
        """Searches and moves the focus to the results when they come."""
        if text.strip() != self._asked:
            self.reading.show_nothing()
            self._back_to = {}
        self._put(text)
        self._to_list, self._typed = True, False
        note_search(self.context.state, text.strip())
        self._ask_now()

    def _put(self, text: str) -> None:
        self._text = text
        self.line.setText(text)
        self._timer.stop()

    def _follow_text(self, text: str) -> None:
        """Searches as the user types, while the page is on screen."""
        self.refine.show_search(text)
        if self.isVisible() and text != self._text:
            self._text, self._to_list, self._typed = text, False, True
            self._best_first = False
            if loop_runs():
                self._ask_now()
            self.moved.emit()

    def _edit(self, text: str) -> None:
        """Takes over a search from a chip, an offer or an example."""
        self._put(text)
        self.line.setFocus()
        self._typed = False
        if not text.endswith(":"):
            self._ask_now()

    def _choose(self, start: int, end: int) -> None:
        self._put(self._text)
        self.line.setFocus()
        self.line.setSelection(start, end - start)

    def _toggle_best(self) -> None:
        self._best_first = not self._best_first
        self._ask_now()

    def _toggle_saved(self) -> None:
        is_saved = toggle_saved(self.context.state, self._asked)
        self.context.notices.tell(self.tr("Search saved in the sidebar.") if is_saved else self.tr("Saved search removed."))
        self.listed.emit()
        self._show_saved()

    def _show_saved(self) -> None:
        is_saved = self._asked in saved(self.context.state)
        self._save.setVisible(bool(self._asked))
        self._save.setIcon(self.context.icons.icon("starred_on" if is_saved else "starred"))
        words = self.tr("Remove this search from the sidebar") if is_saved else self.tr("Save this search")
        self._save.setToolTip(plain_tip(words))
        self._save.setAccessibleName(words)

    def save_state(self) -> PageState:
        return self._back_to or {"text": self._text, **self.list.position()}

    def restore_state(self, state: PageState) -> None:
        text = str(state.get("text", ""))
        self._back_to = dict(state)
        self._text = text
        if not text.strip():
            return
        if loop_runs():
            self._ask_now()
        else:
            self._asked = text.strip()
            self._show_searching()

    def _return(self) -> None:
        """Does nothing here: the position is restored with the answer, which comes after the first refresh."""

    def forget_words(self) -> None:
        super().forget_words()
        self._put("")
        self._ask_now()

    def hear(self, event: Event) -> None:
        super().hear(event)
        self.desk.hear(event)
        again = self._similar.hear(event)
        if isinstance(event, EngineReady) and self._asked and not self._found:
            self._ask_now()
        elif again:
            self.touch()

    def refresh(self) -> None:
        if self._asked and loop_runs():
            self._ask_now()

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, MailChanged)

    def take_focus(self) -> None:
        (self.list if self._found else self.line).setFocus()

    def go_back(self) -> bool:
        if self.desk.go_back():
            return True
        if not self.line.hasFocus():
            self.line.setFocus()
            self.line.selectAll()
            return True
        return False

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._put(self.line.text() or self._text)
        self.reading.showed.emit()

    def _leave(self) -> None:
        self.desk.marking.leave()

    def _ask_now(self) -> None:
        self._timer.stop()
        self._task.end()
        self._similar.end()
        self._asked = self._text.strip()
        self._show_saved()
        if not self._asked:
            self._clear_results()
            return
        if not self._found:
            self._show_searching()
        self._task.begin(self._ask(self._asked))

    def _clear_results(self) -> None:
        self._answered, self._exact, self._loose, self._total, self._best = "", (), (), 0, 0
        self._similar.clear()
        self.refine.note(())
        self._fill({})

    def _show_searching(self) -> None:
        self.state.show_state("search", self.tr("Searching…"), "")
        self._lists.setCurrentIndex(1)

    async def _ask(self, text: str) -> None:
        """Searches. An operator that was finished with Return is not continued."""
        typing = self._typed or ":" not in text.rpartition(" ")[2]
        try:
            answer = await self.context.link.ask(FindMail(text, typing=typing, best_first=self._best_first))
        except ExpectedError as error:
            self._clear_results()
            words = said_of(error, self.context.reader)
            self.state.show_state("error", self.tr("Search failed"), words, self.tr("Try again"), self._ask_now)
            return
        assert isinstance(answer, FoundMails)
        again, self._answered = text == self._answered and bool(self._found), text
        self._exact, self._total, self._best = answer.mails, max(answer.total, len(answer.mails)), answer.best
        self._loose = self._loose if again else ()
        self.refine.note(answer.notes)
        if not again:
            self._similar.clear()
        self._similar.ask(text, [] if self._best_first else [mail.thread_id for mail in answer.mails])
        found = self._together()
        fill = self._update_results if again and found and not self._back_to else self._fill
        if self._guard(lambda: fill(found)):
            self.desk.choice.settle()
        with suppress(ExpectedError):  # a row without a reason shows the beginning of its mail
            await self._ask_more(text, typing)
        self._task.release()

    def _together(self) -> dict[ThreadId, FoundMail]:
        """The results, and what is related below them; ranked together for the best first and where nothing has all words."""
        if self._best_first or not self._exact:
            return blended(self._exact or self._loose, self._similar.mails)
        return joined(self._exact, self._similar.mails)

    async def _ask_more(self, text: str, typing: bool) -> None:
        """Asks for what may come after the rows: mails with some of the words, a likelier spelling, and why the mails further
        down match, since the answer brings reasons for the first ones only.
        """
        if not self._exact and " " in text:
            some = await self.context.link.ask(FindMail(text, limit=MOST_LOOSE, best_first=True))
            assert isinstance(some, FoundMails)
            self._loose = some.mails
            self._guard(self._list_together)
        if len(self._exact) < FEW:
            likelier = await self.context.link.ask(SuggestSearch(text))
            assert isinstance(likelier, Suggestions)
            self.refine.suggest("".join(likelier.words[:1]))
        later = tuple(mail for mail in self._exact if not mail.why)
        if later:
            answer = await self.context.link.ask(ExplainMails(text, later, typing=typing))
            assert isinstance(answer, ExplainedMails)
            explained = {mail.message_id: mail for mail in answer.mails}
            self._exact = tuple(explained.get(mail.message_id, mail) for mail in self._exact)
            self._guard(self._list_together)

    def _in_view(self, mail: FoundMail) -> bool:
        """Whether its row can be seen without scrolling."""
        row = self.model.row_of(mail.thread_id)
        return row >= 0 and self.list.viewport().rect().intersects(self.list.visualRect(self.model.index(row, 0)))

    def _show_similar(self) -> None:
        """Adds similar mail below the results. The selected row, the scroll position and the open conversation stay."""
        self._guard(self._list_together)
        if self._similar.words != self._announced:
            self._announced = self._similar.words
            announce(self.list if self._found else self.state, self._announced)

    def _list_together(self) -> None:
        (self._update_results if self._found else self._fill)(self._together())

    def _fill(self, found: dict[ThreadId, FoundMail]) -> None:
        self._set_results(found, fresh=True)
        if not found:
            self.reading.show_nothing()
            return
        before, self._back_to = self._back_to, {}
        row_before = self.list.saved_row(before)
        here = self.reading.thread_id
        wanted = here if here in self._found else next(iter(self._found))
        wanted = self.model.id_at(row_before) if row_before >= 0 else wanted
        self.list.select_row(self.model.row_of(wanted), quiet=True)
        if self._typed:
            self._timer.start()
        else:
            self._show(wanted)
        self.list.scroll_back(before)

    def _update_results(self, found: dict[ThreadId, FoundMail]) -> None:
        """Updates the results and keeps the selection, scroll position and open conversation.

        A conversation that no longer matches (one under is:unread that was read) keeps its row until another one is opened.
        """
        before, here = self.list.position(), self.reading.thread_id
        if here is not None and here not in found and here in self._found and self.context.reader.thread_rows([here]):
            rows = list(found.items())
            rows.insert(min(self.model.row_of(here), len(rows)), (here, self._found[here]))
            found = dict(rows)
        self._set_results(found, fresh=False)
        if self.list.current_row() < 0:
            self.list.select_row(0, quiet=True)
        if here is None or (here not in self._found and not self.reading.typing):
            self._show(self.model.id_at(self.list.current_row()))
        else:
            self.desk.write_on(here)
            self.reading.show_thread(here)  # without a message id: the open message stays
        self.list.scroll_back(before)

    def _set_results(self, found: dict[ThreadId, FoundMail], *, fresh: bool) -> None:
        """Fills the list, from its top if `fresh`. The row that Qt makes current is not opened."""
        self._found = {int(key): value for key, value in found.items()}
        self.list.blockSignals(True)
        if fresh:
            self.model.set_ids(array("q"))
        self.model.set_ids(array("q", self._found))
        self.list.blockSignals(False)
        self._show_count()
        self._show_state()
        if self._to_list and self._found:
            self._to_list = False
            self.list.setFocus()

    def _show_count(self) -> None:
        count = number_words(self._total)
        bulk = self.desk.show_bulk()
        order = self.tr("best first") if self._best_first else self.tr("newest first")
        found = f"{count} · {order}" if self._exact else ""
        words = self.tr("%n selected", "", self.list.selected_count()) if bulk else found
        self._count.setText(words)

    def _show_state(self) -> None:
        had_focus = self.list.hasFocus()
        self._lists.setCurrentIndex(0 if self._found else 1)
        self._panes.show_alone(not self._found)
        if had_focus and not self._found:
            self.line.setFocus()  # else Qt chooses a widget when the list is hidden
        self.note.setText(self._similar.words)
        self.note.setVisible(bool(self._found and self._similar.words))
        if self._asked and self._similar.under_way:
            self.state.show_state("search", self.tr("Searching…"), self._similar.words)
        elif self._asked:
            words = self.tr("Try fewer words, or narrow with from: or has:attachment.")
            text = f"{words} {self._similar.words}".strip()
            self.state.show_state("search", self.tr("Nothing found"), text, self.tr("Ask the assistant"), self.ask.click)
        else:
            words = self.tr("Searches all mail on this computer, even offline.")
            self.state.show_state("search", self.tr("Search your mail"), words)

    def _show(self, key: int) -> None:
        found = self._found.get(key)
        if found is not None:
            self.reading.body.mark(searched_words(self._asked))
            self.reading.show_thread(found.thread_id, found.message_id)

    def _read(self, ids: Sequence[int]) -> Mapping[int, RowPresentation]:
        rows = self.context.reader.thread_rows([ThreadId(key) for key in ids])
        accounts = self.context.reader.accounts()
        several = {one.id: one for one in accounts} if len(accounts) > 1 else {}
        return {int(key): self._row(int(key), thread, several.get(thread.account_id)) for key, thread in rows.items()}

    def _row(self, key: int, thread: ThreadRow, account: Account | None) -> RowPresentation:
        """Returns a conversation's row with its place and the reason for the match instead of its verdict."""
        look = with_account(thread_look(thread, self.context.clock()), account)
        found = self._found.get(key)
        if found is None:
            return look
        top = (Chip(self.tr("Top result"), "accent"),) if self.model.row_of(key) < self._best and not self._best_first else ()
        why, place, match = why_chips(found), place_chip(thread), why_line(found)
        chips = (*top, *(() if place.text in [one.text for one in why] else (place,)), *why)
        line, spot = (match.text, (match.start, match.end)) if match is not None else (look.snippet, (0, 0))
        alike = any(one.where is MatchPlace.MEANING for one in found.why)
        spoken = ", ".join((look.spoken, *(chip.text for chip in chips), *([line] if alike else [])))
        return replace(look, snippet=line, spoken=spoken, chips=chips, found=spot)
