"""The table of rules in their order, worked by keyboard. Refuses to change a rule: it says which one is chosen."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QTableWidget, QTableWidgetItem

from app.domain.routing import Rule
from app.ui.scale import is_large_text
from app.ui.settings.rule_words import match_words, route_words, rule_line

MOVING = ("Alt+Up", "Alt+Down")


class RuleTable(QTableWidget):
    """`keys` work while the table has the keyboard (Return also by double click); `chosen` is called with every choice. In large
    text there is no room for three columns: where a mail goes stands below the conditions."""

    def __init__(self, keys: Mapping[str, Callable[[], object]], chosen: Callable[[], object]) -> None:
        super().__init__(0, 3)
        self.setHorizontalHeaderLabels([self.tr("Rule"), self.tr("Conditions"), self.tr("Goes to")])
        self.setAccessibleName(self.tr("Rules in their order"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.verticalHeader().hide()
        self.setSizeAdjustPolicy(QAbstractItemView.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        self._folded = is_large_text()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch if self._folded else QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.setColumnHidden(2, self._folded)
        self.itemDoubleClicked.connect(lambda _item: keys["Return"]())
        self.itemSelectionChanged.connect(chosen)
        for words, act in keys.items():
            shortcut = QShortcut(QKeySequence(words), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.setAutoRepeat(words in MOVING)  # a held Delete must not empty the table
            shortcut.activated.connect(act)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Home and End go to the first and the last rule, not to the ends of a line that is chosen as a whole."""
        ends = (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd)
        return super().moveCursor(action, modifiers | Qt.KeyboardModifier.ControlModifier if action in ends else modifiers)

    def fill(self, rules: Sequence[Rule], chosen: int) -> None:
        """Show these; the row `chosen` is."""
        self.setRowCount(len(rules))
        for at, rule in enumerate(rules):
            way = route_words(rule.route, rule.profile)
            cells = (rule.name, match_words(rule.match) + (f"\n→ {way}" if self._folded else ""), way)
            for place, words in enumerate(cells):
                item = QTableWidgetItem(words)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, rule_line(rule) if place == 0 else words)
                self.setItem(at, place, item)
        if rules:
            self.selectRow(min(chosen, len(rules) - 1))
            self.updateGeometry()
