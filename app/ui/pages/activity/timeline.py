"""The trace of a run: in words, and as a tree of nodes with duration as a bar, error, and the state before and after.

States are JSON, shown as tree items that are made when their parent is expanded.
"""

import json
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLocale, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.domain.agents.runs import TraceStep
from app.ui.i18n.formatting import number_words, seconds_words
from app.ui.pages.activity.activity_texts import node_words, trace_lines
from app.ui.theme.appearance import Appearance
from app.ui.theme.metrics import Radius, Space, Type
from app.ui.widgets.factory import plain_tip

LONGEST = 400
MOST_CHILDREN = 500

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


class Branch(QTreeWidgetItem):
    """A row of name and JSON value. `open` makes its children, once."""

    def __init__(self, name: str, value: Json) -> None:
        super().__init__([name, value_words(value)])
        self.setToolTip(1, plain_tip(value) if isinstance(value, str) and len(value) > LONGEST else "")
        self._left = members(value)
        if self._left:
            self.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)

    def open(self) -> None:
        left, self._left = self._left, []
        self.addChildren([Branch(name, value) for name, value in left[:MOST_CHILDREN]])
        if len(left) > MOST_CHILDREN:
            more = QCoreApplication.translate("JsonTree", "and more: %1").replace("%1", number_words(len(left) - MOST_CHILDREN))
            self.addChild(QTreeWidgetItem(["…", more]))


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
        return json.dumps(value)
    if isinstance(value, float):
        return QLocale().toString(value, "g", 6)
    words = str(value)
    return words if len(words) <= LONGEST else words[:LONGEST] + "…"


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
        # the width of the longest usual duration, so that all bars start at the same x
        words = QFontMetrics(self._appearance.fonts[Type.BODY]).horizontalAdvance("000.0 ms ") + Space.MEDIUM
        rect: QRect = option.rect
        width = rect.width() - words - Space.LARGE
        if width <= BAR_HEIGHT:
            return
        track = QRectF(rect.left() + words, rect.center().y() - BAR_HEIGHT / 2 + 1, width, BAR_HEIGHT)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.colour("neutral_soft"))
        painter.drawRoundedRect(track, Radius.CHIP, Radius.CHIP)
        track.setWidth(max(BAR_HEIGHT, width * share))
        painter.setBrush(self._appearance.colour("danger" if index.data(ERROR_ROLE) else "accent"))
        painter.drawRoundedRect(track, BAR_HEIGHT / 2, BAR_HEIGHT / 2)
        painter.restore()


class Timeline(QTreeWidget):
    """The steps of a run in order, with times. An expanded step shows its error and the state before and after."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._steps: tuple[TraceStep, ...] = ()
        self._rows: list[QTreeWidgetItem] = []
        self.setColumnCount(2)
        self.setProperty("role", "timeline")
        self.setAccessibleName(self.tr("Steps of the run"))
        self.setItemDelegate(TimelineDelegate(appearance, self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setUniformRowHeights(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setIndentation(Space.LARGE)
        self.setAllColumnsShowFocus(True)
        self.header().hide()
        self.itemExpanded.connect(lambda item: item.open() if isinstance(item, Branch) else None)
        appearance.changed.connect(self._fill)

    def show_steps(self, steps: Sequence[TraceStep]) -> None:
        """Shows a run's steps. Steps that were expanded stay expanded; the same steps change nothing."""
        if tuple(steps) != self._steps:
            self._steps = tuple(steps)
            self._fill()

    def _fill(self) -> None:
        opened, kept = {at for at, one in enumerate(self._rows) if one.isExpanded()}, self.currentIndex()
        longest = max((step.log.latency_ms for step in self._steps), default=0.0)
        self.clear()
        self._rows = [self._row(step, longest) for step in self._steps]
        self.addTopLevelItems(self._rows)
        for at, one in enumerate(self._rows):
            one.setExpanded(at in opened)
        if not kept.parent().isValid():
            self.setCurrentIndex(self.model().index(kept.row(), 0))
        self.header().resizeSection(0, max(220, self.fontMetrics().averageCharWidth() * 34))

    def _row(self, whole: TraceStep, longest: float) -> QTreeWidgetItem:
        step = whole.log
        made = QTreeWidgetItem([node_words(step.step_name), seconds_words(step.latency_ms)])
        failed = self.tr("failed") if step.error else ""
        spoken = ", ".join(filter(None, (made.text(0), made.text(1), failed)))
        made.setData(0, Qt.ItemDataRole.AccessibleTextRole, spoken)
        made.setToolTip(0, plain_tip(step.step_name))
        made.setFont(0, self._appearance.fonts[Type.STRONG])
        made.setSizeHint(0, QSize(0, self.fontMetrics().height() + Space.SMALL + Space.HAIR))
        made.setData(1, SHARE_ROLE, step.latency_ms / longest if longest > 0 else 0.0)
        made.setData(1, ERROR_ROLE, bool(step.error))
        if step.error:
            danger, error = self._appearance.colour("danger"), QTreeWidgetItem(made, [self.tr("Error"), step.error])
            error.setToolTip(1, plain_tip(step.error))
            for item, place in ((made, 0), (error, 0), (error, 1)):
                item.setForeground(place, danger)
        for title, state in ((self.tr("Before"), whole.read), (self.tr("After"), whole.wrote)):
            made.addChild(Branch(title, dict(state)))
        return made


LINE_BREAK = "\N{LINE SEPARATOR}"
"""A line break within a paragraph."""


class TraceText(QTextEdit):
    """The trace of a run in words, to read, select and copy."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(readOnly=True, tabChangesFocus=True)
        self._appearance = appearance
        self._steps: tuple[TraceStep, ...] = ()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "plain")
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
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
