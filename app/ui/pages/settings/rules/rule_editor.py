"""Table and editor of the routing rules, with a live test. The engine validates a rule.

The test shows how many of the last messages match, which ones, and which would get another route.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import msgspec
from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QCompleter,
    QFormLayout,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.domain.agents.routing import (
    ADDRESS_KEYS,
    BULK,
    HeaderPattern,
    Routed,
    RoutingRule,
    RuleAction,
    RuleMatch,
    sender_contains,
    sender_words,
)
from app.domain.agents.runs import Route
from app.domain.ids import MessageId
from app.domain.language.rule_words import SentenceGap, gap_of, rule_of
from app.domain.language.search_text import folded
from app.domain.mail.message import Message
from app.domain.protocol.agent_commands import RulesTried, TriedMail, TryRules
from app.ui.context import Context
from app.ui.i18n.error_messages import said
from app.ui.i18n.formatting import filled
from app.ui.services.async_task import EngineQuestion, single_shot
from app.ui.services.notices import ErrorNotice
from app.ui.session.session_store import PageState
from app.ui.theme.metrics import Space, Type, is_large_text
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import (
    RoleFrame,
    button,
    column,
    label,
    named,
    plain_tip,
    put,
    read_only,
    row,
    say,
    say_or_hide,
    tab_through,
)
from app.ui.widgets.form_controls import ChoiceBox, took_form_key


def route_words(route: Route, profile: str = "") -> str:
    words = {
        Route.PIPELINE: QCoreApplication.translate("Rules", "Draft a reply"),
        Route.SORT: QCoreApplication.translate("Rules", "Don't draft a reply"),
        Route.RESPONSE_AGENT: QCoreApplication.translate("Rules", "Use the response agent"),
        Route.AGENT: QCoreApplication.translate("Rules", "Use agent profile"),
    }
    return f"{words[route]}: {profile}" if profile else words[route]


def gap_words(gap: SentenceGap, impossible: str) -> str:
    """Why a sentence is no rule, and what would make it one."""
    can = QCoreApplication.translate("Rules", "Rules can label, archive, mark as read, star, move to spam, or stop drafts.")
    words = {
        SentenceGap.IMPOSSIBLE: QCoreApplication.translate("Rules", "Rules can't do this: “%1”."),
        SentenceGap.AGE: QCoreApplication.translate("Rules", "Rules act when mail arrives. They can't use its age: “%1”."),
        SentenceGap.MESSAGES: QCoreApplication.translate("Rules", "For which messages? For example: from ana@example.org."),
        SentenceGap.DEED: QCoreApplication.translate("Rules", "What to do with them?"),
        SentenceGap.BOTH: QCoreApplication.translate(
            "Rules", "Say which messages, and what to do with them: archive mail from ana@example.org"
        ),
    }
    said = words[gap].replace("%1", impossible)
    return f"{said} {can}" if gap in (SentenceGap.IMPOSSIBLE, SentenceGap.DEED) else said


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
    parts = [
        (match.all, QCoreApplication.translate("Rules", "every message"), ""),
        (match.sender_email, QCoreApplication.translate("Rules", "from %1"), match.sender_email),
        (match.sender_domain, QCoreApplication.translate("Rules", "from anyone at %1"), match.sender_domain),
        (match.subject_contains, QCoreApplication.translate("Rules", "subject contains “%1”"), match.subject_contains),
        (match.forwarded_from, QCoreApplication.translate("Rules", "forwarded from %1"), match.forwarded_from),
    ]
    words = [text.replace("%1", value) for given, text, value in parts if given]
    header = QCoreApplication.translate("Rules", "header %1 matches %2")
    contains = QCoreApplication.translate("Rules", "sender contains “%1”")
    for pattern in match.header_match:
        if pattern == BULK:
            words.append(QCoreApplication.translate("Rules", "newsletters and mailing lists"))
        elif sender := sender_words(pattern):
            words.append(contains.replace("%1", sender))
        else:
            words.append(filled(header, pattern.name, pattern.pattern))
    return QCoreApplication.translate("Rules", " and ").join(words)


def routed_words(routed: Routed) -> str:
    rule = routed.rule or QCoreApplication.translate("Rules", "no rule")
    return f"{outcome_words(routed)} ({rule})"


def rule_line(rule: RoutingRule) -> str:
    """A whole rule for screen readers."""
    return f"{rule.name}: {match_words(rule.match)}. {outcome_words(rule)}"


CELL_PADDING = Space.SMALL + 3
"""At both sides of a cell, as the style sheet and the header have it."""


class WrappedCell(QStyledItemDelegate):
    """Measures wrapped text within the padding of the style sheet, which Qt leaves out."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        inner, rect = QStyleOptionViewItem(option), QRect(option.rect)
        inner.rect = rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        return super().sizeHint(inner, index)


