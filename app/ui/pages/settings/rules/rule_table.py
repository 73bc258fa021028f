"""Table of the routing rules in their order, and texts for conditions, routes and test results."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QLocale, QModelIndex, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QTableWidget, QTableWidgetItem

from app.domain.agents.routing import Routed, RoutingRule, RuleAction, RuleMatch
from app.domain.agents.runs import Route
from app.ui.theme.metrics import is_large_text
from app.ui.widgets.factory import read_only


def route_words(route: Route, profile: str = "") -> str:
    words = {
        Route.PIPELINE: QCoreApplication.translate("Rules", "Sort it and draft a reply"),
        Route.SORT: QCoreApplication.translate("Rules", "Sort it, never draft a reply"),
        Route.RESPONSE_AGENT: QCoreApplication.translate("Rules", "Response agent"),
        Route.AGENT: QCoreApplication.translate("Rules", "Agent profile"),
    }
    return f"{words[route]}: {profile}" if profile else words[route]


def action_words(action: RuleAction) -> str:
    return {
        RuleAction.ARCHIVE: QCoreApplication.translate("Rules", "Archive"),
        RuleAction.MARK_READ: QCoreApplication.translate("Rules", "Mark as read"),
        RuleAction.STAR: QCoreApplication.translate("Rules", "Star"),
        RuleAction.SPAM: QCoreApplication.translate("Rules", "Move to spam"),
    }[action]


def outcome_words(outcome: RoutingRule | Routed) -> str:
    """What a rule does to a message. Mail in spam is not sorted."""
    words = [QCoreApplication.translate("Rules", "Label “%1”").replace("%1", outcome.label)] if outcome.label else []
    words += [action_words(action) for action in outcome.actions]
    if RuleAction.SPAM not in outcome.actions:
        words.append(route_words(outcome.route, outcome.profile))
    return " · ".join(words)


def match_words(match: RuleMatch) -> str:
    """All conditions of a rule in one phrase."""
    parts = [
        (match.all, QCoreApplication.translate("Rules", "every message"), ""),
        (match.sender_email, QCoreApplication.translate("Rules", "from %1"), match.sender_email),
        (match.sender_domain, QCoreApplication.translate("Rules", "from anyone at %1"), match.sender_domain),
        (match.subject_contains, QCoreApplication.translate("Rules", "subject contains “%1”"), match.subject_contains),
        (match.forwarded_from, QCoreApplication.translate("Rules", "forwarded from %1"), match.forwarded_from),
    ]
    words = [text.replace("%1", value) for given, text, value in parts if given]
    header = QCoreApplication.translate("Rules", "header %1 matches %2")
    words += [header.replace("%1", pattern.name).replace("%2", pattern.pattern) for pattern in match.header_match]
    return QCoreApplication.translate("Rules", " and ").join(words)


def routed_words(routed: Routed) -> str:
    rule = routed.rule or QCoreApplication.translate("Rules", "no rule")
    return f"{outcome_words(routed)} ({rule})"


def trial_words(holds: int, changes: int, looked_at: int) -> str:
    locale = QLocale()
    numbers = (locale.toString(holds), locale.toString(looked_at), locale.toString(changes))
    words = QCoreApplication.translate("Rules", "Matches %1 of your last %2 emails. Changes the outcome for %3.")
    for at, number in enumerate(numbers, 1):
        words = words.replace(f"%{at}", number)
    return words


def rule_line(rule: RoutingRule) -> str:
    """A whole rule for screen readers."""
    return f"{rule.name}: {match_words(rule.match)}. {outcome_words(rule)}"


MOVING = ("Alt+Up", "Alt+Down")


class RuleTable(QTableWidget):
    """Table worked by keyboard.

    `keys` maps shortcuts to handlers (Return also by double click); `chosen()` is called when the selection changes. With large
    text the route is shown below the conditions instead of in a third column.
    """

    def __init__(self, keys: Mapping[str, Callable[[], object]], chosen: Callable[[], object]) -> None:
        super().__init__(0, 3)
        self.setHorizontalHeaderLabels([self.tr("Rule"), self.tr("Conditions"), self.tr("What it does")])
        self.setAccessibleName(self.tr("Rules in their order"))
        read_only(self)
        self.setWordWrap(True)
        self.setSizeAdjustPolicy(QAbstractItemView.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._two_columns = is_large_text()
        self._shown: list[RoutingRule] = []
        self._fit(fixed=False)
        self.setColumnHidden(2, self._two_columns)
        self.itemDoubleClicked.connect(lambda _item: keys["Return"]())
        self.itemSelectionChanged.connect(chosen)
        for words, act in keys.items():
            shortcut = QShortcut(QKeySequence(words), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.setAutoRepeat(words in MOVING)  # holding Delete must not empty the table
            shortcut.activated.connect(act)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Home and End go to the first and last rule."""
        ends = (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd)
        return super().moveCursor(action, modifiers | Qt.KeyboardModifier.ControlModifier if action in ends else modifiers)

    def fill(self, rules: Sequence[RoutingRule], chosen: int) -> None:
        """Shows the rules and selects row `chosen`."""
        if list(rules) != self._shown:
            self._shown = list(rules)
            self._fit(fixed=True)  # measuring every row again after each cell takes seconds at sixty rules
            self.setRowCount(len(rules))
            for at, rule in enumerate(rules):
                self._put(at, rule)
            self._fit(fixed=False)
        if rules:
            self.selectRow(min(chosen, len(rules) - 1))
            self.updateGeometry()

    def _fit(self, *, fixed: bool) -> None:
        """Sizes rows and columns by their content, or leaves them as they are."""
        mode = QHeaderView.ResizeMode
        beside = mode.Stretch if self._two_columns else mode.ResizeToContents
        self.verticalHeader().setSectionResizeMode(mode.Fixed if fixed else mode.ResizeToContents)
        for at, wanted in enumerate((beside, mode.Stretch, beside if self._two_columns else mode.Stretch)):
            self.horizontalHeader().setSectionResizeMode(at, mode.Fixed if fixed else wanted)

    def _put(self, at: int, rule: RoutingRule) -> None:
        way = outcome_words(rule)
        cells = (rule.name, match_words(rule.match) + (f"\n→ {way}" if self._two_columns else ""), way)
        for place, words in enumerate(cells):
            item = QTableWidgetItem(words)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, rule_line(rule) if place == 0 else words)
            self.setItem(at, place, item)
