"""The trace of a run: in words, and as a tree of nodes with duration as a bar, error, and the state before and after.

States are JSON, shown as tree items that are made when their parent is expanded.
"""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLocale, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QPainter,
    QStandardItem,
    QStandardItemModel,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextEdit,
    QTreeView,
    QWidget,
)

from app.domain.agents.runs import TraceStep
from app.ui.i18n.formatting import number_words, seconds_words
from app.ui.pages.activity.activity_texts import node_words, trace_lines
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Radius, Space, Type
from app.ui.widgets.factory import plain_tip

PENDING_ROLE = int(Qt.ItemDataRole.UserRole) + 11
LONGEST = 400
MOST_CHILDREN = 500

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


class UnbuiltBranch:
    """A JSON value whose items are not made yet. Wrapped, because Qt would sort a plain dict."""

    def __init__(self, value: Json) -> None:
        self.value = value


def branch(name: str, value: Json) -> list[QStandardItem]:
    """A row of name and value. `open_branch` adds the children."""
    first, second = plain(name), plain(value_words(value))
    second.setToolTip(plain_tip(value) if isinstance(value, str) and len(value) > LONGEST else "")
    if isinstance(value, dict | list) and value:
        first.setData(UnbuiltBranch(value), PENDING_ROLE)
        first.appendRow([plain(""), plain("")])
    return [first, second]


def open_branch(item: QStandardItem) -> None:
    """Makes the children of an item, once."""
    kept = item.data(PENDING_ROLE)
    if not isinstance(kept, UnbuiltBranch):
        return
    item.setData(None, PENDING_ROLE)
    item.removeRows(0, item.rowCount())
    pairs = members(kept.value)
    for name, child in pairs[:MOST_CHILDREN]:
        item.appendRow(branch(name, child))
    if len(pairs) > MOST_CHILDREN:
        more = QCoreApplication.translate("JsonTree", "and more: %1").replace("%1", number_words(len(pairs) - MOST_CHILDREN))
        item.appendRow([plain("…"), plain(more)])


def members(value: Json) -> list[tuple[str, Json]]:
    """Named members of a dict or list; empty for other values."""
    if isinstance(value, dict):
        return list(value.items())
    return [(str(at), item) for at, item in enumerate(value)] if isinstance(value, list) else []


def value_words(value: Json) -> str:
    """Text of a value; for a dict or list the number of members."""
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
    made = QStandardItem(words)
    made.setEditable(False)
    return made


SHARE_ROLE = int(Qt.ItemDataRole.UserRole) + 12
ERROR_ROLE = int(Qt.ItemDataRole.UserRole) + 13
BAR_HEIGHT = 6
Index = QModelIndex | QPersistentModelIndex


class TimelineDelegate(QStyledItemDelegate):
    """Paints a node's share of the time as a bar behind its text."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints the text, and a bar if the index has a share."""
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
        """Width of the longest usual duration, so that all bars start at the same x."""
        return QFontMetrics(self._appearance.fonts[Type.BODY]).horizontalAdvance("000.0 ms ") + Space.MEDIUM


class Timeline(QTreeView):
    """The steps of a run in order, with times. An expanded step shows its error and the state before and after."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._steps: tuple[TraceStep, ...] = ()
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

    def show_steps(self, steps: Sequence[TraceStep]) -> None:
        """Shows a run's steps. Steps that were expanded stay expanded; the same steps change nothing."""
        if tuple(steps) == self._steps:
            return
        self._steps = tuple(steps)
        opened = [row for row in range(self._items.rowCount()) if self.isExpanded(self._items.index(row, 0))]
        current = self.currentIndex()
        kept = current.row() if current.isValid() and not current.parent().isValid() else -1
        self._items.removeRows(0, self._items.rowCount())
        longest = max((step.log.latency_ms for step in steps), default=0.0)
        for step in steps:
            self._items.appendRow(self._step(step, longest))
        for row in opened:
            if row < len(steps):
                self.expand(self._items.index(row, 0))
        if 0 <= kept < len(steps):
            self.setCurrentIndex(self._items.index(kept, 0))
        self._restyle()

    def show_nothing(self) -> None:
        self._steps = ()
        self._items.removeRows(0, self._items.rowCount())

    def _step(self, whole: TraceStep, longest: float) -> list[QStandardItem]:
        step = whole.log
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
        for title, state in ((self.tr("Before"), whole.read), (self.tr("After"), whole.wrote)):
            name.appendRow(branch(title, dict(state)))
        return [name, time]

    def _error(self, words: str) -> list[QStandardItem]:
        row = [plain(self.tr("Error")), plain(words)]
        for item in row:
            item.setData(True, ERROR_ROLE)
        row[1].setToolTip(plain_tip(words))
        return row

    def _restyle(self) -> None:
        """Applies fonts and colours of the current theme."""
        height = self.fontMetrics().height() + Space.SMALL + Space.HAIR
        for row in range(self._items.rowCount()):
            item = self._items.item(row, 0)
            item.setFont(self._appearance.fonts[Type.STRONG])
            item.setSizeHint(QSize(0, height))
            for cell in (item, item.child(0, 0), item.child(0, 1)):
                if cell is not None:
                    cell.setForeground(self._appearance.colour("danger" if cell.data(ERROR_ROLE) else "text"))
        metrics = self.fontMetrics()
        self.header().resizeSection(0, max(220, metrics.averageCharWidth() * 34))


LINE_BREAK = "\N{LINE SEPARATOR}"
"""A line break within a paragraph."""


class TraceText(QTextEdit):
    """The trace of a run in words, to read, select and copy."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._steps: tuple[TraceStep, ...] = ()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "plain")
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName(self.tr("What was done, step by step"))
        appearance.changed.connect(self._fill)

    def show_steps(self, steps: Sequence[TraceStep]) -> None:
        """Shows the steps; the same steps keep selection and place."""
        if tuple(steps) != self._steps:
            same = bool(self._steps) and self._steps[0].log.run_id == steps[0].log.run_id
            at = self.verticalScrollBar().value() if same else 0
            self._steps = tuple(steps)
            self._fill()
            self.verticalScrollBar().setValue(at)

    def _fill(self) -> None:
        self.clear()
        cursor = QTextCursor(self.document())
        for number, (name, text) in enumerate(trace_lines(self._steps)):
            block = QTextBlockFormat()
            block.setTopMargin(Space.TIGHT if text else Space.LARGE if number else 0)
            block.setLeftMargin(Space.LARGE if text else 0)
            if number:
                cursor.insertBlock(block)
            else:
                cursor.setBlockFormat(block)
            cursor.insertText(f"{name}: " if text else name, self._looks(Type.BODY if text else Type.STRONG, bool(text)))
            cursor.insertText(text.replace("\n", LINE_BREAK), self._looks(Type.BODY, False))
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _looks(self, role: Type, soft: bool) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self._appearance.fonts[role])
        made.setForeground(self._appearance.colour("text_soft" if soft else "text"))
        return made
