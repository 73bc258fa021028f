"""The table of rules in their order, worked by keyboard. Refuses to change a rule: it says which one is chosen."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QTableWidget, QTableWidgetItem

from app.domain.routing import Rule
from app.ui.scale import Space, is_large_text
from app.ui.settings.rule_words import match_words, route_words, rule_line
from app.ui.tips import plain_tip

MOVING = ("Alt+Up", "Alt+Down")
MANY = 60
"""More rules than these stand on one line each."""


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
        self._many = False
        self._shown: list[Rule] = []
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
        """Show these; the row `chosen` is. Rows whose rule stays are left alone."""
        self._suit(len(rules) > MANY)
        before, after = self._shown, list(rules)
        first = next(
            (at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), min(len(before), len(after))
        )
        rest = min(len(before), len(after)) - first
        last = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
        for _ in range(len(after) - len(before)):
            self.insertRow(first)
        for _ in range(len(before) - len(after)):
            self.removeRow(first)
        for at in range(first, len(after) - last):
            self._put(at, after[at])
        self._shown = after
        if rules:
            self.selectRow(min(chosen, len(rules) - 1))
            self.updateGeometry()

    def _put(self, at: int, rule: Rule) -> None:
        """A rule's words into its row."""
        way = route_words(rule.route, rule.profile)
        cells = (rule.name, match_words(rule.match) + (f"\n→ {way}" if self._folded else ""), way)
        for place, words in enumerate(cells):
            item = QTableWidgetItem(words)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, rule_line(rule) if place == 0 else words)
            if self._many:
                item.setToolTip(plain_tip(words))
            self.setItem(at, place, item)

    def _suit(self, many: bool) -> None:
        """Each of a few rows is as high as its words. Many are one line each, with the rest in the tip: measuring them all anew
        with every change takes longer than anybody waits."""
        if many == self._many:
            return
        self._many, self._shown = many, []
        self.setRowCount(0)
        self.setWordWrap(not many)
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.setDefaultSectionSize(self.fontMetrics().lineSpacing() * (2 if self._folded else 1) + Space.MEDIUM)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed if many else QHeaderView.ResizeMode.ResizeToContents)
        beside = QHeaderView.ResizeMode.Stretch if many or self._folded else QHeaderView.ResizeMode.ResizeToContents
        for place in (0, 2):
            columns.setSectionResizeMode(place, beside)
