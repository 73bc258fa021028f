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
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.config.settings import Settings
from app.domain.ports.window import EngineLink
from app.domain.protocol.agent_commands import FileError
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import CommandFailed, SettingsChanged
from app.domain.wire import Event
from app.ui.i18n.error_messages import sentence, translated
from app.ui.services.async_task import single_shot
from app.ui.session.session_store import PageState, line_of, text_of, type_again
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.factory import RoleFrame, button, column, label, plain_tip, put, row, rule, say
from app.ui.widgets.form_controls import Control, Value, value_of

COLLECT_MS = 200


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
        self._queued: dict[str, Value] = {}
        self._sent: list[dict[str, Value]] = []
        self._saved: dict[str, Value] = {}
        self._timer = single_shot(self, self.send_now, COLLECT_MS)

    def read(self, settings: Settings) -> None:
        """Takes the values of the file."""
        self._known, self._saved = settings, {}

    def change(self, key: str, value: Value) -> None:
        """Queues a change. A value that the file already has only cancels a queued one."""
        waits = any(key in sent for sent in self._sent)
        if not waits and self._saved.get(key, value_of(self._known, key)) == value:
            self._queued.pop(key, None)
            self.settled.emit(key, ChangeOutcome.NONE, "")
            return
        self._queued[key] = value
        self.settled.emit(key, ChangeOutcome.SAVING, "")
        self._timer.start()

    def send_now(self) -> None:
        self._timer.stop()
        queued, self._queued = self._queued, {}
        for key, value in queued.items():
            self._send({key: value})

    def change_together(self, values: dict[str, Value]) -> None:
        """Sends changes that only make sense together as one command, right away."""
        for key in values:
            self._queued.pop(key, None)
            self.settled.emit(key, ChangeOutcome.SAVING, "")
        self._send(values)

    def _send(self, values: dict[str, Value]) -> None:
        self._sent.append(values)
        self._link.send(ChangeSettings(tuple((key, json.dumps(value, ensure_ascii=False)) for key, value in values.items())))

    def hear(self, event: Event) -> None:
        """Takes the engine's answer to the oldest command."""
        if not self._sent:
            return
        if changes_settings(event):
            sent = self._sent.pop(0)
            self._saved |= sent
            for key in sent:
                self._settle(key, ChangeOutcome.SAVED, "")
        elif isinstance(event, CommandFailed) and event.command == ChangeSettings.__name__:
            for key in self._sent.pop(0):
                self._settle(key, ChangeOutcome.FAILED, sentence(event.code, event.text))

    def _settle(self, key: str, outcome: ChangeOutcome, words: str) -> None:
        """Emits an outcome, unless a newer change of the same setting is still on its way."""
        if key not in self._queued and all(key not in sent for sent in self._sent):
            self.settled.emit(key, outcome, words)


def changes_settings(event: Event) -> bool:
    return isinstance(event, SettingsChanged)


WIDEST = 760
WORDS_WIDTH = 240
BESIDE_FROM = 560
LINES_A_ROW = 3
"""Grid lines of a row: the separator, the text, and the control if it is below the text."""
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


