"""Base classes of the sections: rows of title, hint, control and save state.

Also what sends changed settings, a notice for damaged files, and what restores unsaved text after a crash.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QLabel, QLayout, QPushButton, QScrollArea, QSizePolicy, QWidget

from app.config.settings import Settings
from app.domain.ports.window import EngineLink
from app.domain.protocol.agent_commands import FileError
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import CommandFailed, SettingsChanged
from app.domain.wire import Event
from app.ui.i18n.error_messages import sentence, translated
from app.ui.session.session_store import PageState, line_of, text_of, type_again
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.factory import RoleFrame, button, column, label, plain_tip, put, row, rule, say
from app.ui.widgets.form_controls import Control, Value, value_of
from app.ui.widgets.split_view import UNBOUNDED


class ChangeOutcome(StrEnum):
    """State of a change. `UNSAVED` means that the user is still typing."""

    NONE = "none"
    UNSAVED = "unsaved"
    SAVING = "saving"
    SAVED = "saved"
    FAILED = "failed"


class SettingsWriter(QObject):
    """Emits `settled(key, outcome, error text)` for each change. Values that the file already has are not sent.

    Each value is a command of its own, so that a wrong one does not stop the others. The engine answers commands in order.
    """

    settled = Signal(str, str, str)

    def __init__(self, link: EngineLink, parent: QObject) -> None:
        super().__init__(parent)
        self._link = link
        self._known = Settings()
        self._sent: list[dict[str, Value]] = []
        self._saved: dict[str, Value] = {}

    def read(self, settings: Settings) -> None:
        """Takes the values of the file."""
        self._known, self._saved = settings, {}

    def change(self, key: str, value: Value) -> None:
        if self._is_sent(key) or self._saved.get(key, value_of(self._known, key)) != value:
            self.change_together({key: value})
        else:
            self.settled.emit(key, ChangeOutcome.NONE, "")

    def change_together(self, values: dict[str, Value]) -> None:
        """Sends changes that only make sense together as one command."""
        self._sent.append(values)
        for key in values:
            self.settled.emit(key, ChangeOutcome.SAVING, "")
        self._link.send(ChangeSettings(tuple((key, json.dumps(value, ensure_ascii=False)) for key, value in values.items())))

    def hear(self, event: Event) -> None:
        """Takes the engine's answer to the oldest command. A newer change of the same setting settles it later."""
        outcome, words = ChangeOutcome.SAVED, ""
        if isinstance(event, CommandFailed) and event.command == ChangeSettings.__name__:
            outcome, words = ChangeOutcome.FAILED, sentence(event.code, event.text)
        elif not isinstance(event, SettingsChanged):
            return
        answered = self._sent.pop(0) if self._sent else {}
        self._saved |= answered if outcome is ChangeOutcome.SAVED else {}
        for key in answered:
            if not self._is_sent(key):
                self.settled.emit(key, outcome, words)

    def _is_sent(self, key: str) -> bool:
        return any(key in sent for sent in self._sent)


WIDEST = 760
WORDS_WIDTH = 240
BESIDE_FROM = 560
SAVED_FOR_MS = 4000


@dataclass(slots=True)
class Field:
    """A row that is bound to a settings key."""

    control: Control
    note: QLabel
    fate: str = ChangeOutcome.NONE

    @property
    def busy(self) -> bool:
        """Whether the user's value must not be overwritten by the file's."""
        return self.fate in (ChangeOutcome.UNSAVED, ChangeOutcome.SAVING, ChangeOutcome.FAILED)


class FormRow(QWidget):
    """A line, and below it a text beside its control, or above it where the row is `wide` or the form narrow."""

    def __init__(self, words: QWidget, side: QWidget, wide: bool) -> None:
        super().__init__()
        self._words, self._wide = words, wide
        self._parts = row(None, 0, Space.XLARGE, words, (side, 1))
        put(column(self, 0, 0), Space.MEDIUM, rule(), Space.MEDIUM, self._parts)

    def fit(self, words_width: int) -> None:
        """Places the text beside the control in a width in pixels, or above it if that is 0."""
        below = self._wide or not words_width
        self._parts.setDirection(QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight)
        self._parts.setSpacing(Space.SMALL if below else Space.XLARGE)
        self._words.setMinimumWidth(0 if below else words_width)
        self._words.setMaximumWidth(UNBOUNDED if below else words_width)


