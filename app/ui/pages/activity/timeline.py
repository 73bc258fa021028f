"""A run's nodes as a folding tree: what ran, how long it took as a bar, its error, and its fields before and after.

JSON text as tree items that are made when their parent is opened. Text that is no JSON is shown as it is.
"""

import json
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication, QLocale, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from app.domain.agents.runs import StepLog
from app.ui.i18n.formatting import number_words, seconds_words
from app.ui.pages.activity.activity_texts import node_words
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Radius, Space, Type
from app.ui.widgets.hints import plain_tip

PENDING_ROLE = int(Qt.ItemDataRole.UserRole) + 11
LONGEST = 400
MOST_CHILDREN = 500

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


class UnbuiltBranch:
    """A value whose items are not made yet; wrapped, because Qt would sort a bare dict."""

    def __init__(self, value: Json) -> None:
        self.value = value


def parsed(text: str) -> Json:
    """The value of a JSON text; the text itself when it is none."""
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):  # brackets within brackets without end
        return text
    return value


def branch(name: str, value: Json) -> list[QStandardItem]:
    """A row: the name and the value's words. Children follow on `open_branch`."""
    first, second = plain(name), plain(value_words(value))
    second.setToolTip(plain_tip(value) if isinstance(value, str) and len(value) > LONGEST else "")
    if isinstance(value, dict | list) and value:
        first.setData(UnbuiltBranch(value), PENDING_ROLE)
        first.appendRow([plain(""), plain("")])
    return [first, second]


def open_branch(item: QStandardItem) -> None:
    """Make an item's children, once."""
    kept = item.data(PENDING_ROLE)
    if not isinstance(kept, UnbuiltBranch):
        return
    item.setData(None, PENDING_ROLE)
    item.removeRows(0, item.rowCount())
    pairs = members(kept.value)
    for name, one in pairs[:MOST_CHILDREN]:
        item.appendRow(branch(name, one))
    if len(pairs) > MOST_CHILDREN:
        more = QCoreApplication.translate("JsonTree", "and more: %1").replace("%1", number_words(len(pairs) - MOST_CHILDREN))
        item.appendRow([plain("…"), plain(more)])


def members(value: Json) -> list[tuple[str, Json]]:
    """What a branch holds, with names; a leaf holds nothing."""
    if isinstance(value, dict):
        return list(value.items())
    return [(str(at), one) for at, one in enumerate(value)] if isinstance(value, list) else []


def value_words(value: Json) -> str:
    """A leaf in words; how many things a branch holds."""
    if isinstance(value, dict):
        return QCoreApplication.translate("JsonTree", "fields: %1").replace("%1", number_words(len(value))) if value else "{}"
    if isinstance(value, list):
        return QCoreApplication.translate("JsonTree", "items: %1").replace("%1", number_words(len(value))) if value else "[]"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, float):
        return QLocale().toString(value, "g", 6)
    words = str(value)
    return words if len(words) <= LONGEST else words[:LONGEST] + "…"


def plain(words: str) -> QStandardItem:
    """An item that is read, not edited."""
    made = QStandardItem(words)
    made.setEditable(False)
    return made


SHARE_ROLE = int(Qt.ItemDataRole.UserRole) + 12
ERROR_ROLE = int(Qt.ItemDataRole.UserRole) + 13
BAR_HEIGHT = 6
Index = QModelIndex | QPersistentModelIndex


class TimelineDelegate(QStyledItemDelegate):
    """Gives rows room, and paints the time of a node as a bar with its words."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A bar where a share of time stands, otherwise the words."""
        super().paint(painter, option, index)
        share = index.data(SHARE_ROLE)
        if not isinstance(share, float):
            return
        rect: QRect = option.rect
        words = self._words_width()
        track = QRectF(
            rect.left() + words, rect.center().y() - BAR_HEIGHT / 2 + 1, rect.width() - words - Space.LARGE, BAR_HEIGHT
        )
        if track.width() <= BAR_HEIGHT:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.colour("neutral_soft"))
        painter.drawRoundedRect(track, Radius.CHIP, Radius.CHIP)
        track.setWidth(max(BAR_HEIGHT, track.width() * share))
        painter.setBrush(self._appearance.colour("danger" if index.data(ERROR_ROLE) else "accent"))
        painter.drawRoundedRect(track, BAR_HEIGHT / 2, BAR_HEIGHT / 2)
        painter.restore()

    def _words_width(self) -> int:
        """Room for the longest usual time, so that bars begin under each other."""
        return QFontMetrics(self._appearance.fonts[Type.BODY]).horizontalAdvance("000.0 ms ") + Space.MEDIUM


