"""The list widget: a one-column table without headers, which stays quick at a million rows where a list view does not."""

from collections.abc import Callable, Iterable
from typing import cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app.ui.lists.delegate import CompactPainter, RowDelegate
from app.ui.lists.row_painter import RowPainter
from app.ui.lists.row_presentation import ID_ROLE
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons
from app.ui.widgets.painting import cover_itself, lay_ground


class RowList(QTableView):
    """Emits `chosen(id)` when another row becomes current and `opened(id)` on Enter or double click. With `many`, Shift and
    Ctrl select several rows, as everywhere. Rows are dragged where `carry_by` says what then happens."""

    chosen = Signal(object)
    opened = Signal(object)
    moved = Signal()
    """Another row is current, or the list was scrolled."""

    def __init__(self, appearance: Appearance, icons: Icons, name: str, compact: bool = False, many: bool = False) -> None:
        super().__init__()
        self._appearance = appearance
        self._carry: Callable[[], object] | None = None
        self.setAccessibleName(name)
        cover_itself(self)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        mode = QAbstractItemView.SelectionMode
        self.setSelectionMode(mode.ExtendedSelection if many else mode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        rows = (CompactPainter if compact else RowPainter)(appearance, icons)
        self._delegate = RowDelegate(appearance, rows, self)
        self.setItemDelegate(self._delegate)
        appearance.changed.connect(self._measure)
        self._measure()
        self.activated.connect(lambda index: self.opened.emit(index.data(ID_ROLE)))

    def select_row(self, row: int, quiet: bool = False) -> None:
        """Make a row current (and visible); `quiet` leaves `chosen` out."""
        index = self.model().index(row, 0)
        if not index.isValid():
            return
        model = self.selectionModel()
        blocked = model.blockSignals(quiet)
        model.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows)
        model.blockSignals(blocked)
        self.executeDelayedItemsLayout()  # or what has just grown is scrolled within what it was
        self.scrollTo(index)
        if quiet:  # the view has not heard of it either; else it paints the rows that changed, and no others
            self.viewport().update()
        self.moved.emit()

    def top(self) -> tuple[int, int]:
        """The row at the upper edge and how many pixels of it are above; row -1 in an empty list."""
        row = self.rowAt(0)
        return row, 0 if row < 0 else -self.rowViewportPosition(row)

    def scroll_to_top(self, row: int, above: int) -> None:
        """Put a row at the upper edge, once the list has its size."""
        index = QPersistentModelIndex(self.model().index(row, 0))

        def scroll() -> None:
            self.executeDelayedItemsLayout()
            if index.isValid():
                bar = self.verticalScrollBar()
                bar.setValue(min(index.row() * self.row_height + above, bar.maximum()))

        QTimer.singleShot(0, self, scroll)

    def current_row(self) -> int:
        """The current row, -1 if none."""
        return self.currentIndex().row()

    def selected_rows(self) -> list[int]:
        """Every selected row in order; a range costs nothing to select, so this may be long."""
        return sorted(row for one in self._ranges() for row in range(one.top(), one.bottom() + 1))

    def selected_count(self) -> int:
        """How many rows are selected."""
        return sum(one.height() for one in self._ranges())

    def _ranges(self) -> Iterable[QItemSelectionRange]:
        # A QItemSelection is a list of ranges; its type stub does not say so.
        return cast(Iterable[QItemSelectionRange], self.selectionModel().selection())

    def setModel(self, model: QAbstractItemModel | None) -> None:
        """Once: from then on it tells of current rows."""
        super().setModel(model)
        self.selectionModel().currentRowChanged.connect(lambda index, _old: self._tell(index.data(ID_ROLE)))
        self.verticalScrollBar().valueChanged.connect(self.moved)

    def carry_by(self, carry: Callable[[], object]) -> None:
        """Let the selected rows be dragged: `carry` is called when it begins."""
        self._carry = carry
        self.setDragEnabled(True)

    def startDrag(self, supported_actions: Qt.DropAction) -> None:
        """The rows and their picture are the page's; Qt would paint all that are selected."""
        if self._carry is not None:
            self._carry()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt makes the first row current without selecting it; a list with the keyboard shows where it is."""
        if not self.selectionModel().hasSelection() and self.model().rowCount():
            self.select_row(max(self.current_row(), 0))
        super().focusInEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground and rows."""
        lay_ground(self, event, self._appearance.colour("surface"))
        super().paintEvent(event)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Home and End go to the first and the last row; in a table of one column Qt would leave them where they are."""
        ends = (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd)
        return super().moveCursor(action, modifiers | Qt.KeyboardModifier.ControlModifier if action in ends else modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Single letters are the page's shortcuts, not a search in the list."""
        if event.text().isprintable() and event.text() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().keyPressEvent(event)

    def _tell(self, key: object) -> None:
        if isinstance(key, int):
            self.chosen.emit(key)
            self.moved.emit()

    @property
    def row_height(self) -> int:
        """Pixels of a row."""
        return self._delegate.row_height

    def _measure(self) -> None:
        header = self.verticalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setMinimumSectionSize(self._delegate.row_height)
        header.setDefaultSectionSize(self._delegate.row_height)
