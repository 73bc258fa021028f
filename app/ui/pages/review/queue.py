"""The queue of the Review page: its list, rows and texts when it is empty, and focus mode, which hides it.

Focus mode shows one review at a time, with a line that says how many are left. The page hides the rest.
"""

from array import array
from collections.abc import Mapping, Sequence, Set
from datetime import datetime

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from app.domain.drafting.review import ReviewKind, ReviewRow
from app.domain.ids import ReviewId
from app.domain.mail.triage import UNSURE_BELOW
from app.ui.context import Context
from app.ui.i18n.formatting import category_words, confidence_words, number_words, recipients_words, when_short
from app.ui.lists.model import IdModel
from app.ui.lists.row_presentation import Chip, RowPresentation
from app.ui.lists.view import RowList
from app.ui.pages.review.review_texts import item_words
from app.ui.theme.metrics import Space, Type, is_large_text
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.factory import STRETCH, action_tool, button, column, label, row, rule
from app.ui.widgets.hints import announce


class FocusMode(QFrame):
    """Line shown while focus mode is on. Emits `turned` with its state; `action` toggles it."""

    turned = Signal(bool)

    def __init__(self, action: QAction) -> None:
        super().__init__()
        self.setProperty("role", "plain")  # the same background as the panel below
        self._on = False
        self._count = 0
        self._label = label("", Type.STRONG)
        row(
            self,
            (Space.LARGE, Space.SMALL, Space.LARGE, 0),
            Space.SMALL,
            self._label,
            STRETCH,
            button(self.tr("Leave focus mode"), "link", action.trigger),
        )
        self.hide()

    @property
    def on(self) -> bool:
        return self._on

    @property
    def words(self) -> str:
        return self._label.text()

    def turn(self, on: bool) -> bool:
        """Switches focus mode on or off. Returns whether the state changed; it stays off without reviews."""
        on = on and self._count > 0
        if on is self._on:
            return False
        self._on = on
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
        elif self._on:
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
    """Returns a review's row: kind, category and low confidence as chips, red flags as a mark."""
    chips = [Chip(item_words(review.kind, review.goes_out), KIND_TONES[review.kind]), Chip(category_words(review.category))]
    if 0 < review.confidence < UNSURE_BELOW:
        chips.append(Chip(confidence_words(review.confidence), "warning"))
    if review.kind is ReviewKind.REPLY and not review.complete:
        chips.append(Chip(QCoreApplication.translate("Review", "to fill in"), "slot"))
    marks = (("flag", "danger"),) if review.flag_count else ()
    subject = review.subject or QCoreApplication.translate("Words", "(no subject)")
    when = when_short(review.date, now)
    flags = QCoreApplication.translate("Review", "with red flags") if review.flag_count else ""
    who, person = review.sender, ""
    if review.goes_out:
        who, person = recipients_words(review.sender), review.sender.partition(", ")[0]
    spoken = ", ".join(filter(None, (who, subject, when, *(chip.text for chip in chips), flags)))
    kept = tuple(chip for chip in chips if chip.text)
    return RowPresentation(who, subject, review.snippet, when, spoken, chips=kept, marks=marks, person=person)