class Timeline(QTreeView):
    """Steps by order; opening one shows its error, input and output."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._steps: tuple[StepLog, ...] = ()
        self._items = QStandardItemModel(0, 2, self)
        self.setModel(self._items)
        self.setProperty("role", "timeline")
        self.setAccessibleName(self.tr("Steps of the run"))
        self.setItemDelegate(TimelineDelegate(appearance, self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setExpandsOnDoubleClick(True)
        self.setIndentation(Space.LARGE)
        self.setAllColumnsShowFocus(True)
        self.header().hide()
        self.header().setStretchLastSection(True)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.expanded.connect(lambda index: open_branch(self._items.itemFromIndex(index)))
        appearance.changed.connect(self._restyle)

    def show_steps(self, steps: Sequence[StepLog]) -> None:
        """Show a run's steps; nodes that were open stay open, and all that was unfolded in them where nothing changed."""
        if tuple(steps) == self._steps:
            return
        self._steps = tuple(steps)
        opened = self.unfolded
        current = self.currentIndex()
        kept = current.row() if current.isValid() and not current.parent().isValid() else -1
        self._items.removeRows(0, self._items.rowCount())
        longest = max((step.latency_ms for step in steps), default=0.0)
        for step in steps:
            self._items.appendRow(self._step(step, longest))
        self.unfold(opened)
        if 0 <= kept < len(steps):
            self.setCurrentIndex(self._items.index(kept, 0))
        self._restyle()

    @property
    def unfolded(self) -> list[int]:
        """The steps that are open, by order."""
        return [row for row in range(self._items.rowCount()) if self.isExpanded(self._items.index(row, 0))]

    def unfold(self, steps: Iterable[int]) -> None:
        """Open these, as far as they are there."""
        for row in set(steps) & set(range(self._items.rowCount())):
            self.expand(self._items.index(row, 0))

    def show_nothing(self) -> None:
        """Forget the run."""
        self._steps = ()
        self._items.removeRows(0, self._items.rowCount())

    def _step(self, step: StepLog, longest: float) -> list[QStandardItem]:
        name, time = plain(node_words(step.step_name)), plain(seconds_words(step.latency_ms))
        failed = self.tr("failed") if step.error else ""
        spoken = ", ".join(filter(None, (name.text(), time.text(), failed)))
        name.setData(spoken, Qt.ItemDataRole.AccessibleTextRole)
        name.setData(bool(step.error), ERROR_ROLE)
        name.setToolTip(plain_tip(step.step_name))
        time.setData(step.latency_ms / longest if longest > 0 else 0.0, SHARE_ROLE)
        time.setData(bool(step.error), ERROR_ROLE)
        if step.error:
            name.appendRow(self._error(step.error))
        for title, text in ((self.tr("Before"), step.input_state), (self.tr("After"), step.output_state)):
            name.appendRow(branch(title, parsed(text or "{}")))
        return [name, time]

    def _error(self, words: str) -> list[QStandardItem]:
        row = [plain(self.tr("Error")), plain(words)]
        for item in row:
            item.setData(True, ERROR_ROLE)
        row[1].setToolTip(plain_tip(words))
        return row

    def _restyle(self) -> None:
        """Fonts and colours of the theme of now."""
        height = self.fontMetrics().height() + Space.SMALL + Space.HAIR
        for row in range(self._items.rowCount()):
            item = self._items.item(row, 0)
            item.setFont(self._appearance.fonts[Type.STRONG])
            item.setSizeHint(QSize(0, height))
            for one in (item, item.child(0, 0), item.child(0, 1)):
                if one is not None:
                    one.setForeground(self._appearance.colour("danger" if one.data(ERROR_ROLE) else "text"))
        metrics = self.fontMetrics()
        self.header().resizeSection(0, max(220, metrics.averageCharWidth() * 34))
