"""The form of one agent profile: prompt, the email it gets, tools by tick, tool servers, model and limits."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QGridLayout, QLineEdit, QPlainTextEdit, QWidget

from app.config.settings import ModelSettings
from app.domain.agents.routing import RoutingRule, RuleMatch
from app.domain.agents.runs import Route
from app.domain.agents.tools import (
    DEFAULT_MODEL,
    PROFILE_TOOLS,
    AgentProfile,
    McpServer,
    ServerState,
    ServerStatus,
    hidden,
    line_of,
)
from app.domain.policy.policy import Effect
from app.domain.protocol.agent_commands import ProfilesAnswer, ReadServers, ServersRead
from app.domain.record import replace
from app.ui.context import Context
from app.ui.i18n.error_messages import said, translated
from app.ui.i18n.formatting import tool_name
from app.ui.pages.settings.profiles.tool_server import ServerCard
from app.ui.pages.settings.rules.rule_editor import match_words
from app.ui.services.async_task import EngineQuestion
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import button, clear, column, label, named, put, row, say, say_or_hide
from app.ui.widgets.form_controls import ChoiceBox, Control, Value, money, took_form_key, whole_number

PROMPT_LINES = 10
JSON_LINES = 6
NEW = AgentProfile("", Path(), "", ())
PASTE_EXAMPLE = '{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-server"]}}}'


def effect_words(effect: Effect) -> str:
    """What a tool of this effect may do."""
    return {
        Effect.READ: QCoreApplication.translate("Profiles", "reads"),
        Effect.READ_MARKS: QCoreApplication.translate("Profiles", "marks email as read"),
        Effect.LOCAL_WRITE: QCoreApplication.translate("Profiles", "writes on this computer"),
        Effect.SEND: QCoreApplication.translate("Profiles", "sends, after your approval"),
        Effect.CALENDAR: QCoreApplication.translate("Profiles", "writes to your calendar, after your approval"),
        Effect.DELETE: QCoreApplication.translate("Profiles", "deletes, after your approval"),
        Effect.NET: QCoreApplication.translate("Profiles", "reads the web, within your rules"),
    }[effect]


def missing_words(tool: str) -> str:
    """What a tool lacks, and where to add it."""
    return {
        "web_search": QCoreApplication.translate("Profiles", "needs a search service: Settings > Web"),
        "fetch_url": QCoreApplication.translate("Profiles", "needs a site: Settings > Web"),
        "search_drugs": QCoreApplication.translate("Profiles", "needs a drug catalog"),
        "manage_reservation": QCoreApplication.translate("Profiles", "needs a drug catalog"),
    }.get(tool, QCoreApplication.translate("Profiles", "needs a calendar: Settings > Calendar and contacts"))


class ToolTicks(QWidget):
    """A check box for each built-in tool, with what it may do and what it lacks. Emits `changed`."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.boxes: dict[str, QCheckBox] = {}
        self.notes = {name: label("", Type.CAPTION, "soft", wrap=True) for name in PROFILE_TOOLS}
        self._order: tuple[str, ...] = ()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(Space.LARGE)
        grid.setVerticalSpacing(Space.TIGHT)
        grid.setColumnStretch(1, 1)
        for at, name in enumerate(PROFILE_TOOLS):
            box = self.boxes[name] = QCheckBox(tool_name(name))
            box.toggled.connect(self.changed)
            grid.addWidget(box, at, 0)
            grid.addWidget(self.notes[name], at, 1)
        self.show_missing(())

    def show_missing(self, missing: Sequence[str]) -> None:
        for name, effect in PROFILE_TOOLS.items():
            lacks = name in missing
            words = f"{effect_words(effect)}; {missing_words(name)}" if lacks else effect_words(effect)
            say(self.notes[name], words, "warning" if lacks and self.boxes[name].isChecked() else "soft")
            self.boxes[name].setAccessibleDescription(words)

    def tick(self, names: Sequence[str]) -> None:
        self._order = tuple(names)
        for name, box in self.boxes.items():
            box.setChecked(name in names)

    def ticked(self) -> tuple[str, ...]:
        """The ticked tools: those of before in their order, then the others."""
        on = [name for name, box in self.boxes.items() if box.isChecked()]
        kept = [name for name in self._order if name in on]
        return (*kept, *(name for name in on if name not in kept))