GROUPED = "review/grouped"
"""Key in window.ini: whether the queue is grouped."""


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
        self.model: IdModel[ReviewRow] = IdModel(self._read, lambda review: review_look(review, context.clock()), self)
        self.list = RowList(context.appearance, context.icons, self.tr("Waiting for you"), self.model)
        self.list.chosen.connect(self.chosen)
        self.list.opened.connect(lambda _key: self.opened.emit())
        self.list.clicked.connect(lambda _index: self.clicked.emit())
        self._heading = label("", Type.TITLE)
        self._count = label("", Type.CAPTION, "soft")
        self._switch_button: QPushButton = button("", "link", self._switch_list)
        self._group_action = context.actions["review.group"]
        self._heading.setContentsMargins(0, Space.MEDIUM, 0, Space.MEDIUM)  # the heading is as high as on other pages
        tools = [*(action_tool(context.actions[name]) for name in ("review.group", "review.focus")), self._switch_button]
        if is_large_text():  # the buttons do not fit beside the heading
            head = row(None, (Space.LARGE, 0), Space.SMALL, self._heading, (self._count, 1))
            below = row(None, (Space.LARGE, 0, Space.LARGE, Space.SMALL), Space.SMALL, STRETCH, *tools)
            column(self, 0, 0, head, below, rule(), (self.list, 1))
        else:
            head = row(None, (Space.LARGE, 0), Space.SMALL, self._heading, (self._count, 1), *tools)
            column(self, 0, 0, head, rule(), (self.list, 1))

    @property
    def count(self) -> int:
        return self.model.rowCount()

    def read(self, without: Set[ReviewId]) -> None:
        """Reads the ids again. A list of waiting reviews leaves out those in `without`."""
        ids = self._context.reader.review_ids(self.pending)
        hidden = without if self.pending else frozenset()
        self.model.set_ids(self._in_order(array("q", (key for key in ids if key not in hidden))))
        self._heading.setText(self.tr("Review") if self.pending else self.tr("Decided"))
        self._count.setText(number_words(self.count) if self.count else "")
        self._switch_button.setText(self.tr("Decided") if self.pending else self.tr("Waiting"))

    def regroup(self) -> None:
        self._context.state.setValue(GROUPED, not self.grouped)
        self.switched.emit()

    @property
    def grouped(self) -> bool:
        return str(self._context.state.value(GROUPED) or "").lower() == "true"

    def _in_order(self, ids: "array[int]") -> "array[int]":
        """Returns the ids in order; grouped, each kind follows its first review."""
        grouped = self.grouped
        self._group_action.setText(self.tr("Oldest urgent first") if grouped else self.tr("Group by kind"))
        if not grouped:
            return ids
        rows = self._read(ids)
        kinds: dict[str, list[int]] = {}
        for key in ids:
            kinds.setdefault(str(rows[key].kind) if key in rows else "", []).append(key)
        return array("q", (key for together in kinds.values() for key in together))

    def row_of(self, review_id: ReviewId) -> int:
        return self.model.row_of(review_id)

    def mark(self, at: int) -> ReviewId:
        self.list.select_row(at, quiet=True)
        return ReviewId(self.model.id_at(at))

    def step(self, by: int) -> bool:
        at = self.list.current_row() + by
        if not 0 <= at < self.count:
            return False
        self.list.select_row(at)
        return True

    def _switch_list(self) -> None:
        self.pending = not self.pending
        self.model.set_ids(array("q"))
        self.switched.emit()

    def _read(self, ids: Sequence[int]) -> Mapping[int, ReviewRow]:
        rows = self._context.reader.review_rows([ReviewId(key) for key in ids])
        return {int(key): value for key, value in rows.items()}


def show_empty(state: EmptyState, context: Context, pending: bool) -> None:
    if not pending:
        title = QCoreApplication.translate("ReviewPage", "Nothing decided yet")
        words = QCoreApplication.translate("ReviewPage", "What you approve or reject is listed here.")
        state.show_state("review", title, words)
    elif context.reader.runs(1):
        title = QCoreApplication.translate("ReviewPage", "All clear")
        words = QCoreApplication.translate(
            "ReviewPage", "Nothing waits for you. New drafts and questions appear here by themselves."
        )
        way = QCoreApplication.translate("ReviewPage", "Go to Inbox")
        state.show_state("done", title, words, way, lambda: context.navigator.show_page("inbox"))
    else:
        title = QCoreApplication.translate("ReviewPage", "Nothing is looked at yet")
        words = QCoreApplication.translate("ReviewPage", "Choose which mail the assistant may look at. Nothing starts unasked.")
        way = QCoreApplication.translate("ReviewPage", "Choose mail…")
        state.show_state("model", title, words, way, lambda: context.navigator.show_page("welcome"))
