"""Keyboard shortcuts: the key map, the page to change it and the cheat sheet. Changes apply at once.

The key map is a preset plus the user's changes, stored in window.ini. The defaults are in `app.ui.actions`.
"""

import json
import tomllib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QGridLayout, QKeySequenceEdit, QLabel, QLineEdit, QScrollArea, QToolButton, QWidget

from app.config.paths import resource
from app.domain.record import Record
from app.ui.actions import TABLE, ActionScope, ActionSpec, name_words, where_words
from app.ui.context import Context
from app.ui.pages.base import Page
from app.ui.theme.metrics import Space, Type, at_text_size, is_large_text
from app.ui.widgets.containers import Dialog, Scrolled
from app.ui.widgets.factory import STRETCH, button, chip, clearable, column, label, named, put, row, say, say_or_hide, tool_button
from app.ui.widgets.form_controls import ChoiceBox

PRESET = "keys/preset"
CHANGED = "keys/changed"
STANDARD = "standard"
Keys = dict[str, tuple[str, ...]]
"""By action: its keys in Qt's portable form."""


@cache
def presets() -> dict[str, Keys]:
    """By preset: what differs from the defaults."""
    read = tomllib.loads(resource("keys.toml").read_text(encoding="utf-8"))
    return {STANDARD: {}, **{name: {action: tuple(keys) for action, keys in table.items()} for name, table in read.items()}}


class Conflict(Record):
    """One key with two actions that can be active at the same time."""

    key: str
    first: str
    second: str


def preset_keys(preset: str) -> Keys:
    """Keys of every action in a preset; an unknown preset counts as the standard one.

    A key that the preset gives to one action is removed from the actions it would conflict with.
    """
    changed = presets().get(preset, {}) if preset != STANDARD else {}
    taken = {(spec.where, key) for spec in TABLE for key in changed.get(spec.id, ())}

    def left(spec: ActionSpec) -> tuple[str, ...]:
        clashing = {key for where, key in taken if where is spec.where or ActionScope.WINDOW in (where, spec.where)}
        return tuple(key for key in spec.keys if key not in clashing)

    return {spec.id: changed[spec.id] if spec.id in changed else left(spec) for spec in TABLE}


def conflicts(keys: Mapping[str, Sequence[str]]) -> list[Conflict]:
    """Keys that two actions of one scope share. A sequence also conflicts with an action on its first key."""
    places = {spec.id: spec.where for spec in TABLE}
    owners: dict[str, list[str]] = defaultdict(list)
    for name, own in keys.items():
        for key in own:
            for part in {key, key.split(", ")[0]}:
                owners[part].append(name)
    found = []
    for name, own in keys.items():
        for key in own:
            for other in owners[key]:
                together = places[name] is places[other] or ActionScope.WINDOW in (places[name], places[other])
                if other != name and together and (key in keys[other] or "," not in key):
                    found.append(Conflict(key, *sorted((name, other))))
    return list(dict.fromkeys(found))


class KeyTable:
    """The current keys. Each change is written at once and applied to the actions."""

    def __init__(self, state: QSettings, actions: Mapping[str, QAction]) -> None:
        self._state, self._actions = state, actions

    @property
    def preset(self) -> str:
        """The selected preset; the standard one if the stored name is unknown."""
        found = str(self._state.value(PRESET) or STANDARD)
        return found if found == STANDARD or found in presets() else STANDARD

    @property
    def changed(self) -> Keys:
        """The user's changes. Empty if the stored value cannot be read."""
        try:
            found = json.loads(str(self._state.value(CHANGED) or "{}"))
            return {name: tuple(map(str, keys)) for name, keys in found.items() if name in self._actions}
        except (ValueError, AttributeError, TypeError):
            return {}

    def write(self, preset: str, changed: Keys) -> None:
        self._state.setValue(PRESET, preset)
        self._state.setValue(CHANGED, json.dumps(changed))
        self.apply()

    def keys(self) -> Keys:
        return {**preset_keys(self.preset), **self.changed}

    def put(self, name: str, keys: Sequence[str] | None) -> None:
        """Sets the keys of an action; None restores those of the preset."""
        changed = self.changed
        changed.pop(name, None)
        if keys is not None and tuple(keys) != preset_keys(self.preset)[name]:
            changed[name] = tuple(keys)
        self.write(self.preset, changed)

    def apply(self) -> None:
        for name, keys in self.keys().items():
            self._actions[name].setShortcuts([QKeySequence(key) for key in keys])


KEYS_WIDTH = 250
"""Pixels for Qt's placeholder text in any of our languages and for the clear button."""


