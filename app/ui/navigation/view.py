"""The navigation widget: places with counts. It folds to icons in a narrow window and accepts dropped conversations."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QCursor, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from app.ui.i18n.formatting import number_words
from app.ui.navigation.painter import NARROW, Place, PlacePainter, place_height, places_width, titles_width
from app.ui.navigation.places import origin_of, takes, threads_in
from app.ui.theme.appearance import Appearance
from app.ui.theme.icons import Icons
from app.ui.theme.painting import make_opaque
from app.ui.widgets.factory import announce, plain_tip

Index = QModelIndex | QPersistentModelIndex


class PlaceModel(QAbstractListModel):
    def __init__(self, places: list[Place]) -> None:
        super().__init__()
        self.places = places
        self._fixed = len(places)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.places)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        place = self.places[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            words = f"{place.title} {number_words(place.count)}" if place.count else place.title
            return plain_tip(words) if role == Qt.ItemDataRole.ToolTipRole else words
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or not self.places[index.row()].name:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def set_tail(self, tail: list[Place]) -> bool:
        if self.places[self._fixed :] == tail:
            return False
        self.beginResetModel()
        self.places[self._fixed :] = tail
        self.endResetModel()
        return True

    def set_count(self, name: str, count: int, strong: bool) -> None:
        for row, place in enumerate(self.places):
            if place.name == name and (place.count, place.strong) != (count, strong):
                self.places[row] = Place(name, place.title, place.icon, count, strong)
                self.dataChanged.emit(self.index(row), self.index(row))


class PlaceSize(QStyledItemDelegate):
    """The size of a place. The view paints the places."""

    def __init__(self, model: PlaceModel, view: QListView) -> None:
        super().__init__(view)
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(NARROW, place_height(self._model.places[index.row()], option.fontMetrics))


class Navigation(QListView):
    """The navigation widget. Emits `went(name)` when the user chooses a page, and `dropped(place, thread ids, label only)` for
    dropped conversations. With Ctrl they are only labelled, not moved.
    """

    went = Signal(str)
    dropped = Signal(Place, list, bool)

    def __init__(self, appearance: Appearance, icons: Icons, places: list[Place], name: str, wider: int = 0) -> None:
        super().__init__()
        self._appearance, self._wider = appearance, wider
        make_opaque(self)
        self.setProperty("role", "navigation")
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.places = PlaceModel(places)
        self.setModel(self.places)
        self._painter = PlacePainter(appearance, icons)
        self.setItemDelegate(PlaceSize(self.places, self))
        self._target = -1
        """Row that would take the drop, -1 for none."""
        self.setAcceptDrops(True)
        self._origin: str | None = None
        self._at = QPoint()
        self.verticalScrollBar().valueChanged.connect(self._look)  # scrolled by a drag near an edge
        self._narrow = False
        self.fold(False)
        self.selectionModel().currentChanged.connect(self._current)
        appearance.changed.connect(self._fold_again)  # a bound method, so that Qt disconnects it with the view

    def fold(self, narrow: bool) -> None:
        self._narrow = narrow
        self.setFixedWidth(places_width(narrow) + self._wider)
        self.scheduleDelayedItemsLayout()

    def fit(self, usual: int, room: int) -> None:
        """Is as wide as the titles, or `usual` pixels wider than the list of pages, where that takes at most `room`."""
        base, bar = places_width(False), self.verticalScrollBar().sizeHint().width()
        wanted = (max(base + usual, titles_width(self._appearance, self.places.places) + bar), base + usual, base)
        self._wider = next((one for one in wanted if one <= room), base) - base
        self.fold(False)

    def _fold_again(self) -> None:
        self.fold(self._narrow)

    def set_labels(self, labels: list[Place]) -> None:
        current = self.currentIndex()
        name = self.places.places[current.row()].name if current.isValid() else ""
        if self.places.set_tail(labels):
            self._aim(-1)
            self.mark(name)

    def mark(self, name: str) -> None:
        row = next((row for row, place in enumerate(self.places.places) if place.name == name), -1)
        model, before = self.selectionModel(), self.currentIndex()
        blocked = model.blockSignals(True)
        self.setCurrentIndex(self.places.index(row))
        model.blockSignals(blocked)
        self.scrollTo(self.currentIndex())
        for index in (before, self.currentIndex()):  # signals were blocked, so repaint both
            self.update(index)

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Paints the place. Qt's list would lay out and paint all of them for each new count, 9 ms while mail comes in."""
        QAbstractItemView.dataChanged(self, first, last, roles)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the places that changed. Qt would ask a delegate also for those between them, 0.1 ms each."""
        view, current = self.viewport(), self.currentIndex().row()
        pointed = self.indexAt(view.mapFromGlobal(QCursor.pos())).row() if view.underMouse() else -1
        painter = QPainter(view)
        painter.fillRect(event.rect(), self._appearance.colour("window"))
        for row, place in enumerate(self.places.places):
            rect = self.visualRect(self.places.index(row))
            if event.region().intersects(rect):
                ground = "selection" if row == current else "hover" if row in (pointed, self._target) else ""
                ringed = row == self._target or (row == current and self.hasFocus())
                self._painter.paint_place(painter, rect, place, ground, ringed)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys move through the places and keep the focus. Enter and Right move it into the page."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Right):
            self._current(self.currentIndex())
            return
        super().keyPressEvent(event)
        self.setFocus()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accepts conversations of this window. Each move then finds the place that would take them."""
        self._origin = origin_of(event.mimeData())
        if self._origin is not None:
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._at = event.position().toPoint()
        self.startAutoScroll()
        self._look()
        if self._target >= 0:
            _take(event)
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._aim(-1)
        self._origin = None
        self.stopAutoScroll()
        event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        self._at = event.position().toPoint()
        self._look()
        row = self._target
        place = self.places.places[row] if row >= 0 else Place("")
        self.dragLeaveEvent(QDragLeaveEvent())
        if place.name:
            self.dropped.emit(place, threads_in(event.mimeData()), _take(event))

    def _look(self) -> None:
        """Targets the place under the pointer if it accepts the drop."""
        row = self.indexAt(self._at).row()
        if row < 0 or row != self._target:
            self._aim(row if row >= 0 and takes(self.places.places[row].name, self._origin) else -1)

    def _aim(self, row: int) -> None:
        """Marks the target row and announces it. A folded navigation also shows its title as a tooltip."""
        before, self._target = self._target, row
        if row == before:
            return
        for one in (before, row):
            if one >= 0:
                self.update(self.places.index(one))
        if row < 0:
            QToolTip.hideText()
            return
        title, rect = self.places.places[row].title, self.visualRect(self.places.index(row))
        announce(self, title)
        if self.width() <= NARROW:
            corner = rect.bottomLeft() if self.isRightToLeft() else rect.bottomRight()
            QToolTip.showText(self.viewport().mapToGlobal(corner), plain_tip(title), self, rect)

    def _current(self, index: QModelIndex) -> None:
        if index.isValid() and self.places.places[index.row()].name:
            self.went.emit(self.places.places[index.row()].name)


def _take(event: QDropEvent) -> bool:
    """Accepts the drop; the pointer shows whether it moves or labels. Returns whether it only adds a label: the copy key is held
    for that (Ctrl, Alt on macOS).
    """
    keeps = bool(event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier))
    event.setDropAction(Qt.DropAction.CopyAction if keeps else Qt.DropAction.MoveAction)
    event.accept()
    return keeps
