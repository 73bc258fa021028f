"""The queue of the Review page: its list, rows and texts when it is empty, and focus mode, which hides it.

Focus mode shows one review at a time, with a line that says how many are left. The page hides the rest.
"""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from datetime import datetime

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QWidget

from app.domain.drafting.review import ReviewKind, ReviewRow, ReviewSection
from app.domain.ids import ReviewId
from app.domain.protocol.events import SyncPhase, SyncProgress
from app.domain.record import replace
from app.ui.context import Context
from app.ui.i18n.formatting import number_words, recipients_words, section_words, when_short
from app.ui.lists.model import IdModel
from app.ui.lists.row_painter import Chip, RowPresentation
from app.ui.lists.view import RowList
from app.ui.pages.review.review_texts import item_words
from app.ui.theme.metrics import Space, Type, is_large_text
from app.ui.widgets.factory import STRETCH, RoleFrame, action_button, action_tool, announce, button, column, label, put, row, rule
from app.ui.widgets.split_view import EmptyState


class FocusMode(RoleFrame):
    """Line shown while focus mode is on. Emits `turned` with its state; `action` toggles it."""

    turned = Signal(bool)

    def __init__(self, action: QAction) -> None:
        super().__init__("plain")  # the same background as the panel below
        self.on = False
        self._count = 0
        self._label = label("", Type.STRONG)
        leave = button(self.tr("Exit focus mode"), "link", action.trigger)
        row(self, (Space.LARGE, Space.SMALL, Space.LARGE, 0), Space.SMALL, self._label, STRETCH, leave)
        self.hide()

    @property
    def words(self) -> str:
        return self._label.text()

    def turn(self, on: bool) -> bool:
        """Switches focus mode on or off. Returns whether the state changed; it stays off without reviews."""
        on = on and self._count > 0
        if on is self.on:
            return False
        self.on = on
        self.setVisible(on)
        self.turned.emit(on)
        if on:
            announce(self, self.words)
        return True

    def show_left(self, count: int) -> None:
        if count == self._count:
            return
        self._count = count
        self._label.setText(self.tr("%n left", "", count))
        if not count:
            self.turn(False)
        elif self.on:
            announce(self, self.words)


KIND_TONES = {
    ReviewKind.REPLY: "accent",
    ReviewKind.TOOL_CALL: "accent",
    ReviewKind.PLAN: "accent",
    ReviewKind.NOTIFY: "positive",
    ReviewKind.QUESTION: "warning",
    ReviewKind.NEEDS_REVIEW: "warning",
    ReviewKind.ESCALATION: "danger",
}


def review_look(review: ReviewRow, now: datetime) -> RowPresentation:
    """Returns a review's row with at most one chip, and a mark for red flags."""
    kind = item_words(review.kind, review.goes_out)
    gaps = "" if review.complete else QCoreApplication.translate("Review", "has blanks")
    chips: tuple[Chip, ...] = ()
    if review.kind is ReviewKind.REPLY and gaps:
        chips = (Chip(gaps, "slot"),)
    elif review.goes_out or review.kind not in (ReviewKind.REPLY, ReviewKind.NOTIFY):  # of a notice the section says it
        chips = (Chip(kind, KIND_TONES[review.kind]),)
    marks = (("flag", "danger"),) if review.flag_count else ()
    subject = review.subject or QCoreApplication.translate("Words", "(no subject)")
    when = when_short(review.date, now)
    flags = QCoreApplication.translate("Review", "has warnings") if review.flag_count else ""
    who, person = review.sender, ""
    if review.goes_out:
        who, person = recipients_words(review.sender), review.sender.partition(", ")[0]
    spoken = ", ".join(filter(None, (who, subject, when, kind, gaps, flags)))
    return RowPresentation(who, subject, review.snippet, when, spoken, chips=chips, marks=marks, person=person)