class ShortcutsPage(Page):
    """One line for each action, grouped by scope, with a preset to choose from."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "shortcuts", self.tr("Keyboard shortcuts"))
        self.table = KeyTable(context.state, context.actions)
        self.edits: dict[str, QKeySequenceEdit] = {}
        self.notes: dict[str, QLabel] = {}
        self.backs: dict[str, QToolButton] = {}
        self.preset = ChoiceBox(context.icons, self.tr("Preset"))
        names = {STANDARD: self.tr("Replyroom"), "gmail": self.tr("Gmail"), "native": self.tr("Desktop programs")}
        for key, words in names.items():
            self.preset.addItem(words, key)
        self.preset.setCurrentIndex(self.preset.findData(self.table.preset))
        self.preset.activated.connect(lambda _index: self._choose())
        self.summary = label("", Type.CAPTION, "soft", wrap=True)
        self.forget = button(self.tr("Reset shortcuts"), "link", self._forget)
        title, preset = label(self.title, Type.TITLE), label(self.tr("Preset"), Type.CAPTION, "soft")
        if is_large_text():  # one line is too narrow for all of them
            head = column(None, 0, Space.SMALL, title, row(None, 0, Space.SMALL, preset, self.preset, self.forget, STRETCH))
        else:
            head = column(None, 0, 0, row(None, 0, Space.SMALL, (title, 1), preset, self.preset, self.forget))
        inner = QWidget()
        inner.setMaximumWidth(at_text_size(810))
        put(column(inner, Space.LARGE, Space.MEDIUM), head, self.summary, *map(self._section, ActionScope), STRETCH)
        column(self).addWidget(Scrolled(inner))

    def refresh(self) -> None:
        """Shows the keys. A focused button stays enabled, so that the focus does not jump to a key field."""
        keys, changed = self.table.keys(), self.table.changed
        clashing = conflicts(keys)
        names = {spec.id: name_words(spec) for spec in TABLE}
        self.forget.setEnabled(bool(changed) or self.forget.hasFocus())
        for name, edit in self.edits.items():
            self.backs[name].setEnabled(name in changed or self.backs[name].hasFocus())
            edit.blockSignals(True)
            edit.setKeySequence(QKeySequence(keys[name][0] if keys[name] else ""))
            edit.blockSignals(False)
            pairs = [(one.first, one.second) for one in clashing if name in (one.first, one.second)]
            others = dict.fromkeys(names[second if first == name else first] for first, second in pairs)
            also = [QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in keys[name][1:]]
            words = self.tr("also %1").replace("%1", ", ".join(also)) if also else ""
            if others:
                words = self.tr("the same as: %1").replace("%1", ", ".join(others))
            say_or_hide(self.notes[name], words, "danger" if others else "soft")
        calm = self.tr("Changes apply right away. Press ? to see all shortcuts.")
        many = self.tr("%n conflict(s): change one of each pair.", "", len(clashing))
        say(self.summary, many if clashing else calm, "danger" if clashing else "soft")

    def take_focus(self) -> None:
        self.preset.setFocus()

    def _choose(self) -> None:
        if self.table.preset != self.preset.currentData():
            words = self.tr("Preset: %1").replace("%1", self.preset.currentText())
            self._change(str(self.preset.currentData()), self.table.changed, words)

    def _forget(self) -> None:
        self._change(self.table.preset, {}, self.tr("Shortcuts reset"))

    def _change(self, preset: str, changed: Keys, words: str) -> None:
        """Writes another preset or other changes, and offers to go back."""
        before = self.table.preset, self.table.changed

        def back() -> None:
            self.table.write(*before)
            self.preset.setCurrentIndex(self.preset.findData(before[0]))
            self.refresh()

        self.table.write(preset, changed)
        self.refresh()
        self.context.notices.tell(words, self.tr("Undo"), back)

    def _put(self, name: str) -> None:
        pressed, before = self.edits[name].keySequence(), self.table.keys()[name]
        # compares sequences, because "Delete" and "Del" are the same key
        if pressed != QKeySequence(before[0] if before else ""):  # unchanged, the action keeps its other keys
            key = pressed.toString(QKeySequence.SequenceFormat.PortableText)
            self.table.put(name, (key,) if key else ())
            self.refresh()

    def _reset_action(self, name: str) -> None:
        self.table.put(name, None)
        self.refresh()

    def _section(self, where: ActionScope) -> QWidget:
        section, grid = _grid(Space.MEDIUM)
        grid.setColumnStretch(2, 1)
        grid.addWidget(label(where_words(where), Type.STRONG), 0, 0, 1, 4)
        for line, spec in enumerate((spec for spec in TABLE if spec.where is where), 1):
            title, icon = name_words(spec), self.context.icons.icon
            edit = named(QKeySequenceEdit(), title)
            edit.setClearButtonEnabled(True)
            edit.setFixedWidth(KEYS_WIDTH)
            for inside in edit.findChildren(QLineEdit):
                inside.setAccessibleName(title)
                clearable(inside, icon("close"))
            edit.editingFinished.connect(partial(self._put, spec.id))
            note, reset = label("", Type.CAPTION, "soft"), self.tr("Back to the preset: %1").replace("%1", title)
            back = tool_button(icon("undo"), reset, partial(self._reset_action, spec.id))
            self.edits[spec.id], self.notes[spec.id], self.backs[spec.id] = edit, note, back
            for at, widget in enumerate((label(title), edit, note, back)):
                below = is_large_text() and widget is note  # beside, it would make the page too wide
                grid.addWidget(widget, 2 * line + below, 1 if below else at)
        return section


def _grid(across: int) -> tuple[QWidget, QGridLayout]:
    """A section for lines of actions."""
    section = QWidget()
    grid = QGridLayout(section)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(across)
    grid.setVerticalSpacing(Space.TIGHT)
    return section, grid


COLUMNS = (
    (ActionScope.WINDOW,),
    (ActionScope.REVIEW, ActionScope.OUTBOX, ActionScope.MEMORY, ActionScope.SUBSCRIPTIONS),
    (ActionScope.MAIL,),
    (ActionScope.COMPOSE, ActionScope.DRAFTS, ActionScope.TEMPLATES, ActionScope.WAITING, ActionScope.ASSISTANT),
)
AROUND = 40
"""Pixels of the window left free around the cheat sheet."""
BESIDE = 48
"""Pixels of the cheat sheet's margins and scroll bar."""
LONGEST_NAME = 200
"""Pixels of an action's name on one line. Longer names wrap, so that several columns fit side by side."""