class Form(QWidget):
    """Rows from top to bottom, which is also the tab order. Emits `moved` when `save_state` may have changed."""

    moved = Signal()

    def __init__(self, writer: SettingsWriter, title: str, intro: str = "") -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(title)
        self.writer = writer
        self.fields: dict[str, Field] = {}
        self._rows: list[FormRow] = []
        self._words_width = at_text_size(WORDS_WIDTH)
        self._lay_out(label(title, Type.HEADLINE), label(intro, Type.BODY, "soft", wrap=True))
        writer.settled.connect(self._settled)
        writer.settled.connect(self.moved)

    def _lay_out(self, heading: QLabel, intro: QLabel) -> None:
        inner = QWidget()
        inner.setMaximumWidth(at_text_size(WIDEST))
        self.lines = column(None, 0, 0)
        intros = [intro] if intro.text() else []
        put(column(inner), heading, *intros, Space.SMALL, self.lines, 1)
        across = row(None, 0, 0, (inner, 1), 0)  # a column layout would compute its height for a width the form does not have
        put(column(self, Space.XLARGE, 0), across).setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)

    def add(self, key: str, title: str, hint: str, control: Control) -> Control:
        """Adds a row bound to a dotted settings key."""
        note = label("", Type.CAPTION, "soft", wrap=True)
        control.field.setObjectName(key)
        _set_accessible_name(control.field, title, hint)
        self.fields[key] = Field(control, note)
        self.add_widget(title, hint, control.widget, note)
        control.refused.connect(lambda words: self._settled(key, ChangeOutcome.FAILED, words))
        control.typed.connect(lambda: self._settled(key, ChangeOutcome.UNSAVED, ""))
        control.typed.connect(self.moved)
        control.committed.connect(lambda value: self._committed(key, value))
        return control

    def add_widget(self, title: str, hint: str, widget: QWidget, note: QLabel | None = None, wide: bool = False) -> None:
        """Adds a row without a key. A wide one has all the width for its widget."""
        words, side = QWidget(), QWidget()
        heading = label(title, Type.STRONG, wrap=True)
        heading.setBuddy(widget)
        hints = [label(hint, Type.CAPTION, "soft", wrap=True)] if hint else []
        put(column(words, 0, Space.HAIR), heading, *hints, 1)
        if not widget.accessibleName():
            _set_accessible_name(widget, title, hint)
        elif not widget.accessibleDescription():
            widget.setAccessibleDescription(hint)
        narrow = isinstance(widget, QPushButton) or widget.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Maximum
        notes = [note] if note is not None else []
        put(column(side, 0, Space.TIGHT), (widget, Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag(0)), *notes, 1)
        made = FormRow(words, side, wide)
        made.fit(self._words_width)
        self._rows.append(made)
        self.lines.addWidget(made)

    def row_of(self, widget: QWidget) -> FormRow:
        """The row that holds a widget."""
        return next(one for one in self._rows if one.isAncestorOf(widget))

    def fit(self, width: int) -> None:
        """Places text beside the controls, or above them if `width` pixels are too few."""
        room = min(width - 2 * Space.XLARGE, at_text_size(WIDEST)) - Space.XLARGE
        beside = max(at_text_size(WORDS_WIDTH), room * 2 // 5)
        self._words_width = 0 if width < at_text_size(BESIDE_FROM) else beside
        for one in self._rows:
            one.fit(self._words_width)

    def show_values(self, settings: Settings) -> None:
        """Shows the file's values, except where the user has unsaved ones."""
        for key, field in self.fields.items():
            if not field.busy:
                field.control.show_value(value_of(settings, key))

    def save_state(self) -> PageState:
        """Typed text that the file does not have yet, by settings key."""
        lines = {key: line_of(field.control.field) for key, field in self.fields.items() if field.busy}
        return {key: text_of(line) for key, line in lines.items() if line is not None}

    def restore_state(self, state: PageState) -> PageState:
        """Restores typed text as unsaved, once the file was read. Returns what belongs to other sections."""
        for key, field in self.fields.items():
            line = line_of(field.control.field)
            if line is not None and key in state and state[key] != text_of(line):
                type_again({key: state[key]}, **{key: line})
                field.control.announce_typing()
        return {key: value for key, value in state.items() if key not in self.fields}

    def settle(self) -> None:
        """Commits what is typed, because the page is left or the program ends."""
        for field in self.fields.values():
            if field.fate == ChangeOutcome.UNSAVED:
                field.control.settle()

    def hear(self, event: Event) -> None:
        """Called with every event, also while hidden. Subclasses override it."""

    def check(self, key: str, value: Value) -> str:
        """Returns why a value may not be sent; empty if it may. Subclasses override it."""
        return ""

    def _committed(self, key: str, value: Value) -> None:
        why = self.check(key, value)
        if why:  # the typed value stays
            self._settled(key, ChangeOutcome.FAILED, why)
        else:
            self.writer.change(key, value)

    def _settled(self, key: str, fate: str, words: str) -> None:
        field = self.fields.get(key)
        if field is None or (fate == ChangeOutcome.NONE and field.fate == ChangeOutcome.SAVED):
            return
        field.fate = fate
        said, tone = {
            ChangeOutcome.NONE: ("", "soft"),
            ChangeOutcome.UNSAVED: (QCoreApplication.translate("Form", "Not saved yet"), "warning"),
            ChangeOutcome.SAVING: (QCoreApplication.translate("Form", "Saving…"), "soft"),
            ChangeOutcome.SAVED: (QCoreApplication.translate("Form", "Saved"), "positive"),
            ChangeOutcome.FAILED: (words, "danger"),
        }[ChangeOutcome(fate)]
        say(field.note, said, tone)
        if fate == ChangeOutcome.SAVED:
            QTimer.singleShot(SAVED_FOR_MS, field.note, lambda: field.note.setText("") if field.note.text() == said else None)


class FreeForm(Form):
    """A section with its own layout instead of rows. Its height follows from its width."""

    def sizeHint(self) -> QSize:
        """Without this Qt would assume a smaller width, and so a larger height, for wrapped text."""
        return QSize(super().sizeHint().width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """The full height: the surrounding area scrolls."""
        return QSize(super().minimumSizeHint().width(), self.heightForWidth(self.width()))

    def _lay_out(self, heading: QLabel, intro: QLabel) -> None:
        self.lines = column(self, Space.XLARGE, Space.MEDIUM, column(None, 0, Space.SMALL, heading, intro), Space.TIGHT)


class FormArea(QScrollArea):
    """Scrolls a form vertically only, passes its width to it, and keeps the focused control visible."""

    def __init__(self, form: Form) -> None:
        super().__init__(widgetResizable=True)
        self._form = form
        self.setProperty("role", "surface")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(form)
        form.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._form.fit(event.size().width())


def _set_accessible_name(widget: QWidget, title: str, hint: str) -> None:
    """Sets the accessible name.

    Buttons and check boxes are named by their own text; the row's title becomes part of the description.
    """
    words = widget.text() if isinstance(widget, QAbstractButton) else ""
    widget.setAccessibleName("" if words else title)
    widget.setAccessibleDescription(f"{title}. {hint}".strip() if words else hint)


class FileErrorNotice(RoleFrame):
    """Notice about an error in a file: where, what and how to fix it. Hidden while there is none.

    `open_path` opens the file in the system's editor; `others` stand beside its button.
    """

    def __init__(self, open_path: Callable[[Path], object], *others: QWidget) -> None:
        super().__init__("notice", "danger")
        self._path = Path()
        self.where = label("", Type.STRONG, wrap=True)
        self.words = label("", wrap=True)
        self.open_file = button(self.tr("Open the file"), "", lambda: open_path(self._path))
        put(column(self, Space.MEDIUM), self.where, self.words, put(row(), self.open_file, *others, 1))
        self.hide()

    def show_error(self, path: Path, error: FileError | None, rest: str) -> None:
        """Shows an error; None hides the notice. `rest` says what is in force meanwhile."""
        self._path = path
        if error is not None:
            where = self.tr("%1, line %2").replace("%1", path.name).replace("%2", str(error.line)) if error.line else path.name
            self.where.setText(self.tr("This file has a mistake: %1").replace("%1", where))
            self.where.setToolTip(plain_tip(str(path)))
            self.words.setText(f"{translated(error.text)} {rest}")
        self.setVisible(error is not None)

    def show_rules_error(self, path: Path, error: FileError | None, in_force: bool) -> None:
        """Shows an error of the rules file. `in_force`: the last valid state is still in use and shown below."""
        rest = self.tr("Below is the last working version. It applies until you fix the file.")
        self.show_error(path, error, rest if in_force else self.tr("None of it applies until you fix it."))