@dataclass(slots=True)
class _Row:
    """The parts of a row. A wide one has its control below its text."""

    line: QWidget
    words: QWidget
    side: QWidget
    wide: bool


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
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(Space.XLARGE)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(0, 2)
        self._grid.setColumnStretch(1, 3)
        self._rows: list[_Row] = []
        self._stacked = False
        self._grid.setColumnMinimumWidth(0, at_text_size(WORDS_WIDTH))
        self._lay_out(title, intro)
        writer.settled.connect(self._settled)
        writer.settled.connect(self.moved)

    def _lay_out(self, title: str, intro: str) -> None:
        inner = QWidget()
        inner.setMaximumWidth(at_text_size(WIDEST))
        lines = put(column(inner), label(title, Type.HEADLINE))
        if intro:
            lines.addWidget(label(intro, Type.BODY, "soft", wrap=True))
        lines.addSpacing(Space.SMALL)
        lines.addLayout(self._grid)
        lines.addStretch(1)
        across = row(None, 0, 0)  # a column layout would compute its height for a width the form does not have
        across.addWidget(inner, 1)
        across.addStretch(0)
        outer = put(column(self, Space.XLARGE, 0), across)
        outer.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)

    def add(self, key: str, title: str, hint: str, control: Control) -> Control:
        """Adds a row bound to a dotted settings key."""
        note = label("", Type.CAPTION, "soft", wrap=True)
        note.setObjectName(f"note_{key}")
        control.field.setObjectName(key)
        _set_accessible_name(control.field, title, hint)
        self.fields[key] = Field(control, note)
        self.add_widget(title, hint, control.widget, note)
        control.refused.connect(lambda words: self.refuse(key, words))
        control.typed.connect(lambda: self._settled(key, ChangeOutcome.UNSAVED, ""))
        control.typed.connect(self.moved)
        control.committed.connect(lambda value: self._committed(key, value))
        return control

    def add_widget(self, title: str, hint: str, widget: QWidget, note: QLabel | None = None, wide: bool = False) -> None:
        """Adds a row without a key. A wide one has all the width for its widget."""
        words = QWidget()
        heading = label(title, Type.STRONG, wrap=True)
        heading.setBuddy(widget)
        lines = put(column(words, 0, Space.HAIR), heading)
        if hint:
            lines.addWidget(label(hint, Type.CAPTION, "soft", wrap=True))
        lines.addStretch(1)
        if not widget.accessibleName():
            _set_accessible_name(widget, title, hint)
        elif not widget.accessibleDescription():
            widget.setAccessibleDescription(hint)
        side = QWidget()
        narrow = isinstance(widget, QPushButton) or widget.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Maximum
        beside = put(column(side, 0, Space.TIGHT), (widget, Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag(0)))
        if note is not None:
            keep = note.sizePolicy()
            keep.setRetainSizeWhenHidden(True)
            note.setSizePolicy(keep)
            beside.addWidget(note)
        beside.addStretch(1)
        at = len(self._rows) * LINES_A_ROW
        line = rule()
        self._rows.append(_Row(line, words, side, wide))
        self._grid.addWidget(line, at, 0, 1, 2)
        self._grid.setRowMinimumHeight(at, Space.XLARGE)
        self._place(len(self._rows) - 1)

    def show_row(self, widget: QWidget, shown: bool) -> None:
        """Shows or hides the row that holds a widget."""
        at = self._row_of(widget)
        one = self._rows[at]
        for part in (one.line, one.words, one.side):
            part.setVisible(shown)
        self._grid.setRowMinimumHeight(at * LINES_A_ROW, Space.XLARGE if shown else 0)

    def row_shown(self, widget: QWidget) -> bool:
        return not self._rows[self._row_of(widget)].side.isHidden()

    def _row_of(self, widget: QWidget) -> int:
        return next(at for at, one in enumerate(self._rows) if one.side.isAncestorOf(widget))

    def fit(self, width: int) -> None:
        """Places text beside the controls, or above them if `width` pixels are too few."""
        stacked = width < at_text_size(BESIDE_FROM)
        if stacked == self._stacked:
            return
        self._stacked = stacked
        self._grid.setColumnMinimumWidth(0, 0 if stacked else at_text_size(WORDS_WIDTH))
        for number in range(len(self._rows)):
            self._place(number)

    def _place(self, number: int) -> None:
        words, side = self._rows[number].words, self._rows[number].side
        at, top = number * LINES_A_ROW + 1, Qt.AlignmentFlag.AlignTop
        below = self._stacked or self._rows[number].wide
        words.setContentsMargins(0, 0, 0, Space.SMALL if below else 0)
        if below:
            self._grid.addWidget(words, at, 0, 1, 2, top)
            self._grid.addWidget(side, at + 1, 0, 1, 2, top)
        else:
            self._grid.addWidget(words, at, 0, top)
            self._grid.addWidget(side, at, 1, top)

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

    def refuse(self, key: str, words: str) -> None:
        """Shows why a value is not sent; the typed value stays."""
        self._settled(key, ChangeOutcome.FAILED, words)

    def check(self, key: str, value: Value) -> str:
        """Returns why a value may not be sent; empty if it may. Subclasses override it."""
        return ""

    def _committed(self, key: str, value: Value) -> None:
        why = self.check(key, value)
        if why:
            self.refuse(key, why)
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
            QTimer.singleShot(SAVED_FOR_MS, field.note, lambda: _clear_note(field.note, said))


def _clear_note(note: QLabel, said: str) -> None:
    """Clears a note unless it shows a newer text."""
    if note.text() == said:
        note.setText("")


class FreeForm(Form):
    """A section with its own layout instead of rows. Its height follows from its width."""

    def sizeHint(self) -> QSize:
        """Without this Qt would assume a smaller width, and so a larger height, for wrapped text."""
        return QSize(super().sizeHint().width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """The full height: the surrounding area scrolls."""
        return QSize(super().minimumSizeHint().width(), self.heightForWidth(self.width()))

    def begin_page(self, title: str, intro: str) -> QVBoxLayout:
        heading = put(column(), label(title, Type.HEADLINE), label(intro, Type.BODY, "soft", wrap=True))
        lines = put(column(self, Space.XLARGE, Space.MEDIUM), heading, Space.TIGHT)
        return lines


class _FittingArea(QScrollArea):
    """Scroll area that passes its width to the form."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        form = self.widget()
        if isinstance(form, Form):
            form.fit(event.size().width())


def _set_accessible_name(widget: QWidget, title: str, hint: str) -> None:
    """Sets the accessible name.

    Buttons and check boxes are named by their own text; the row's title becomes part of the description.
    """
    words = widget.text() if isinstance(widget, QAbstractButton) else ""
    widget.setAccessibleName("" if words else title)
    widget.setAccessibleDescription(f"{title}. {hint}".strip() if words else hint)


def scrolled(form: QWidget) -> QScrollArea:
    """Wraps a form in an area that scrolls vertically only and keeps the focused control visible."""
    area = _FittingArea()
    area.setProperty("role", "surface")
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(form)
    form.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return area


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
