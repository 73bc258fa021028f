"""The Rules section: a table in the order of the file and an editor.

Each change is saved at once; comments in the file are kept.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import uuid4

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.domain.agents.routing import RoutingRule
from app.domain.errors import ExpectedError
from app.domain.ids import MessageId
from app.domain.protocol.agent_commands import ReadRules, RulesAnswer, SaveRules
from app.domain.protocol.changes import ApplyRule, UndoChange
from app.domain.protocol.events import CommandFailed, EngineReady, RulesChanged
from app.domain.record import replace
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import said
from app.ui.pages.settings.form import FileErrorNotice, FreeForm, SettingsWriter
from app.ui.pages.settings.rules.rule_editor import RuleEditor, RuleTable
from app.ui.services.async_task import EngineQuestion, loop_runs
from app.ui.services.notices import said_of, tell_discarded
from app.ui.session.session_store import PageState
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.containers import FittedStack, FlowRow
from app.ui.widgets.factory import button, column, label, named, put, say_or_hide

LIST, EDITOR = 0, 1
MANY = 6
"""From this number of rules on they can be searched."""
RULE = "rule."
"""Prefix of the editor's fields in the page's state."""
OFFERED_MS = 10_000


class RulesSection(FreeForm):
    """`open_path` opens the rules file in the system's editor."""

    def __init__(self, writer: SettingsWriter, context: Context, open_path: Callable[[Path], object]) -> None:
        words = self.tr("The first matching rule applies. Rules never send anything, and what they do can be undone.")
        super().__init__(writer, self.tr("Rules"), words)
        self._context = context
        self.now: RulesAnswer | None = None
        self.begun: tuple[RoutingRule, Callable[[], object] | None] | None = None
        self._back: Callable[[], object] | None = None
        self._saving = self._queued = self._leave_when_saved = self._unread = False
        self._saved: tuple[RoutingRule, RoutingRule | None] | None = None
        self._applies_to: tuple[MessageId, ...] = ()
        self._typed_before: PageState = {}
        self._query = EngineQuestion(context.link, self)
        self.file_error = FileErrorNotice(open_path)
        keys: dict[str, Callable[[], object]] = {
            "Return": self.edit,
            "Enter": self.edit,
            "Del": self.delete,
            "Ins": self.add_rule,
            "Alt+Up": lambda: self.shift(-1),
            "Alt+Down": lambda: self.shift(1),
        }
        self.table = RuleTable(keys, self._enable)
        search = self.tr("Search rules")
        self.search = named(QLineEdit(placeholderText=search, clearButtonEnabled=True), search)
        self.search.textChanged.connect(self._find)
        self.search.returnPressed.connect(self.table.setFocus)
        self.editor = RuleEditor(context, self._edited, self.give_up)
        self.editor.edited.connect(self.moved)
        self.error = label("", Type.BODY, "danger", wrap=True)
        self.error.hide()
        self.empty = label(self.tr("No rules yet. Every email is sorted, and a reply is drafted if it needs one."), wrap=True)
        self.buttons = {
            "add": button(self.tr("Add a rule"), "primary", self.add_rule),
            "edit": button(self.tr("Edit"), "", self.edit),
            "up": button(self.tr("Move up"), "", lambda: self.shift(-1)),
            "down": button(self.tr("Move down"), "", lambda: self.shift(1)),
            "delete": button(self.tr("Delete"), "danger", self.delete),
        }
        hint = self.tr("Keys: Enter edits, Alt+Up and Alt+Down move, Delete deletes. New rules go to the top.")
        self.hint = label(hint, Type.CAPTION, "soft", wrap=True)
        listing, buttons = QWidget(), FlowRow(list(self.buttons.values()), Space.SMALL, Space.SMALL)
        parts = (self.empty, column(None, 0, Space.SMALL, buttons, self.hint), self.search, self.table, self.error, 1)
        column(listing, 0, Space.MEDIUM, *parts)
        self.stack = FittedStack()
        self.stack.addWidget(listing)
        self.stack.addWidget(self.editor)
        put(self.lines, self.file_error, (self.stack, 1))
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.read()

    def save_state(self) -> PageState:
        typed = self.editor.save_state() if self._writing else {}
        return {f"{RULE}{key}": value for key, value in typed.items()} or self._typed_before

    def restore_state(self, state: PageState) -> PageState:
        """Takes the text of a rule that was edited; it is restored once the rules are read."""
        self._typed_before |= {key: value for key, value in state.items() if key.startswith(RULE)}
        self._restore_before()
        return {key: value for key, value in state.items() if not key.startswith(RULE)}

    def _restore_before(self) -> None:
        if self._typed_before and self._writable and not self._writing:
            typed, self._typed_before = self._typed_before, {}
            self._restore_typed({key.removeprefix(RULE): value for key, value in typed.items()})

    @property
    def _writing(self) -> bool:
        return self.stack.currentIndex() == EDITOR

    def _restore_typed(self, typed: PageState) -> None:
        """Opens the editor with restored text, in place of what is edited. It becomes a new rule if the edited one is gone."""
        if self._writing:
            self.give_up()
        old = next((rule for rule in self._rules() if rule.name == typed.get("old")), None)
        self._open(old, new=old is None)
        self.editor.restore_state(typed)
        if self.editor.written() in self._rules():
            self.leave_editor()

    def read(self) -> None:
        if loop_runs():
            self._query.ask(ReadRules(), self._answered, self._not_read)

    def _not_read(self, error: ExpectedError) -> None:
        self._unread = True
        self._refuse(said_of(error, self._context.reader))

    def hear(self, event: Event) -> None:
        if isinstance(event, RulesChanged | EngineReady) and (self.isVisible() or self._saving):
            self.read()
        elif isinstance(event, CommandFailed) and event.command == SaveRules.__name__:
            self._saving = self._queued = self._leave_when_saved = False
            self.now, self._saved = None, None
            self._refuse(said(event.code, event.text))
            self.read()

    def begin(self, rule: RoutingRule, back: Callable[[], object] | None = None) -> None:
        """Opens the editor at a new rule as soon as the rules are read. `back` is called when it is saved or given up."""
        self.begun = (rule, back)
        if self.now is not None:
            self._begin_now()

    def add_rule(self) -> None:
        self._open(None, new=True)

    def edit(self) -> None:
        rule = self._chosen()
        if rule is not None:
            self._open(rule, new=False)

    def shift(self, by: int) -> None:
        """Moves the selected rule by `by` places."""
        rules, at = self._rules(), self.table.currentRow()
        if self._writable and not self.search.text() and 0 <= at < len(rules) and 0 <= at + by < len(rules):
            rules.insert(at + by, rules.pop(at))
            self._save(rules)
            self._fill(rules, at + by)

    def delete(self) -> None:
        rules, at = self._rules(), self.table.currentRow()
        if not (self._writable and 0 <= at < len(rules)):
            return
        gone = rules.pop(at)
        self._save(rules)
        self._fill(rules, min(at, len(rules) - 1))
        words = self.tr("The rule “%1” was deleted.").replace("%1", gone.name)
        self._context.notices.tell(words, self.tr("Undo"), lambda: self._save([*self._rules()[:at], gone, *self._rules()[at:]]))

    def give_up(self) -> None:
        """Leaves the editor without saving; the notice can restore the text."""
        typed = self.editor.save_state() if self.editor.changed else {}
        self.leave_editor()
        if typed:
            tell_discarded(self._context.notices, self.tr("Undo"), lambda: self._restore_typed(typed), OFFERED_MS)

    def leave_editor(self, focus: bool = True) -> None:
        """Returns to the table without saving."""
        self._leave_when_saved = False
        self.stack.setCurrentIndex(LIST)
        self.moved.emit()
        if focus and self.isVisible():
            (self.table if self._rules() else self.buttons["add"]).setFocus()
        back, self._back = self._back, None
        if back is not None and self.isVisible():  # not if the user has left the section
            back()

    def _open(self, rule: RoutingRule | None, new: bool) -> None:
        if self.now is not None and self._writable:
            self._leave_when_saved, self._back = False, None
            self.editor.open(rule, self._rules(), self.now.profiles, new)
            self.stack.setCurrentIndex(EDITOR)
            if self.isVisible():  # the answer may come after the user has left this section
                self.editor.take_focus()

    def _edited(self, old: str, rule: RoutingRule) -> None:
        if self.now is None:
            return  # the rules are being read again; the editor keeps its text
        before = next((other for other in self.now.rules if other.name == old), None)
        rules = self.editor.placed(rule)
        self._applies_to = self.editor.applies_to
        unchanged = tuple(rules) == self.now.rules
        self._saved = (rule, rule if unchanged else before)
        if unchanged:
            if self._applies_to:
                self._tell_saved()
            self.leave_editor()
        else:
            self._leave_when_saved = True
            self._save(rules)

    def _tell_saved(self) -> None:
        saved, self._saved = self._saved, None
        if saved is not None:
            words, key = self.tr("The rule “%1” is saved.").replace("%1", saved[0].name), ""
            if self._applies_to:
                key = uuid4().hex
                self._context.link.send(ApplyRule(key, self._applies_to, saved[0].label, saved[0].actions))
                words = self.tr("%n message(s) changed by the rule “%1”", "", len(self._applies_to)).replace("%1", saved[0].name)
            self._context.notices.tell(words, self.tr("Undo"), lambda: self._undo_save(*saved, key), OFFERED_MS)

    def _undo_save(self, rule: RoutingRule, before: RoutingRule | None, key: str) -> None:
        """Restores a rule as it was, or removes it if it was new. Later changes to other rules stay. Also undoes the change `key`
        of messages.
        """
        if key:
            self._context.link.send(UndoChange(key))
        rules = [before if other == rule else other for other in self._rules()]
        self._save([other for other in rules if other is not None])

    def _save(self, rules: Sequence[RoutingRule]) -> None:
        """Saves, or queues the save behind a running one. Each save names the fingerprint of the previous file."""
        if self.now is None or tuple(rules) == self.now.rules:
            return
        self.now = replace(self.now, rules=tuple(rules))
        self._refuse("")
        if self._saving:
            self._queued = True
        else:
            self._send(self.now)

    def _send(self, now: RulesAnswer) -> None:
        self._saving = True
        self._context.link.send(SaveRules(now.rules, now.fingerprint))

    def _answered(self, answer: RulesAnswer) -> None:
        if self._unread:
            self._unread = False
            self._refuse("")
        before, saving = self.now, self._saving
        if saving and before is not None and before.fingerprint == answer.fingerprint:
            return
        self._saving = False
        if self._queued and before is not None:
            self._queued = False
            self.now = replace(answer, rules=before.rules)
            self._send(self.now)
            return
        chosen = self._chosen()
        self.now = answer
        self._show(chosen)
        self.editor.stand(answer.rules)
        if self._leave_when_saved:  # the focus moves only if it is in the editor
            self.leave_editor(self.editor.isAncestorOf(QApplication.focusWidget() or self))
        if saving:
            self._tell_saved()
        self._begin_now()
        self._restore_before()

    def _begin_now(self) -> None:
        begun, self.begun = self.begun, None
        if begun is not None:
            if self._writing:
                self.give_up()
            rule, back = begun
            self._open(rule, new=True)
            self._back = back

    def _refuse(self, words: str) -> None:
        say_or_hide(self.error, words)
        self.editor.refuse(words)

    def _show(self, chosen: RoutingRule | None = None) -> None:
        """Shows the rules and keeps the selection by name."""
        now = self.now
        rules = now.rules if now else ()
        self.file_error.show_rules_error(Path(now.path) if now else Path(), now.error if now else None, bool(rules))
        at = next((at for at, rule in enumerate(rules) if chosen is not None and rule.name == chosen.name), -1)
        self._fill(rules, at if at >= 0 else max(self.table.currentRow(), 0))

    def _fill(self, rules: Sequence[RoutingRule], chosen: int) -> None:
        self.table.fill(rules, chosen)
        self.table.setVisible(bool(rules))
        self.search.setVisible(len(rules) >= MANY or bool(self.search.text()))
        self.table.show_only(self.search.text())
        self.empty.setVisible(self.now is not None and self.now.error is None and not rules)
        self._enable()

    def _find(self, words: str) -> None:
        self.table.show_only(words)
        self._enable()

    def _rules(self) -> list[RoutingRule]:
        return list(self.now.rules) if self.now else []

    @property
    def _writable(self) -> bool:
        """Whether the rules are read and their file is valid."""
        return self.now is not None and self.now.error is None

    def _chosen(self) -> RoutingRule | None:
        rules, at = self._rules(), self.table.currentRow()
        return rules[at] if 0 <= at < len(rules) else None

    def _enable(self) -> None:
        at, count, sound = self.table.currentRow(), self.table.rowCount(), self._writable
        self.hint.setVisible(sound and count > 0)  # no hint on keys that do nothing
        chosen, still = sound and 0 <= at < count, not self.search.text()
        possible = {
            "edit": chosen,
            "delete": chosen,
            "up": chosen and at > 0 and still,
            "down": chosen and at < count - 1 and still,
        }
        self.buttons["add"].setEnabled(sound)
        for name, enabled in possible.items():
            self.buttons[name].setVisible(count > 0)
            self.buttons[name].setEnabled(enabled)