class ReviewList(QWidget):
    """List with heading and buttons.

    Emits `chosen` with the id of a newly selected review, `opened` on Enter, and `switched` when another list or order is chosen.
    """

    chosen = Signal(object)
    opened = Signal()
    clicked = Signal()
    switched = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)  # else the heading has the window's background
        self._context = context
        self.pending = True
        self.headings: dict[int, tuple[ReviewSection, int]] = {}
        """Section and size by the id of its first review."""
        self._sections: dict[ReviewSection, int] = {}
        self._places: dict[int, int] = {}
        """Where sections and reviews stand since the page was opened."""
        self.model: IdModel[ReviewRow] = IdModel(self._read, self._look, self)
        self.list = RowList(context.appearance, context.icons, self.tr("Waiting for you"), self.model, many=True)
        self._dismiss_all = action_button(context.actions["review.dismiss_all"], "link")
        self._dismiss_all.setParent(self.list.viewport())
        self._dismiss_all.hide()
        self.list.chosen.connect(self.chosen)
        self.list.opened.connect(lambda _key: self.opened.emit())
        self.list.clicked.connect(lambda _index: self.clicked.emit())
        self._heading = label("", Type.TITLE)
        self._count = label("", Type.CAPTION, "soft")
        self._switch_button: QPushButton = button("", "link", self._switch_list)
        self._heading.setContentsMargins(0, Space.MEDIUM, 0, Space.MEDIUM)  # the heading is as high as on other pages
        tools = (action_tool(context.actions["review.focus"]), self._switch_button)
        head = row(None, (Space.LARGE, 0), Space.SMALL, self._heading, (self._count, 1))
        below = row(None, (Space.LARGE, 0, Space.LARGE, Space.SMALL), Space.SMALL, STRETCH)
        put(below if is_large_text() else head, *tools)  # large ones do not fit beside the heading
        column(self, 0, 0, head, *((below,) if is_large_text() else ()), rule(), (self.list, 1))

    def row_of(self, review_id: ReviewId) -> int:
        return self.model.row_of(review_id)

    @property
    def count(self) -> int:
        return self.model.rowCount()

    def read(self, without: Set[ReviewId]) -> None:
        """Reads the ids again. Waiting reviews keep their order while the page is on view, and new ones come after them; those
        in `without` are left out.
        """
        ids, hidden = self._context.reader.review_ids(self.pending), without if self.pending else frozenset()
        sizes = Counter(self._context.reader.section_sizes() if self.pending else {})
        if self.pending:
            ids = self._in_place(ids, sizes)
        self.list.set_headings({})
        self.model.set_ids(array("q", (key for key in ids if key not in hidden)))
        sizes.subtract(Counter(row.section for row in self._read(list(hidden)).values()))
        self._set_headings({section: sizes[section] for section in self._sections if sizes[section] > 0})
        self.show_count()
        self._switch_button.setText(self.tr("Done") if self.pending else self.tr("Back to review"))

    def show_count(self) -> None:
        """Shows how many items are listed, or selected if several are."""
        title, picked = self.tr("Review") if self.pending else self.tr("Done"), len(self.picked())
        self._heading.setText(self.tr("%n selected", "", picked) if picked else title)
        self._count.setText(number_words(self.count) if self.count and not picked else "")

    def forget_order(self) -> None:
        """The next reading orders the whole list again."""
        self._sections.clear()
        self._places.clear()

    def _in_place(self, ids: "array[int]", sizes: Mapping[ReviewSection, int]) -> "array[int]":
        """Puts `ids`, read in the order of `sizes`, into the order on screen: drafts arrive while one is read."""
        sections = dict(zip(ids, Counter(sizes).elements(), strict=False))
        for key, section in sections.items():
            self._sections.setdefault(section, len(self._sections))
            self._places.setdefault(key, len(self._places))
        return array("q", sorted(sections, key=lambda key: (self._sections[sections[key]], self._places[key])))

    def _set_headings(self, sizes: Mapping[ReviewSection, int]) -> None:
        """Puts a heading with its count above the first row of each section."""
        self.headings, first = {}, 0
        for section, size in sizes.items():
            if first < self.count:
                self.headings[self.model.id_at(first)] = (section, size)
                first += size
        places: dict[int, QWidget | None] = {}
        for key, (section, size) in self.headings.items():
            notices = section is ReviewSection.NOTICE and size > 1
            places[self.model.row_of(key)] = self._dismiss_all if notices else None
        self._dismiss_all.setVisible(self._dismiss_all in places.values())
        self.list.set_headings(places)

    def notices(self) -> list[ReviewRow]:
        """The waiting items that only inform."""
        rows = self._read(self.model.ids if self.pending else [])
        return [row for key in self.model.ids if (row := rows.get(key)) is not None and row.section is ReviewSection.NOTICE]

    def picked(self) -> list[ReviewRow]:
        """The rows selected beside the one on screen; empty if only that is selected."""
        rows = self.list.selected_rows()
        if rows in ([], [self.list.current_row()]):
            return []
        return [row for at in rows if (row := self.model.record(at)) is not None]

    def _look(self, review: ReviewRow) -> RowPresentation:
        look = review_look(review, self._context.clock())
        if review.id not in self.headings:
            return look
        words = f"{section_words(review.kind)} · {number_words(self.headings[review.id][1])}"
        return replace(look, heading=words, spoken=f"{words}, {look.spoken}")

    def mark(self, at: int) -> ReviewId:
        self.list.select_row(at, quiet=True)
        return ReviewId(self.model.id_at(at))

    def step(self, by: int) -> bool:
        before = self.list.current_row()
        self.list.step(by)
        return self.list.current_row() != before

    def _switch_list(self) -> None:
        self.pending = not self.pending
        self.list.set_headings({})
        self.model.set_ids(array("q"))
        self.switched.emit()

    def _read(self, ids: Sequence[int]) -> Mapping[int, ReviewRow]:
        rows = self._context.reader.review_rows([ReviewId(key) for key in ids])
        return {int(key): value for key, value in rows.items()}