class ProfileEditor(QFrame):
    """Edits a profile. Calls `saved()` on Save or Ctrl+Enter and `left()` on Discard or Escape. Emits `edited`."""

    edited = Signal()

    def __init__(
        self, context: Context, saved: Callable[[], object], left: Callable[[], object], open_path: Callable[[Path], object]
    ) -> None:
        super().__init__()
        self._context, self._saved, self._left = context, saved, left
        self._query = EngineQuestion(context.link, self)
        self.opened = NEW
        self._now: ProfilesAnswer | None = None
        self._servers: tuple[McpServer, ...] = ()
        self.cards: dict[str, ServerCard] = {}
        self._limits: dict[str, Any] = {}
        self._filling = self.ready = False
        self.name = named(QLineEdit(placeholderText=self.tr("for example orders")), self.tr("Name"))
        words = self.tr("Who it is, what it should do with an email, and what it must leave to you.")
        self.prompt = named(QPlainTextEdit(tabChangesFocus=True, placeholderText=words), self.tr("Prompt"))
        self.rules = label("", wrap=True)
        self.add_rule = button(self.tr("Add a rule"), "link", self._add_rule)
        self.edit_rules = button(self.tr("Edit rules"), "link", lambda: context.navigator.show_settings("rules"))
        self.tools = ToolTicks()
        self.add_server = button(self.tr("Add a tool server"), "link", self._open_paste)
        words = self.tr("Paste the JSON from the server's documentation. Nothing starts until you allow it.")
        self.json = QPlainTextEdit(tabChangesFocus=True, placeholderText=PASTE_EXAMPLE)
        self.json.setAccessibleName(self.tr("JSON of the tool server"))
        self.json.setAccessibleDescription(words)
        self.json_error = label("", Type.BODY, "danger", wrap=True)
        self.take_json = button(self.tr("Add"), "primary", self._read_json)
        for field, lines in ((self.prompt, PROMPT_LINES), (self.json, JSON_LINES)):
            field.setFixedHeight(field.fontMetrics().lineSpacing() * lines + Space.XLARGE)
        self.model = ChoiceBox(context.icons, self.tr("Model"))
        self.model.setEditable(True)
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.model.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.limits: dict[str, Control] = {
            "max_iterations": whole_number(1, 100, lambda count: self.tr("turn(s) for an email", "", count)),
            "max_tokens": whole_number(1, 1_000_000, lambda count: self.tr("token(s) for an answer", "", count)),
            "temperature": money(2.0, self.tr("temperature")),
        }
        names = (self.tr("Turn limit"), self.tr("Answer limit"), self.tr("Temperature"))
        for (key, control), words in zip(self.limits.items(), names, strict=True):
            control.field.setAccessibleName(words)
            control.committed.connect(lambda value, key=key: self._limit(key, value))
            control.typed.connect(self._changed)
            control.refused.connect(self.refuse)
        self.more = button(self.tr("Technical details"), "link", lambda: technical.setVisible(technical.isHidden()))
        open_file = button(self.tr("Open the file"), "", lambda: open_path(Path(self._now.path if self._now else "")))
        open_prompt = button(self.tr("Open the prompt"), "", lambda: open_path(self.opened.system_prompt_file))
        self.error = label("", Type.BODY, "danger", wrap=True)
        self.save = button(self.tr("Save"), "primary", self.submit)
        self.discard = button(self.tr("Discard"), "link", self._left)
        self._name_row, self.paste, technical = QWidget(), QFrame(), QFrame()
        column(self._name_row, 0, Space.TIGHT, _heading(self.name), self.name)
        cancel = button(self.tr("Cancel"), "link", self.paste.hide)
        hint, adding = label(self.json.accessibleDescription(), Type.CAPTION, "soft", wrap=True), row()
        put(adding, self.take_json, cancel, 1)
        column(self.paste, 0, Space.SMALL, hint, self.json, self.json_error, adding)
        files = put(row(), open_file, open_prompt, 1)
        column(technical, 0, Space.SMALL, *(control.widget for control in self.limits.values()), files)
        for hidden_first in (self.paste, self.json_error, technical, self.error):
            hidden_first.hide()
        self.cards_below = column(None, 0, Space.MEDIUM)
        put(
            column(self, 0, Space.SMALL),
            self.error,
            self._name_row,
            _heading(self.prompt),
            self.prompt,
            label(self.tr("Email it gets"), Type.STRONG),
            self.rules,
            put(row(), self.add_rule, self.edit_rules, 1),
            label(self.tr("Tools"), Type.STRONG),
            self.tools,
            Space.SMALL,
            label(self.tr("Tool servers"), Type.STRONG),
            self.cards_below,
            put(row(), self.add_server, 1),
            self.paste,
            _heading(self.model),
            self.model,
            put(row(), self.more, 1),
            technical,
            put(row(), self.save, self.discard, 1),
            1,
        )
        for changed in (self.name.textChanged, self.prompt.textChanged, self.tools.changed, self.model.editTextChanged):
            changed.connect(self._changed)

    def show_profile(self, profile: AgentProfile, now: ProfilesAnswer, model: ModelSettings) -> None:
        """Shows a profile as it is in force, or a new one without a name."""
        self._filling = True
        self.opened = profile
        self._name_row.setVisible(profile.system_prompt_file == Path())
        names = (model.agent, model.name, model.triage, DEFAULT_MODEL)
        self.model.clear()
        self.model.addItems([name for name in dict.fromkeys(names) if name and name != "none"])
        self._fill(profile)
        self._filling = False
        self.paste.hide()
        self.refuse("")
        self.stand(now)

    def rebase(self, profile: AgentProfile) -> None:
        """Takes the profile as it is in force now; what is edited stays, and the next save replaces it."""
        self.opened = profile
        self._changed()

    def put_back(self, profile: AgentProfile) -> None:
        """Shows an edited state of the profile that is open."""
        self._fill(profile)
        self._changed()

    def stand(self, now: ProfilesAnswer) -> None:
        """Shows rules, servers and missing backends as they are now; what is edited stays."""
        self._now = now
        mine = [rule for rule in now.rules if rule.profile == self.opened.name and rule.profile]
        words = "\n".join(match_words(rule.match) for rule in mine)
        new = self.opened.system_prompt_file == Path()
        none = self.tr("Save it first, then choose.") if new else self.tr("None yet. Add a rule to send email to it.")
        say(self.rules, words or none, "" if words else "soft")
        self.add_rule.setVisible(not new)
        self.edit_rules.setVisible(bool(mine))
        self._show_cards()
        self._changed()

    def _fill(self, profile: AgentProfile) -> None:
        self.name.setText(profile.name)
        self.prompt.setPlainText(profile.system_prompt)
        self.tools.tick(profile.tools)
        self._servers = profile.mcp_servers
        self.model.setEditText(profile.model)
        for key, control in self.limits.items():
            self._limits[key] = getattr(profile, key)
            control.show_value(getattr(profile, key))
        self._show_cards()

    def written(self) -> AgentProfile:
        return replace(
            self.opened,
            name=self.name.text().strip() or self.opened.name,
            system_prompt=self.prompt.toPlainText(),
            tools=self.tools.ticked(),
            mcp_servers=self._servers,
            model=self.model.currentText().strip() or DEFAULT_MODEL,
            **self._limits,
        )

    @property
    def changed(self) -> bool:
        typed = any(control.field.isModified() for control in self.limits.values() if isinstance(control.field, QLineEdit))
        return self.written() != self.opened or typed

    def saved_text(self) -> str:
        """The edited profile as JSON for the next start, without the values of servers' variables."""
        return msgspec.json.encode(hidden(self.written()), enc_hook=str).decode()

    def submit(self) -> None:
        for control in self.limits.values():
            control.settle()
        if self.ready and not self.error.text():
            self._saved()

    def refuse(self, words: str) -> None:
        """Shows why saving failed; the fields stay."""
        say_or_hide(self.error, words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not took_form_key(event, self._left, self.submit):
            super().keyPressEvent(event)

    def _limit(self, key: str, value: Value) -> None:
        self.refuse("")
        self._limits[key] = value
        self._changed()

    def _changed(self) -> None:
        if self._filling:
            return
        self.tools.show_missing(self._now.missing if self._now is not None else ())
        written, changed = self.written(), self.changed
        self.ready = changed and bool(written.name and written.system_prompt.strip())
        self.save.setEnabled(self.ready)
        self.discard.setVisible(changed)
        self.edited.emit()

    def _add_rule(self) -> None:
        name = self.opened.name
        self._context.navigator.make_rule(RoutingRule(name, RuleMatch(), Route.AGENT, name))

    def _open_paste(self) -> None:
        self.paste.show()
        self.json.setFocus()

    def _read_json(self) -> None:
        query = ReadServers(self.json.toPlainText())
        self._query.ask(query, self._servers_read, lambda error: say_or_hide(self.json_error, said(error.code, error.text)))

    def _servers_read(self, answer: ServersRead) -> None:
        if answer.error is not None:
            words, line = translated(answer.error.text), answer.error.line
            say_or_hide(self.json_error, self.tr("Line %1: %2").replace("%1", str(line)).replace("%2", words) if line else words)
            return
        added = {server.name for server in answer.servers}
        say_or_hide(self.json_error, "")
        self.json.clear()
        self.paste.hide()
        self._take_servers((*(one for one in self._servers if one.name not in added), *answer.servers))

    def _remove_server(self, name: str) -> None:
        self._take_servers(tuple(one for one in self._servers if one.name != name))

    def _take_servers(self, servers: tuple[McpServer, ...]) -> None:
        self._servers = servers
        self._show_cards()
        self._changed()
        self.add_server.setFocus()

    def _show_cards(self) -> None:
        """A card for each server of the form: its state, or its command line as long as it is not saved."""
        now, name = self._now, self.opened.name
        states = {one.server: one for one in now.servers if one.profile == name} if now is not None else {}
        if [server.name for server in self._servers] != list(self.cards):
            clear(self.cards_below)
            self.cards = {one.name: ServerCard(self._context.link, one.name, self._remove_server) for one in self._servers}
            put(self.cards_below, *self.cards.values())
        for one in self._servers:
            saved = one.name in states and one in self.opened.mcp_servers
            variables = tuple(variable for variable, _ in one.env)
            unsaved = ServerStatus(name, one.name, "", line_of(one), variables, ServerState.STOPPED)
            self.cards[one.name].show_status(states[one.name] if saved else unsaved, saved)


def _heading(field: QWidget) -> QWidget:
    """The accessible name of a field, as a label."""
    made = label(field.accessibleName(), Type.STRONG)
    made.setBuddy(field)
    return made


def profile_of(text: str) -> AgentProfile | None:
    """The profile in a saved state; None where it is damaged."""
    try:
        return msgspec.json.decode(text, type=AgentProfile, dec_hook=lambda _kind, value: Path(value))
    except msgspec.MsgspecError:
        return None
