"""The list widget: a one-column `QTableView` without headers. It stays fast at a million rows, where `QListView` does not.

It paints its rows itself, from cached pictures: scrolling paints a dozen rows a frame, and the text layout of a row costs 1 ms. A
delegate would cost half a millisecond a row even then.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QCursor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableView,
    QWidget,
)

from app.domain.record import replace
from app.ui.lists.model import IdModel
from app.ui.lists.row_painter import ID_ROLE, RowPainter, RowPresentation
from app.ui.session.session_store import PageState, number
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.theme.painting import fill, make_opaque, visual_rect

PICTURES = 48
"""Painted rows that a list keeps: two or three screens, some 6 MB at a device pixel ratio of 1."""
WHO_SHARE = 0.3
WHO_LARGEST = 180


class CompactPainter(RowPainter):
    """Paints a row on one line: `who`, chips, `snippet`, `when`. For messages of a conversation and steps of a run."""

    def measured_height(self) -> int:
        return int(self._metrics[Type.BODY].height() + 2 * Space.SMALL)

    def paint_look(self, painter: QPainter, rect: QRect, look: RowPresentation) -> None:
        rect = rect.adjusted(Space.LARGE, 0, -Space.LARGE, 0)
        when = self._metrics[Type.CAPTION].horizontalAdvance(look.when)
        self._text(painter, QRect(rect.right() - when, rect.top(), when + 1, rect.height()), look.when, Type.CAPTION, "text_soft")
        role = Type.STRONG if look.strong else Type.BODY
        who = min(at_text_size(WHO_LARGEST), round(rect.width() * WHO_SHARE))
        self._text(painter, QRect(rect.left(), rect.top(), who, rect.height()), look.who, role, "text")
        rest = QRect(rect.left() + who + Space.SMALL, rect.top(), rect.width() - who - when - 2 * Space.SMALL, rect.height())
        height = self._metrics[Type.CAPTION].height()
        line = QRect(rest.left(), rest.top() + (rest.height() - height) // 2, rest.width(), height)
        used = self._paint_chips(painter, line, look.chips)
        self._text(painter, line.adjusted(used, 0, 0, 0), look.snippet, Type.CAPTION, "text_soft")


class RowList(QTableView):
    """A list of rows. Emits `chosen(id)` when another row becomes current and `opened(id)` on Enter or double click. `many`
    allows multiple selection. Rows can be dragged after `carry_by`.
    """

    chosen = Signal(object)
    opened = Signal(object)
    moved = Signal()
    """The current row or the scroll position changed."""
    marked = Signal()
    """Other rows are selected, or one counts as selected by hand."""

    def __init__(
        self, appearance: Appearance, icons: Icons, name: str, rows: IdModel[Any], compact: bool = False, many: bool = False
    ) -> None:
        super().__init__()
        self._rows, self._appearance = rows, appearance
        self._carry: Callable[[], object] | None = None
        self._row_before = -1
        self._beside: list[int] = []
        self._headings: dict[int, QWidget | None] = {}
        self._picked = False
        self.setAccessibleName(name)
        make_opaque(self)
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
        self._painter = (CompactPainter if compact else RowPainter)(appearance, icons)
        self._picture = lru_cache(PICTURES)(self._paint_picture)
        appearance.changed.connect(self._measure)
        self._measure()
        self.setModel(rows)
        self.activated.connect(lambda index: self.opened.emit(index.data(ID_ROLE)))
        self.selectionModel().currentRowChanged.connect(self._emit_chosen)
        self.selectionModel().selectionChanged.connect(lambda *_: self.marked.emit())
        self.verticalScrollBar().valueChanged.connect(self.moved)
        self.verticalScrollBar().valueChanged.connect(self._place_in_headings)
        rows.layoutAboutToBeChanged.connect(self._note_row)
        rows.layoutChanged.connect(self._follow_row)

    def select_row(self, row: int, quiet: bool = False) -> None:
        """Makes a row current and scrolls to it. `quiet` does not emit `chosen`."""
        index = self.model().index(row, 0)
        if not index.isValid():
            return
        unmarked, self._picked = quiet or self._picked, False
        model = self.selectionModel()
        blocked = model.blockSignals(quiet)
        model.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows)
        model.blockSignals(blocked)
        self.executeDelayedItemsLayout()  # so that a list that just grew scrolls within its new size
        self.scrollTo(index)
        if quiet:  # signals were blocked, so the view must repaint too
            self.viewport().update()
        self.moved.emit()
        if unmarked:
            self.marked.emit()

    def set_compact(self, compact: bool) -> None:
        """Sets rows of two lines instead of three. The row at the upper edge stays there."""
        top = self.top()[0]
        self._painter.compact = compact
        self._measure()
        self.viewport().update()
        if top >= 0:
            self.scroll_to_top(top, 0)

    def select_rows(self, rows: Sequence[int]) -> None:
        """Makes the first of `rows` current and selects all of them."""
        self.select_row(rows[0])
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        for row in rows[1:]:
            self.selectionModel().select(self._rows.index(row, 0), flags)

    def top(self) -> tuple[int, int]:
        """The row at the upper edge and its hidden pixels. Row -1 in an empty list."""
        row = self.rowAt(0)
        return row, 0 if row < 0 else -self.rowViewportPosition(row)

    def scroll_to_top(self, row: int, above: int) -> None:
        """Puts a row at the upper edge after the next layout."""
        index = QPersistentModelIndex(self.model().index(row, 0))

        def scroll() -> None:
            self.executeDelayedItemsLayout()
            if index.isValid():
                bar = self.verticalScrollBar()
                bar.setValue(min(self.verticalHeader().sectionPosition(index.row()) + above, bar.maximum()))

        QTimer.singleShot(0, self, scroll)

    def set_headings(self, headings: Mapping[int, QWidget | None]) -> None:
        """Gives these rows room for the heading in their presentation. A widget is placed at the heading's end.

        Take the headings away before the ids change.
        """
        header = self.verticalHeader()
        blocked = header.blockSignals(True)  # told of a height, Qt would paint the whole list again a turn later: 4 ms
        for row in self._headings:
            header.resizeSection(row, self.row_height)
        self._headings = dict(headings)
        for row in self._headings:
            header.resizeSection(row, self.row_height + self._painter.heading_height)
        header.blockSignals(blocked)
        self.updateGeometries()
        self.viewport().update()
        self._place_in_headings()

    def _place_in_headings(self) -> None:
        for row, widget in self._headings.items():
            if widget is None:
                continue
            self.executeDelayedItemsLayout()
            size, high = widget.sizeHint(), self._painter.heading_height
            room = self.viewport().rect()
            top = self.rowViewportPosition(row) + (high - min(size.height(), high)) // 2
            spot = QRect(room.right() - size.width() - Space.MEDIUM, top, size.width(), min(size.height(), high))
            widget.setGeometry(visual_rect(room, spot))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_in_headings()

    @property
    def picking(self) -> bool:
        """Whether rows were selected one by one. The selection then says more than the current row."""
        return self._picked and self.selectionModel().hasSelection()

    def pick(self) -> None:
        """Selects or deselects the current row beside the others."""
        flags, again = QItemSelectionModel.SelectionFlag, self._picked or self.selected_count() > 1
        self._picked = True
        self.selectionModel().select(self.currentIndex(), (flags.Toggle if again else flags.Select) | flags.Rows)
        if not self.picking:
            self.select_row(self.current_row())
        self.viewport().update()
        self.marked.emit()

    def extend(self, by: int) -> None:
        """Selects the current row and the one above or below beside the others, and goes to that."""
        flags, self._picked = QItemSelectionModel.SelectionFlag, True
        self.selectionModel().select(self.currentIndex(), flags.Select | flags.Rows)
        self._move_on(self.model().index(self.current_row() + by, 0), flags.Select | flags.Rows)

    def step(self, by: int) -> None:
        """Goes to another row. Rows that were selected one by one stay so."""
        row = min(max(self.current_row() + by, 0), self.model().rowCount() - 1)
        if self.picking:
            self._move_on(self.model().index(row, 0), QItemSelectionModel.SelectionFlag.NoUpdate)
        else:
            self.select_row(row)

    def _move_on(self, index: QModelIndex, how: QItemSelectionModel.SelectionFlag) -> None:
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, how)
            self.scrollTo(index)
            self.viewport().update()
            self.moved.emit()
        self.marked.emit()

    def selectionCommand(
        self, index: QModelIndex | QPersistentModelIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        """Arrow keys keep what was selected one by one, as J and K do. A plain click ends it."""
        if self.picking and isinstance(event, QKeyEvent) and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.viewport().update()
            return QItemSelectionModel.SelectionFlag.NoUpdate
        if self._picked and isinstance(event, QMouseEvent) and not event.modifiers():
            self._picked = False
            self.marked.emit()
        return super().selectionCommand(index, event)

    def current_row(self) -> int:
        return self.currentIndex().row()

    def selected_rows(self) -> list[int]:
        """All selected rows in order. It may be long, since ranges cost nothing to select."""
        return sorted(row for one in self._ranges() for row in range(one.top(), one.bottom() + 1))

    def selected_count(self) -> int:
        return sum(one.height() for one in self._ranges())

    def _ranges(self) -> Iterable[QItemSelectionRange]:
        # A QItemSelection is a list of ranges; its type stub does not say so.
        return cast(Iterable[QItemSelectionRange], self.selectionModel().selection())

    def _note_row(self) -> None:
        self._row_before = row = self.current_row()
        ids = self._rows.ids
        self._beside = [ids[at] for at in (row - 1, row + 1) if row >= 0 and 0 <= at < len(ids)]

    def _follow_row(self) -> None:
        """Moves to the row that took the place of the current one, unless this is another list."""
        if self.current_row() >= 0 or not any(self._rows.row_of(key) >= 0 for key in self._beside):
            return
        row = min(self._row_before, self._rows.rowCount() - 1)
        if self.selectionModel().hasSelection():  # of several rows those that are left stay selected
            index = self._rows.index(row, 0)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        else:
            self.select_row(row)

    def position(self) -> PageState:
        here, (top, above) = self.current_row(), self.top()
        found: PageState = {}
        if 0 <= here < self._rows.rowCount():
            found["row"] = self._rows.name_at(here)
        if 0 < top < self._rows.rowCount() or above:
            found |= {"top": self._rows.name_at(top), "above": above}
        return found

    def restore(self, position: PageState) -> None:
        row = self.saved_row(position)
        if row >= 0 and row != self.current_row():
            self.select_row(row)
        self.scroll_back(position)

    def saved_row(self, position: PageState) -> int:
        return self._rows.row_named(position.get("row"))

    def scroll_back(self, position: PageState) -> None:
        top = self._rows.row_named(position.get("top"))
        if top >= 0:
            self.scroll_to_top(top, number(position, "above"))

    def carry_by(self, carry: Callable[[], object]) -> None:
        """Allows dragging the selected rows; `carry` is called when a drag starts."""
        self._carry = carry
        self.setDragEnabled(True)

    def startDrag(self, supported_actions: Qt.DropAction) -> None:
        """Lets the page run the drag: Qt would paint all selected rows."""
        if self._carry is not None:
            self._carry()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Selects the current row: Qt only makes the first row current."""
        if not self.selectionModel().hasSelection() and self.model().rowCount():
            self.select_row(max(self.current_row(), 0))
        super().focusInEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the rows that changed, and the ground below the last one."""
        painter, region, view = QPainter(self.viewport()), event.region(), self.viewport()
        first, marking, here = self.rowAt(event.rect().top()), self.picking, self.current_row()
        hovered = self.rowAt(view.mapFromGlobal(QCursor.pos()).y()) if view.underMouse() else -1
        ranges = [(one.top(), one.bottom()) for one in self._ranges()]
        bottom = event.rect().top()
        for row in range(first, self._rows.rowCount() if first >= 0 else first):
            rect = QRect(0, self.rowViewportPosition(row), view.width(), self.rowHeight(row))
            if rect.top() > event.rect().bottom():
                break
            bottom = rect.bottom() + 1
            if region.intersects(rect):
                selected = any(top <= row <= last for top, last in ranges)
                self._paint_row(painter, rect, row, selected, row == hovered, marking and row == here)
        if bottom <= event.rect().bottom():
            painter.fillRect(QRect(0, bottom, view.width(), view.height() - bottom), self._appearance.colour("surface"))
        painter.end()

    def _paint_row(self, painter: QPainter, rect: QRect, row: int, selected: bool, hovered: bool, here: bool) -> None:
        """Paints a row. While rows are picked, the selected ones have a tick, and a bar stands at the current one (`here`)."""
        look = self._rows.look(row)
        if look is None:  # it cannot be read
            painter.fillRect(rect, self._appearance.colour("surface"))
        else:
            look = replace(look, icon="approve") if selected and self.picking else look
            high = rect.height() - self.row_height
            if look.heading and high > 0:
                self._painter.paint_heading(painter, QRect(rect.left(), rect.top(), rect.width(), high), look.heading)
            ratio = painter.device().devicePixelRatioF()
            picture = self._picture(look, rect.width(), selected, hovered or here, ratio)
            painter.drawPixmap(rect.left(), rect.top() + (high if look.heading else 0), picture)
        if here:
            row_rect = rect.adjusted(0, rect.height() - self.row_height, 0, 0)
            bar = row_rect.adjusted(0, 0, 3 - row_rect.width(), 0)
            fill(painter, visual_rect(row_rect, bar), self._appearance.colour("accent"))

    def _paint_picture(self, look: RowPresentation, width: int, selected: bool, hovered: bool, ratio: float) -> QPixmap:
        place = QRect(0, 0, width, self.row_height)
        picture = QPixmap(place.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        painter = QPainter(picture)
        self._painter.paint_row(painter, place, look, selected, hovered)
        painter.end()
        return picture

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Home and End go to the first and last row. In a one-column table Qt would not move."""
        ends = (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd)
        return super().moveCursor(action, modifiers | Qt.KeyboardModifier.ControlModifier if action in ends else modifiers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leaves single letters to the page's shortcuts. Qt would search in the list."""
        if event.text().isprintable() and event.text() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().keyPressEvent(event)

    def _emit_chosen(self, index: QModelIndex, _old: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(index.data(ID_ROLE))
            self.moved.emit()

    @property
    def row_height(self) -> int:
        return self._painter.row_height

    def _measure(self) -> None:
        """Takes over the theme, the fonts and the form of the rows."""
        self._painter.refresh()
        self._picture.cache_clear()
        header = self.verticalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setMinimumSectionSize(self.row_height)
        header.setDefaultSectionSize(self.row_height)
        self.set_headings(self._headings)