def first_sync(context: Context, syncing: SyncProgress | None) -> bool:
    """Whether the first mail is still coming: the account is not there yet, or nothing was checked and it is being listed."""
    if syncing is None:
        return not context.reader.accounts() and not context.reader.archives()
    return syncing.phase in (SyncPhase.LISTING, SyncPhase.BACKFILL) and not context.reader.runs(1)


def show_empty(state: EmptyState, context: Context, pending: bool, checking: bool, syncing: SyncProgress | None) -> None:
    """Says why the queue is empty. `checking` means that the agents have mail to check, `syncing` is the last sync progress."""
    if not pending:
        title = QCoreApplication.translate("ReviewPage", "Nothing decided yet")
        words = QCoreApplication.translate("ReviewPage", "What you approve or reject is listed here.")
        state.show_state("review", title, words)
    elif checking:
        title = QCoreApplication.translate("ReviewPage", "Checking your mail…")
        words = QCoreApplication.translate("ReviewPage", "Drafts and questions appear here as soon as they are ready.")
        state.show_state("model", title, words)
    elif first_sync(context, syncing):
        title = QCoreApplication.translate("ReviewPage", "Getting your mail…")
        words = QCoreApplication.translate("ReviewPage", "Drafts appear here as they are written.")
        if syncing is not None and syncing.total > syncing.done > 0:
            some = QCoreApplication.translate("ReviewPage", "%1 of %2 emails so far.")
            some = some.replace("%1", number_words(syncing.done)).replace("%2", number_words(syncing.total))
            words = f"{words}\n{some}"
        state.show_state("mail", title, words)
    elif context.reader.runs(1):
        title = QCoreApplication.translate("ReviewPage", "All clear")
        words = QCoreApplication.translate("ReviewPage", "You're all caught up. New drafts and questions appear here.")
        way = QCoreApplication.translate("ReviewPage", "Go to Today")
        state.show_state("done", title, words, way, lambda: context.navigator.show_page("today"))
    else:
        title = QCoreApplication.translate("ReviewPage", "Nothing here yet")
        words = QCoreApplication.translate("ReviewPage", "Choose mail to check, and its drafts appear here.")
        way = QCoreApplication.translate("ReviewPage", "Choose mail to check…")
        state.show_state("model", title, words, way, lambda: context.navigator.show_page("welcome"))
