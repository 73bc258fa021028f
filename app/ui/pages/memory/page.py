"""The Memory page lists every preference with its source and uses. Preferences can be edited, added, and deleted with undo."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.domain.agents.memory import LONGEST_PROFILE, LONGEST_TEXT, PROFILE, Namespace, Preference
from app.domain.ids import ReviewId
from app.domain.protocol.commands import AddPreference, ChangeSettings, DeletePreference, EditPreference, RestorePreference
from app.domain.protocol.events import CommandFailed, MemoryChanged, SettingsChanged
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.formatting import number_words
from app.ui.lists.row_painter import RowPresentation
from app.ui.pages.base import RowsPage
from app.ui.pages.memory.memory_texts import (
    ORDER,
    archive_words,
    editable_words,
    namespace_chip,
    preference_look,
    preference_words,
    source_words,
    title_words,
)
from app.ui.services.notices import tell_discarded
from app.ui.session.session_store import PageState, long_number, type_again, typed_texts
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import (
    RoleFrame,
    action_button,
    action_tool,
    button,
    chip,
    column,
    label,
    named,
    put,
    row,
    say,
    say_or_hide,
)
from app.ui.widgets.form_controls import ChoiceBox, took_form_key
from app.ui.widgets.split_view import Stack, listing

if TYPE_CHECKING:
    from app.ui.pages.memory.backtest import BacktestDialog

NEW_IN = (Namespace.RESPONSE, Namespace.TRIAGE, Namespace.CALENDAR)
LONGEST_BACKGROUND = 4000
LINES = 4
LINES_OF_BACKGROUND = 9

BACKGROUND = 0
"""Row id of the background text, which is a setting and not a stored preference."""


class PreferenceEditor(RoleFrame):
    """Editor of a preference.

    `saved(namespace, text)` is called on Save or Ctrl+Enter, `left()` on Cancel or Escape.
    """

    def __init__(self, icons: Icons, saved: Callable[[Namespace, str], object], left: Callable[[], object]) -> None:
        super().__init__("card")
        self._saved, self._left = saved, left
        self._limit = LONGEST_TEXT
        self._opened = ""
        self.title = label("", Type.TITLE)
        self.hint = label("", Type.CAPTION, "soft", wrap=True)
        self.too_long = label("", Type.CAPTION, "danger")
        self.group = ChoiceBox(icons, self.tr("What it's about"))
        self.text = named(QPlainTextEdit(tabChangesFocus=True), self.tr("What to remember"))
        self.save = button(self.tr("Save"), "primary", self.submit)
        self.cancel = button(self.tr("Cancel"), "link", self._left)
        foot = put(row(), self.save, self.cancel, 1)
        column(self, Space.LARGE, Space.SMALL, self.title, self.group, self.text, self.too_long, self.hint, foot)
        self.text.textChanged.connect(self._enable)

    def write_new(self) -> None:
        hint = self.tr("One sentence, as you would say it to an assistant.")
        self._open(NEW_IN, self.tr("New preference"), "", hint, LONGEST_TEXT)

    def change(self, preference: Preference, words: str) -> None:
        hint, limit = "", LONGEST_TEXT
        if preference.id == BACKGROUND:
            hint, limit = self.tr("Who you are and what you do. A language model gets it with each draft."), LONGEST_BACKGROUND
        elif preference.rule is not None and preference.rule.kind in PROFILE:
            hint = self.tr("Once you change it, it stays as you wrote it. Clear it to have it made from your sent emails again.")
            limit = LONGEST_PROFILE
        self._open((preference.namespace,), title_words(preference), words, hint, limit)

    @property
    def changed(self) -> bool:
        return self.text.toPlainText() != self._opened

    def submit(self) -> None:
        if self.save.isEnabled():
            self._saved(Namespace(self.group.currentData()), self.text.toPlainText().strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not took_form_key(event, self._left, self.submit):
            super().keyPressEvent(event)

    def _open(self, groups: tuple[Namespace, ...], title: str, words: str, hint: str, limit: int) -> None:
        self.group.clear()
        for group in groups:
            self.group.addItem(namespace_chip(group).text, group.value)
        self.group.setVisible(len(groups) > 1)
        self._limit = limit
        lines = LINES if limit == LONGEST_TEXT else LINES_OF_BACKGROUND
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() * lines + Space.XLARGE)
        self.title.setText(title)
        say_or_hide(self.hint, hint)
        self._opened = words
        self.text.setPlainText(words)
        self._enable()
        self.text.setFocus()
        self.text.selectAll()

    def _enable(self) -> None:
        """Enables Save unless the text is empty or too long. Background and profile may be empty."""
        words = self.text.toPlainText().strip()
        self.too_long.setText(f"{number_words(len(words))} / {number_words(self._limit)}")
        self.too_long.setVisible(len(words) > self._limit)
        self.save.setEnabled((bool(words) or self._limit != LONGEST_TEXT) and len(words) <= self._limit)


DETAIL, EDITOR, STATE = 0, 1, 2


class MemoryPage(RowsPage[Preference]):
    """Preferences grouped in the order of `ORDER`, newest first in each group."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "memory", self.tr("Memory"))
        self._background_row: Preference | None = None
        self.current: Preference | None = None
        self._adding = False
        self._trial: BacktestDialog | None = None
        self._deleting: set[int] = set()
        self._sent_edit: tuple[str, PageState] = ("", {})
        self._refused: PageState = {}
        self._heading = label("", Type.TITLE, wrap=True)
        self._group = chip()
        self.words = label("", wrap=True)
        self._source = label("", Type.CAPTION, "soft", wrap=True)
        self.learned = label("", Type.CAPTION, "soft", wrap=True)
        """What sorting learned from past mail."""
        self.open_source = button(self.tr("Open the decision"), "link", self._open_source)
        self.editor = PreferenceEditor(context.icons, self._save, self._discard)
        edit, delete, trial = (action_button(context.actions[f"memory.{name}"]) for name in ("edit", "delete", "try"))
        card, detail, editing = RoleFrame("card"), QWidget(), QWidget()
        head, buttons = put(row(), (self._heading, 1), self._group), put(row(), edit, delete, self.open_source, 1)
        column(card, Space.LARGE, Space.SMALL, head, self.words, self._source, Space.SMALL, buttons)
        column(detail, Space.LARGE, Space.MEDIUM, card, self.learned, put(row(), trial, 1), 1)
        column(editing, Space.LARGE, 0, self.editor, 1)
        self._right = Stack(detail, editing, self.state)
        tools = [action_tool(context.actions[name]) for name in ("memory.try", "memory.add")]
        column(self, 0, 0, self._split(listing(self.title, self.list, tools), self._right))
        self._right.currentChanged.connect(lambda at: self.panes.show_empty(self.list, at == STATE))
        handlers = {
            "memory.add": self.add,
            "memory.edit": self.edit,
            "memory.delete": self.delete,
            "memory.try": self.try_on_past,
        }
        connect_actions(self, context, handlers)
        self.editor.text.textChanged.connect(self.moved)
        self.editor.group.activated.connect(self.moved)
        self._right.currentChanged.connect(self.moved)

    def try_on_past(self) -> None:
        """Opens the trial of triage on past mail."""
        from app.ui.pages.memory.backtest import BacktestDialog  # few open it, and every import delays the page

        if self._trial is None:
            self._trial = BacktestDialog(self.context, self)
            self._trial.destroyed.connect(self._forget_trial)
        self._trial.show()
        self._trial.raise_()

    def _forget_trial(self) -> None:
        self._trial = None

    def refresh(self) -> None:
        ids = self.context.reader.preference_ids(ORDER)
        self.learned.setText(archive_words(self.context.reader.archive_lessons()))
        text = self.context.settings().drafting.background.strip()
        self._background_row = None
        if text:
            now = self.context.clock()
            self._background_row = Preference(BACKGROUND, Namespace.BACKGROUND, text, ReviewId(0), now, 0, typed=True)
            ids.append(BACKGROUND)
        before = max(self.list.current_row(), 0)
        self._set_ids(ids)
        if self._writing and (self._adding or self.editor.changed or self._is_listed(self.current)):
            return
        if not ids:
            self.current = None
            for name in ("memory.edit", "memory.delete"):
                self.context.actions[name].setEnabled(False)
            words = self.tr("The assistant learns from your edits and rejections. See and change what it learned here.")
            words = f"{words} {self.learned.text()}"
            self.state.show_state("memory", self.tr("Nothing learned yet"), words, self.tr("Add a preference"), self.add)
            self._right.setCurrentIndex(STATE)
            return
        known = self.current.id if self.current is not None and self._is_listed(self.current) else None
        wanted = known if known is not None else self.model.id_at(min(before, len(ids) - 1))
        self.list.select_row(self.model.row_of(wanted), quiet=True)
        self._show(wanted)

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, MemoryChanged | SettingsChanged | CommandFailed)

    def hear(self, event: Event) -> None:
        """Ends pending deletions. If saving failed, the text returns to the editor."""
        if self._trial is not None:
            self._trial.hear(event)
        if isinstance(event, MemoryChanged | CommandFailed):
            self._deleting.clear()
        if isinstance(event, CommandFailed) and event.command == self._sent_edit[0]:
            self._refused = self._sent_edit[1]
            self._sent_edit = ("", {})
        super().hear(event)

    def save_state(self) -> PageState:
        """Adds the text in the open editor."""
        return self._back_to or {**super().save_state(), **self._typed_state()}

    def _return(self) -> None:
        """Opens the editor again with text that was refused, given back by undo, or typed before a restart. It becomes a new
        preference if the edited one no longer exists.
        """
        typed = self._refused or self._back_to
        super()._return()
        if self._writing:
            return
        self._refused = {}
        if "text" not in typed:
            return
        about = long_number(typed, "about")
        if typed.get("adding") or self.model.row_of(about) < 0:
            self.add()
            self.editor.group.setCurrentIndex(max(self.editor.group.findData(typed.get("group")), 0))
        else:
            self.list.select_row(self.model.row_of(about), quiet=True)
            self._show(about)
            self.edit()
        type_again(typed, text=self.editor.text)

    @property
    def _writing(self) -> bool:
        return self._right.currentIndex() == EDITOR

    def go_back(self) -> bool:
        """From the editor to the preference, or from there to the list."""
        if self._writing:
            self._discard()
            return True
        return self.panes.go_back(self.list)

    def add(self) -> None:
        self._leave_unsaved()
        self._adding = True
        self._right.setCurrentIndex(EDITOR)
        self.panes.show_detail()
        self.editor.write_new()

    def edit(self) -> None:
        self._leave_unsaved()
        words = editable_words(self.current) if self.current is not None else None
        if self.current is None or words is None:
            return
        self._adding = False
        self._right.setCurrentIndex(EDITOR)
        self.panes.show_detail()
        self.editor.change(self.current, words)

    def delete(self) -> None:
        at = self.list.current_row()  # the selected preference, which need not be the one in the editor
        gone = self._found(self.model.id_at(at)) if at >= 0 else self.current
        if gone is None or gone.id == BACKGROUND or gone.id in self._deleting:
            return
        self._deleting.add(gone.id)
        self.context.link.send(DeletePreference(gone.id))
        self.context.notices.tell(self.tr("Deleted"), self.tr("Undo"), lambda: self.context.link.send(RestorePreference(gone.id)))

    def _save(self, namespace: Namespace, words: str) -> None:
        if self.current is not None and self.current.rule is not None and not (self._adding or self.editor.changed):
            self._leave_editor()  # an unchanged rule stays as it was made
            return
        edited = None if self._adding else self.current
        command: ChangeSettings | AddPreference | EditPreference
        if edited is not None and edited.id == BACKGROUND:
            command = ChangeSettings((("drafting.background", json.dumps(words, ensure_ascii=False)),))
        elif edited is not None and self._is_listed(edited):
            command = EditPreference(edited.id, words)
        else:
            command = AddPreference(namespace, words)  # also if the edited preference was deleted meanwhile
        self._sent_edit = (type(command).__name__, self._typed_state())
        self.context.link.send(command)
        self._leave_editor()

    def _typed_state(self) -> PageState:
        if not self._writing:
            return {}
        about = 0 if self._adding or self.current is None else self.current.id
        words = typed_texts(text=self.editor.text)
        return {"adding": int(self._adding), "about": about, "group": str(self.editor.group.currentData()), **words}

    def _leave_unsaved(self) -> None:
        """Leaves an editor with unsaved text before another one opens. Undo restores the text."""
        if self._writing and self.editor.changed:
            self._discard()

    def _discard(self) -> None:
        """Leaves the editor without saving; the notice can restore the text."""
        typed: PageState = self._typed_state() if self.editor.changed else {}
        self._leave_editor()
        if typed:
            tell_discarded(self.context.notices, self.tr("Undo"), lambda: self._give_back(typed))

    def _give_back(self, typed: PageState) -> None:
        self._refused = typed
        self.touch()

    def _leave_editor(self) -> None:
        self._adding = False
        self._right.setCurrentIndex(DETAIL if self.current is not None else STATE)
        at = self.list.current_row()
        if at >= 0:
            self._show(self.model.id_at(at))
        self.touch()
        self.panes.take_focus(self.list)

    def _choose(self, key: int) -> None:
        """Shows the selected row, unless the editor has unsaved text."""
        if not (self._writing and self.editor.changed):
            self._adding = False
            self._show(key)

    def _open(self, _key: int) -> None:
        self.edit()

    def _row(self, preference: Preference) -> RowPresentation:
        return preference_look(preference, self.context.clock())

    def _show(self, key: int) -> None:
        found = self._found(key)
        if found is None:
            return
        self.current = found
        self._heading.setText(title_words(found))
        say(self._group, *namespace_chip(found.namespace))
        self.words.setText(preference_words(found))
        setting = self.tr("From Settings. A language model gets it with each draft.")
        self._source.setText(source_words(found) if found.id else setting)
        self.open_source.setVisible(bool(found.source_review))
        for name, possible in (("memory.edit", editable_words(found) is not None), ("memory.delete", found.id != BACKGROUND)):
            self.context.actions[name].setVisible(possible)
            self.context.actions[name].setEnabled(possible)
        self._right.setCurrentIndex(DETAIL)

    def _open_source(self) -> None:
        if self.current is not None and self.current.source_review:
            self.context.navigator.show_review(ReviewId(self.current.source_review))

    def _read(self, ids: Sequence[int]) -> Mapping[int, Preference]:
        found = self.context.reader.preferences_of(ids)
        return {**found, BACKGROUND: self._background_row} if self._background_row is not None else found

    def _found(self, key: int) -> Preference | None:
        return self._read((key,)).get(key)

    def _is_listed(self, preference: Preference | None) -> bool:
        return preference is not None and self.model.row_of(preference.id) >= 0