class CheatSheet(Dialog):
    """All keys by scope in a non-modal dialog. Escape or `?` closes it; `change` opens the page of shortcuts."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget, change: Callable[[], object] | None = None) -> None:
        super().__init__(parent, self.tr("Keyboard shortcuts"))
        head = put(row(), (label(self.tr("Keyboard shortcuts"), Type.HEADLINE), 1))
        if change is not None:
            to_page = button(self.tr("Change shortcuts…"), "link", self.close)
            to_page.clicked.connect(lambda: change())
            head.addWidget(to_page)
        sheet = QWidget(self)  # with a parent, so that its style applies before it is measured
        room = parent.size()
        self._arrange(sheet, actions, room.width() - AROUND - BESIDE)
        area = named(QScrollArea(self), self.windowTitle())
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(sheet)
        put(column(self, Space.LARGE, Space.MEDIUM), head, (area, 1))
        wanted = sheet.sizeHint()
        self.resize(min(wanted.width() + BESIDE, room.width() - AROUND), min(wanted.height() + 110, room.height() - AROUND))
        self.move(parent.mapToGlobal(parent.rect().center()) - self.rect().center())  # Qt would centre it on the screen

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text() == "?":
            self.close()
            return
        super().keyPressEvent(event)

    def _arrange(self, sheet: QWidget, actions: Mapping[str, QAction], room: int) -> None:
        """Arranges the columns in 4, 2 or 1 across, whichever fits into `room` pixels."""
        sides = []
        for places in COLUMNS:
            sides.append(QWidget())
            put(column(sides[-1], 0, Space.LARGE), *(self._section(where, actions) for where in places), STRETCH)
        grid = QGridLayout(sheet)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(Space.LARGE)
        for across in (4, 2, 1):
            for place, side in enumerate(sides):
                grid.addWidget(side, place // across, place % across)
            if sheet.sizeHint().width() <= room:
                return

    def _section(self, where: ActionScope, actions: Mapping[str, QAction]) -> QWidget:
        section, grid = _grid(Space.SMALL)
        grid.addWidget(label(where_words(where), Type.STRONG), 0, 0, 1, 2)
        with_keys = [spec for spec in TABLE if spec.where is where and not actions[spec.id].shortcut().isEmpty()]
        for line, spec in enumerate(with_keys, 1):
            name = label(name_words(spec), tone="soft")
            if name.fontMetrics().horizontalAdvance(name.text()) > at_text_size(LONGEST_NAME):
                name.setWordWrap(True)
                name.setFixedWidth(at_text_size(LONGEST_NAME))
            grid.addWidget(name, line, 0)
            keys = actions[spec.id].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            grid.addWidget(chip(keys), line, 1, Qt.AlignmentFlag.AlignRight)
        return section
