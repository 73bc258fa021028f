"""The pages' names with their counts, on the left. Folds to icons when the window is narrow."""

from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.appearance import Appearance
from app.ui.icons import Icons
from app.ui.scale import Radius, Space, Type
from app.ui.text import number_words

Index = QModelIndex | QPersistentModelIndex
WIDE = 208
NARROW = 56
ICON = 18


@dataclass(frozen=True, slots=True)
class Place:
    """A page in the navigation; an empty name is a gap. `strong` counts want attention."""

    name: str
    title: str = ""
    icon: str = ""
    count: int = 0
    strong: bool = False


class PlaceModel(QAbstractListModel):
    """The places in order; counts change in place."""

    def __init__(self, places: list[Place]) -> None:
        super().__init__()
        self.places = places
        self._fixed = len(places)

    def rowCount(self, parent: Index | None = None) -> int:
        """Places of the root."""
        return 0 if parent is not None and parent.isValid() else len(self.places)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What is spoken: the title with its count."""
        if not index.isValid():
            return None
        place = self.places[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return f"{place.title} {number_words(place.count)}" if place.count else place.title
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Gaps cannot be chosen."""
        if not index.isValid() or not self.places[index.row()].name:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def set_tail(self, tail: list[Place]) -> None:
        """Other places after the fixed ones."""
        if self.places[self._fixed :] != tail:
            self.beginResetModel()
            self.places[self._fixed :] = tail
            self.endResetModel()

    def set_count(self, name: str, count: int, strong: bool) -> None:
        """Show a number beside a page; 0 shows none."""
        for row, place in enumerate(self.places):
            if place.name == name and (place.count, place.strong) != (count, strong):
                self.places[row] = Place(name, place.title, place.icon, count, strong)
                self.dataChanged.emit(self.index(row), self.index(row))


class PlaceDelegate(QStyledItemDelegate):
    """Paints icon, title and count."""

    def __init__(self, appearance: Appearance, icons: Icons, model: PlaceModel, view: QListView) -> None:
        super().__init__(view)
        self._appearance, self._icons, self._model, self._view = appearance, icons, model, view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """A gap is shorter."""
        height: int = option.fontMetrics.height()
        place = self._model.places[index.row()]
        return QSize(NARROW, height + 2 * Space.SMALL if place.name else Space.MEDIUM)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One place."""
        place = self._model.places[index.row()]
        if not place.name:
            return
        state: QStyle.StateFlag = option.state
        rect: QRect = option.rect
        rect = rect.adjusted(Space.SMALL, 1, -Space.SMALL, -1)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(self._appearance.colour("selection" if selected else "hover"))
            painter.drawRoundedRect(rect, Radius.CONTROL, Radius.CONTROL)
        if selected and state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self._appearance.colour("accent"))
            painter.drawRoundedRect(rect, Radius.CONTROL, Radius.CONTROL)
        self._paint_words(painter, rect, place, selected)
        painter.restore()

    def _paint_words(self, painter: QPainter, rect: QRect, place: Place, selected: bool) -> None:
        narrow = self._view.width() <= NARROW
        left = rect.center().x() - ICON // 2 if narrow else rect.left() + Space.SMALL + Space.HAIR
        spot = QRect(left, rect.center().y() - ICON // 2 + 1, ICON, ICON)
        ink = "on_accent_soft" if selected else "text_soft"
        self._icons.paint(painter, spot, place.icon, self._appearance.colour(ink))
        if narrow:
            if place.count and place.strong:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._appearance.colour("accent"))
                painter.drawEllipse(spot.right() - 2, spot.top() - 2, 7, 7)
            return
        painter.setFont(self._appearance.fonts[Type.STRONG if selected else Type.BODY])
        painter.setPen(self._appearance.colour("on_accent_soft" if selected else "text"))
        words = rect.adjusted(Space.SMALL + ICON + Space.MEDIUM, 0, -Space.SMALL, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, place.title)
        if place.count:
            painter.setFont(self._appearance.fonts[Type.STRONG if place.strong else Type.CAPTION])
            painter.setPen(self._appearance.colour("accent" if place.strong else "text_soft"))
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, number_words(place.count))


class Navigation(QListView):
    """Emits `went(name)` when the user chooses a page."""

    went = Signal(str)

    def __init__(self, appearance: Appearance, icons: Icons, places: list[Place], name: str) -> None:
        super().__init__()
        self.setProperty("role", "navigation")
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.places = PlaceModel(places)
        self.setModel(self.places)
        self.setItemDelegate(PlaceDelegate(appearance, icons, self.places, self))
        self.fold(False)
        self.selectionModel().currentChanged.connect(self._current)
        appearance.changed.connect(self.scheduleDelayedItemsLayout)

    def fold(self, narrow: bool) -> None:
        """Icons only, or icons with words."""
        self.setFixedWidth(NARROW if narrow else WIDE)
        self.scheduleDelayedItemsLayout()

    def set_labels(self, labels: list[Place]) -> None:
        """The labels below the pages; what is current stays so."""
        current = self.currentIndex()
        name = self.places.places[current.row()].name if current.isValid() else ""
        self.places.set_tail(labels)
        self.mark(name)

    def mark(self, name: str) -> None:
        """Show `name` as the current page without announcing it."""
        row = next((row for row, place in enumerate(self.places.places) if place.name == name), -1)
        model = self.selectionModel()
        blocked = model.blockSignals(True)
        self.setCurrentIndex(self.places.index(row))
        model.blockSignals(blocked)
        self.viewport().update()

    def _current(self, index: QModelIndex) -> None:
        if index.isValid() and self.places.places[index.row()].name:
            self.went.emit(self.places.places[index.row()].name)