class RuleTable(QTableWidget):
    """Table worked by keyboard.

    `keys` maps shortcuts to handlers (Return also by double click); `chosen()` is called when the selection changes. With large
    text the route is shown below the conditions instead of in a third column.
    """

    def __init__(self, keys: Mapping[str, Callable[[], object]], chosen: Callable[[], object]) -> None:
        super().__init__(0, 3)
        self.setHorizontalHeaderLabels([self.tr("Rule"), self.tr("Conditions"), self.tr("What it does")])
        self.setAccessibleName(self.tr("Rules in order"))
        read_only(self)
        self.setWordWrap(True)
        self.setSizeAdjustPolicy(QAbstractItemView.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._two_columns = is_large_text()
        self._shown: list[RoutingRule] = []
        self.setItemDelegate(WrappedCell(self))
        self._fit(fixed=False)
        self.setColumnHidden(2, self._two_columns)
        self.itemDoubleClicked.connect(lambda _item: keys["Return"]())
        self.itemSelectionChanged.connect(chosen)
        for words, act in keys.items():
            shortcut = QShortcut(QKeySequence(words), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.setAutoRepeat(words in ("Alt+Up", "Alt+Down"))  # holding Delete must not empty the table
            shortcut.activated.connect(act)

    def fill(self, rules: Sequence[RoutingRule], chosen: int) -> None:
        """Shows the rules and selects row `chosen`."""
        if list(rules) != self._shown:
            self._shown = list(rules)
            self._fit(fixed=True)  # measuring every row again after each cell takes seconds at sixty rules
            self.setRowCount(len(rules))
            for at, rule in enumerate(rules):
                way = outcome_words(rule)
                cells = (rule.name, match_words(rule.match) + (f"\n→ {way}" if self._two_columns else ""), way)
                for place, words in enumerate(cells):
                    item = QTableWidgetItem(words)
                    item.setData(Qt.ItemDataRole.AccessibleTextRole, words if place else rule_line(rule))
                    self.setItem(at, place, item)
            self._fit(fixed=False)
        if rules:
            self.selectRow(min(chosen, len(rules) - 1))
            self.updateGeometry()

    def show_only(self, words: str) -> None:
        """Hides the rules without these words, and selects the first one left."""
        wanted, first = folded(words), -1
        for at, rule in enumerate(self._shown):
            there = not wanted or wanted in folded(rule_line(rule))
            self.setRowHidden(at, not there)
            first = at if there and first < 0 else first
        if first >= 0 and self.isRowHidden(max(self.currentRow(), 0)):
            self.selectRow(first)
        self.updateGeometry()

    def _fit(self, *, fixed: bool) -> None:
        """Sizes rows and columns by their content, or leaves them as they are."""
        mode = QHeaderView.ResizeMode
        first = mode.Fixed if self._two_columns else mode.ResizeToContents
        self.verticalHeader().setSectionResizeMode(mode.Fixed if fixed else mode.ResizeToContents)
        for at, wanted in enumerate((first, mode.Stretch, mode.Stretch)):
            self.horizontalHeader().setSectionResizeMode(at, mode.Fixed if fixed else wanted)
        if self._two_columns and not fixed:
            self._limit_names()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._two_columns:
            self._limit_names()
        super().resizeEvent(event)

    def _limit_names(self) -> None:
        """Gives the names the width they need, at most two fifths of the table."""
        self.setColumnWidth(0, min(self.sizeHintForColumn(0), self.viewport().width() * 2 // 5))


PAUSE_MS = 350
SHOWN = 50
LINES = 6


class RuleTrial(QWidget):
    """Call `ask` after each change; the engine is asked when typing pauses. Enter on a message opens it. Emits `tried` with
    each answer.
    """

    tried = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._query = EngineQuestion(context.link, self)
        self._wanted = TryRules((), "")
        self.held: tuple[MessageId, ...] = ()
        """The messages that match the rule as it was last tried."""
        self._timer = single_shot(self, self._ask, PAUSE_MS)
        self.words = label("", Type.STRONG, wrap=True)
        self.words.setObjectName("trial")
        self.mails = named(QListWidget(), self.tr("Emails this rule matches"))
        self.mails.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.mails.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.mails.itemActivated.connect(lambda item: context.navigator.show_message(item.data(Qt.ItemDataRole.UserRole)))
        self.mails.hide()
        column(self, 0, Space.TIGHT, self.words, self.mails, 1)

    def ask(self, rules: Sequence[RoutingRule], focus: str) -> None:
        """Tests these rules; `focus` is the name of the edited one."""
        if self.words.property("tone") == "soft":  # it says that something is missing
            self._say("", "")
        self._wanted = TryRules(tuple(rules), focus)
        self._timer.start()

    def _ask(self) -> None:
        self._query.ask(self._wanted, self._answered, lambda error: self._say(said(error.code, error.text), "danger"))

    def wait(self, words: str) -> None:
        """Cancels the test and says why there is nothing to test yet."""
        self._timer.stop()
        self._query.cancel()
        self._say(words, "soft")

    def _answered(self, answer: RulesTried) -> None:
        held = [mail for mail in answer.mails if mail.holds]
        changed = [mail for mail in answer.mails if mail.changes]
        words = QCoreApplication.translate("Rules", "Matches %1 of your last %2 emails. Changes the outcome for %3.")
        self._say(filled(words, len(held), answer.looked_at, len(changed)), "")
        if answer.slow:
            slow = self.tr("A header pattern is too slow and never matches: %1")
            self._say(slow.replace("%1", ", ".join(answer.slow)), "warning")
        self._show(list(dict.fromkeys([*held, *changed]))[:SHOWN])
        self.held = tuple(mail.message_id for mail in held)
        self.tried.emit()

    def _say(self, words: str, tone: str) -> None:
        say(self.words, words, tone)
        self.held = ()
        self.tried.emit()
        self.mails.clear()
        self.mails.hide()

    def _show(self, mails: Sequence[TriedMail]) -> None:
        """Lists the messages, without those that were deleted."""
        messages: Mapping[MessageId, Message] = {}
        with ErrorNotice(self._context.notices):
            messages = self._context.reader.messages_of([mail.message_id for mail in mails])
        for mail in mails:
            message = messages.get(mail.message_id)
            if message is not None:
                words = f"{message.sender.name or message.sender.email}  ·  {message.subject}"
                words += f"  →  {routed_words(mail.then)}" if mail.changes else ""
                item = QListWidgetItem(words)
                item.setToolTip(plain_tip(words))
                item.setData(Qt.ItemDataRole.UserRole, mail.message_id)
                self.mails.addItem(item)
        rows = min(self.mails.count(), LINES)
        self.mails.setVisible(rows > 0)
        self.mails.setFixedHeight(rows * max(self.mails.sizeHintForRow(0), 1) + 2 * self.mails.frameWidth())


HEADER_LINES = 2


class RuleEditor(RoleFrame):
    """Calls `saved(old_name, rule)` on Save or Ctrl+Enter and `left()` on Cancel or Escape.

    `edited` is emitted when the content changed.
    """

    edited = Signal()

    def __init__(self, context: Context, saved: Callable[[str, RoutingRule], object], left: Callable[[], object]) -> None:
        super().__init__("card")
        self._context, self._saved, self._left = context, saved, left
        self._old_name = ""
        self._opened: RoutingRule | None = None
        self._rules: list[RoutingRule] = []
        self.title = label("", Type.TITLE)
        words = self.tr("A sentence, then Enter: archive newsletters from shop.com and mark them read")
        self.sentence = named(QLineEdit(placeholderText=words), self.tr("Describe the rule"))
        self.sentence.returnPressed.connect(self.take_sentence)
        self.error = label("", tone="danger", wrap=True)
        self.save = button(self.tr("Save"), "primary", self.submit)
        self.cancel = button(self.tr("Cancel"), "link", self._left)
        self.name = QLineEdit()
        self.every = QCheckBox(self.tr("Every message"))
        self.bulk = QCheckBox(self.tr("Newsletters and mailing lists"))
        self.texts = {
            "sender_email": QLineEdit(placeholderText="ana@example.org"),
            "sender_domain": QLineEdit(placeholderText="example.org"),
            "subject_contains": QLineEdit(placeholderText=self.tr("words in the subject")),
            "forwarded_from": QLineEdit(placeholderText="info@example.org"),
        }
        self.who = QLineEdit(placeholderText=self.tr("part of a name or address"))
        self.headers = QPlainTextEdit(placeholderText="List-Id: orders", tabChangesFocus=True)
        self.headers.setFixedHeight(self.headers.fontMetrics().lineSpacing() * HEADER_LINES + Space.XLARGE)
        how = label(self.tr("One header per line: name, colon, regular expression."), Type.CAPTION, "soft", wrap=True)
        self.headers.setAccessibleDescription(how.text())
        self.more = button(self.tr("More conditions"), "link", lambda: self._show_more(True))
        self.label = QLineEdit(placeholderText=self.tr("an existing or new label"))
        self.ticks = {action: QCheckBox(action_words(action)) for action in RuleAction}
        self.goal, self.profile = ChoiceBox(context.icons), ChoiceBox(context.icons)
        for route in Route:
            self.goal.addItem(route_words(route), route.value)
        self._rare: tuple[QWidget, ...] = (self.texts["forwarded_from"], self.headers, how)
        form = self._form = QFormLayout(horizontalSpacing=Space.LARGE, verticalSpacing=Space.SMALL)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for words, field in (
            (self.tr("Name"), self.name),
            (self.tr("Applies to"), FlowRow([self.every, self.bulk], Space.LARGE, Space.SMALL)),
            (self.tr("From the address"), self.texts["sender_email"]),
            (self.tr("From anyone at"), self.texts["sender_domain"]),
            (self.tr("Sender contains"), self.who),
            (self.tr("Subject contains"), self.texts["subject_contains"]),
            (self.tr("Forwarded from"), self.texts["forwarded_from"]),
            (self.tr("Headers match"), self.headers),
            ("", how),
            ("", self.more),
            (self.tr("Label"), self.label),
            (self.tr("Also"), FlowRow(list(self.ticks.values()), Space.LARGE, Space.SMALL)),
            (self.tr("Then"), self.goal),
            (self.tr("Profile"), self.profile),
        ):
            form.addRow(words, field)
            if words:
                field.setAccessibleName(words)
        self.trial = RuleTrial(context)
        self.trial.tried.connect(self._offer_here)
        self.here = QCheckBox()
        self.here.hide()
        put(
            column(self, Space.LARGE, Space.MEDIUM),
            put(row(), self.title, 1, self.cancel, self.save),  # in sight without scrolling
            self.sentence,
            self.error,
            form,
            label(self.tr("All filled-in conditions must match."), Type.CAPTION, "soft", wrap=True),
            self.trial,
            self.here,
            1,
        )
        tab_through(self.here, (self.save, self.cancel))
        for box in (*self.ticks.values(), self.every, self.bulk):
            box.toggled.connect(self._changed)
        self.headers.textChanged.connect(self._changed)
        for text in (self.name, self.who, self.label, *self.texts.values()):
            text.textChanged.connect(self._changed)
        for choice in (self.goal, self.profile):
            choice.currentIndexChanged.connect(self._changed)

    def _show_more(self, shown: bool) -> None:
        """Shows the conditions that few rules need, or offers them."""
        for field in self._rare:
            self._form.setRowVisible(field, shown)
        self._form.setRowVisible(self.more, not shown)
        if shown and self.isVisible():
            self._rare[0].setFocus()

    def _listen(self) -> None:
        for box in self.ticks.values():
            box.toggled.connect(self._changed)
        for field in (self.name, self.who, self.label, *self.texts.values()):
            field.textChanged.connect(self._changed)
        self.headers.textChanged.connect(self._changed)
        self.every.toggled.connect(self._changed)
        self.bulk.toggled.connect(self._changed)
        self.goal.currentIndexChanged.connect(self._changed)
        self.profile.currentIndexChanged.connect(self._changed)

    def open(self, rule: RoutingRule | None, rules: Sequence[RoutingRule], profiles: Sequence[str], new: bool) -> None:
        """Opens a new rule (a copy of `rule` if given) or one of `rules`."""
        shown = rule or RoutingRule("", RuleMatch(), Route.PIPELINE)
        self._old_name = "" if new else shown.name
        self._rules = list(rules)
        self.title.setText(self.tr("New rule") if new else self.tr("Edit rule"))
        self.profile.clear()
        for name in profiles:
            self.profile.addItem(name, name)
        self._fill(shown)
        self.here.setChecked(False)
        self.sentence.clear()
        self.label.setCompleter(QCompleter(self._context.reader.label_names(), self.label))
        self.label.completer().setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.refuse("")
        self._opened = self.written()
        self._changed()

    def _fill(self, rule: RoutingRule) -> None:
        self.name.setText(rule.name)
        self.every.setChecked(rule.match.all)
        for key, field in self.texts.items():
            field.setText(getattr(rule.match, key))
        patterns = [pattern for pattern in rule.match.header_match if pattern != BULK]
        senders = [pattern for pattern in patterns if sender_words(pattern)][:1]
        self.bulk.setChecked(BULK in rule.match.header_match)
        self.who.setText(sender_words(senders[0]) if senders else "")
        self.headers.setPlainText("\n".join(f"{one.name}: {one.pattern}" for one in patterns if one not in senders))
        self._show_more(bool(rule.match.forwarded_from or self.headers.toPlainText()))
        self.label.setText(rule.label)
        for action, box in self.ticks.items():
            box.setChecked(action in rule.actions)
        self.goal.setCurrentIndex(self.goal.findData(rule.route.value))
        self.profile.setCurrentIndex(max(self.profile.findData(rule.profile), 0))

    def take_sentence(self) -> None:
        rule, gap = rule_of(self.sentence.text()), gap_of(self.sentence.text())
        self.refuse(gap_words(*gap) if gap is not None else "")
        if rule is not None and gap is None:
            self._fill(rule)
            self.save.setFocus()

    @property
    def applies_to(self) -> tuple[MessageId, ...]:
        """The messages here that the rule is applied to as well."""
        return self.trial.held if self.here.isChecked() and not self.here.isHidden() else ()

    def _offer_here(self) -> None:
        rule, count = self.written(), len(self.trial.held)
        self.here.setText(self.tr("Also apply to %n message(s) already here", "", count))
        self.here.setVisible(count > 0 and bool(rule.label or rule.actions))

    def take_focus(self) -> None:
        """Focuses the sentence of an empty rule, else the name."""
        if self.name.text():
            self.name.setFocus()
            self.name.selectAll()
        else:
            self.sentence.setFocus()

    def written(self) -> RoutingRule:
        route = Route(str(self.goal.currentData()))
        texts = {key: field.text().strip() for key, field in self.texts.items()}
        texts = {key: text.lower() if key in ADDRESS_KEYS else text for key, text in texts.items()}
        pairs = [line.partition(":") for line in self.headers.toPlainText().splitlines() if line.strip()]
        headers = [HeaderPattern(name.strip(), pattern.strip()) for name, _, pattern in pairs]
        sender = self.who.text().strip()
        headers = [BULK] * self.bulk.isChecked() + [sender_contains(sender)] * bool(sender) + headers
        match = RuleMatch(all=self.every.isChecked(), header_match=tuple(headers), **texts)
        profile = str(self.profile.currentData() or "") if route is Route.AGENT else ""
        actions = tuple(action for action, box in self.ticks.items() if box.isChecked())
        return RoutingRule(self.name.text().strip(), match, route, profile, self.label.text().strip(), actions)

    @property
    def changed(self) -> bool:
        return self.written() != self._opened

    def save_state(self) -> PageState:
        """The rule as it is written, for the next start or to undo a cancel."""
        return {"old": self._old_name, "rule": msgspec.json.encode(self.written()).decode()}

    def restore_state(self, place: PageState) -> None:
        """Restores the rule; call `open` first."""
        with suppress(msgspec.MsgspecError):
            self._fill(msgspec.json.decode(str(place.get("rule")), type=RoutingRule))

    def submit(self) -> None:
        if self.save.isEnabled():
            self._saved(self._old_name, self.written())

    def refuse(self, words: str) -> None:
        """Shows why saving failed; the fields stay."""
        say_or_hide(self.error, words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not took_form_key(event, self._left, self.submit):
            super().keyPressEvent(event)

    def _changed(self) -> None:
        """Updates what can be saved and starts the live test."""
        self.edited.emit()
        rule = self.written()
        agent = rule.route is Route.AGENT
        self._form.setRowVisible(self.profile, agent)
        ready = bool(rule.name) and not rule.match.empty and (not agent or bool(rule.profile))
        self.save.setEnabled(ready)
        if ready:
            self.trial.ask(self.placed(rule), rule.name)
        elif agent and not rule.profile:
            self.trial.wait(self.tr("No agent profiles yet. See Profiles."))
        else:
            self.trial.wait(self.tr("Give it a name and at least one condition."))

    def stand(self, rules: Sequence[RoutingRule]) -> None:
        """Takes the rules as they are now; the edited fields stay."""
        self._rules = list(rules)

    def placed(self, rule: RoutingRule) -> list[RoutingRule]:
        """All rules with this one in its place.

        A new rule, or one that was deleted meanwhile, comes first, so that no other rule hides it.
        """
        if all(other.name != self._old_name for other in self._rules):
            return [rule, *self._rules]
        return [rule if other.name == self._old_name else other for other in self._rules]
