"""The table of keys: a preset, each action's keys to change, and what clashes. What is changed is in force at once."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QGridLayout, QKeySequenceEdit, QLabel, QLineEdit, QScrollArea, QToolButton, QWidget

from app.ui.actions import TABLE, ActionSpec, Where, name_words, where_words
from app.ui.build import button, clearable, column, label, row, set_tone, tool_button
from app.ui.choice_box import ChoiceBox
from app.ui.context import Context
from app.ui.page import Page
from app.ui.palette.keys import STANDARD, Keys, KeyTable, conflicts
from app.ui.scale import Space, Type, at_text_size
from app.ui.scroll_place import keep_scroll
from app.ui.settings.controls import with_arrow

KEYS_WIDTH = 250
"""Room for Qt's words in an empty field, in any of our languages, and for the button that empties it."""


class ShortcutsPage(Page):
    """One line an action, by place."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "shortcuts", "")
        self.title = self.tr("Keyboard shortcuts")
        self.setAccessibleName(self.title)
        self.table = KeyTable(context.state, context.actions)
        self.edits: dict[str, QKeySequenceEdit] = {}
        self.notes: dict[str, QLabel] = {}
        self.backs: dict[str, QToolButton] = {}
        self.preset = ChoiceBox()
        with_arrow(self.preset, context.icons)
        self.preset.setAccessibleName(self.tr("Keys as in"))
        names = {STANDARD: self.tr("Replyroom"), "gmail": self.tr("Gmail"), "native": self.tr("Desktop programs")}
        for key, words in names.items():
            self.preset.addItem(words, key)
        self.preset.setCurrentIndex(self.preset.findData(self.table.preset))
        self.preset.activated.connect(lambda _index: self._choose())
        self.summary = label("", Type.CAPTION, "soft", wrap=True)
        inner = QWidget()
        inner.setProperty("role", "plain")
        inner.setMaximumWidth(at_text_size(810))
        lines = column(inner, Space.LARGE, Space.MEDIUM)
        head = row(None, 0, Space.SMALL)
        head.addWidget(label(self.title, Type.TITLE), 1)
        head.addWidget(label(self.tr("Keys as in"), Type.CAPTION, "soft"))
        head.addWidget(self.preset)
        self.forget = button(self.tr("Forget my changes"), "link", self._forget)
        head.addWidget(self.forget)
        lines.addLayout(head)
        lines.addWidget(self.summary)
        for where in Where:
            lines.addWidget(self._section(where))
        lines.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inner)
        column(self).addWidget(area)
        keep_scroll(self.parts, "keys", area)

    def refresh(self) -> None:
        """Show the keys in force and what clashes."""
        keys = self.table.keys()
        clashing = conflicts(keys)
        names = {spec.id: name_words(spec) for spec in TABLE}
        self._enable()
        for name, edit in self.edits.items():
            edit.blockSignals(True)
            edit.setKeySequence(QKeySequence(keys[name][0] if keys[name] else ""))
            edit.blockSignals(False)
            others = [one.second if one.first == name else one.first for one in clashing if name in (one.first, one.second)]
            also = [QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in keys[name][1:]]
            words = self.tr("also %1").replace("%1", ", ".join(also)) if also else ""
            if others:
                titles = ", ".join(names[other] for other in dict.fromkeys(others))
                words = self.tr("the same as: %1").replace("%1", titles)
            self.notes[name].setText(words)
            set_tone(self.notes[name], "danger" if others else "soft")
        calm = self.tr("No two actions share a key. Changes are in force at once; ? shows all keys.")
        many = self.tr("%n conflict(s): change one of each pair.", "", len(clashing))
        self.summary.setText(many if clashing else calm)
        set_tone(self.summary, "danger" if clashing else "soft")

    def _enable(self) -> None:
        """Only what was changed can be taken back; a button that has the keyboard keeps it, lest the next key be taken as new."""
        changed = self.table.changed
        for name, back in self.backs.items():
            back.setEnabled(name in changed or back.hasFocus())
        self.forget.setEnabled(bool(changed) or self.forget.hasFocus())

    def take_focus(self) -> None:
        """The preset."""
        self.preset.setFocus()

    def _choose(self) -> None:
        preset, changed = self.table.preset, self.table.changed
        if preset == self.preset.currentData():
            return
        self.table.choose(str(self.preset.currentData()))
        self.refresh()
        self._offer_undo(self.tr("Keys as in: %1").replace("%1", self.preset.currentText()), preset, changed)

    def _forget(self) -> None:
        preset, changed = self.table.preset, self.table.changed
        for name in changed:
            self.table.put(name, None)
        self.refresh()
        self._offer_undo(self.tr("Your changes are forgotten."), preset, changed)

    def _offer_undo(self, words: str, preset: str, changed: Keys) -> None:
        """A way back to all keys of before."""

        def back() -> None:
            self.table.take_back(preset, changed)
            self.preset.setCurrentIndex(self.preset.findData(preset))
            self.refresh()

        self.context.notices.tell(words, self.tr("Undo"), back)

    def _put(self, name: str) -> None:
        pressed, before = self.edits[name].keySequence(), self.table.keys()[name]
        if pressed == QKeySequence(before[0] if before else ""):  # "Delete" and "Del" are one key
            return  # nothing was pressed: further keys stay
        key = pressed.toString(QKeySequence.SequenceFormat.PortableText)
        self.table.put(name, (key,) if key else ())
        self.refresh()

    def _back(self, name: str) -> None:
        self.table.put(name, None)
        self.refresh()

    def _section(self, where: Where) -> QWidget:
        section = QWidget()
        grid = QGridLayout(section)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(Space.MEDIUM)
        grid.setVerticalSpacing(Space.TIGHT)
        grid.setColumnStretch(2, 1)
        grid.addWidget(label(where_words(where), Type.STRONG), 0, 0, 1, 4)
        for line, spec in enumerate((one for one in TABLE if one.where is where), 1):
            self._line(grid, line, spec)
        return section

    def _line(self, grid: QGridLayout, line: int, spec: ActionSpec) -> None:
        title = name_words(spec)
        edit = QKeySequenceEdit()
        edit.setClearButtonEnabled(True)
        edit.setFixedWidth(KEYS_WIDTH)
        edit.setAccessibleName(title)
        for inside in edit.findChildren(QLineEdit):
            inside.setAccessibleName(title)
            clearable(inside, self.context.icons.icon("close"))
        edit.editingFinished.connect(partial(self._put, spec.id))
        self.edits[spec.id], self.notes[spec.id] = edit, label("", Type.CAPTION, "soft")
        back = tool_button(
            self.context.icons.icon("undo"), self.tr("Back to the preset: %1").replace("%1", title), partial(self._back, spec.id)
        )
        self.backs[spec.id] = back
        for column_, widget in enumerate((label(title), edit, self.notes[spec.id], back)):
            grid.addWidget(widget, line, column_)
