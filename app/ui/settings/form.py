"""A section's form: what a setting is, why, its control, and what became of the last change."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QSize, Qt, QTimer
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
from app.domain.events import Event
from app.ui.build import column, label, row, rule, set_tone
from app.ui.parts import Parts
from app.ui.scale import Space, Type, at_text_size
from app.ui.settings.controls import Control
from app.ui.settings.half_typed import keep_lines
from app.ui.settings.values import Value, value_of
from app.ui.settings.writing import Fate, SettingsWriter

WIDEST = 760
WORDS_WIDTH = 240
BESIDE_FROM = 560
LINES_A_ROW = 3
"""Of the grid: the rule, the words, and what stands below them where it does."""
SAVED_FOR_MS = 4000


@dataclass(slots=True)
class Field:
    """A row that is bound to a key."""

    control: Control
    note: QLabel
    fate: str = Fate.NONE

    @property
    def busy(self) -> bool:
        """Whether the user's value differs from the file's on purpose: it must not be overwritten."""
        return self.fate in (Fate.UNSAVED, Fate.SAVING, Fate.FAILED)


class Form(QWidget):
    """Rows from top to bottom; the tab order is theirs."""

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
        self._rows: list[tuple[QWidget, QWidget]] = []
        self._stacked = False
        self._grid.setColumnMinimumWidth(0, at_text_size(WORDS_WIDTH))
        self._lay_out(title, intro)
        writer.settled.connect(self._settled)

    def _lay_out(self, title: str, intro: str) -> None:
        inner = QWidget()
        inner.setMaximumWidth(at_text_size(WIDEST))
        lines = column(inner, 0, Space.SMALL)
        lines.addWidget(label(title, Type.HEADLINE))
        if intro:
            lines.addWidget(label(intro, Type.BODY, "soft", wrap=True))
        lines.addSpacing(Space.SMALL)
        lines.addLayout(self._grid)
        lines.addStretch(1)
        outer = column(self, Space.XLARGE, 0)
        across = row(None, 0, 0)  # a column would ask for the height at a width that the form does not take
        across.addWidget(inner, 1)
        across.addStretch(0)
        outer.addLayout(across)
        outer.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)

    def add(self, key: str, title: str, hint: str, control: Control) -> Control:
        """A row bound to a dotted key."""
        note = label("", Type.CAPTION, "soft", wrap=True)
        note.setObjectName(f"note_{key}")
        control.field.setObjectName(key)
        _name(control.field, title, hint)
        self.fields[key] = Field(control, note)
        self.add_widget(title, hint, control.widget, note)
        control.refused.connect(lambda words: self.refuse(key, words))
        control.typed.connect(lambda: self._typed(key))
        control.committed.connect(lambda value: self._committed(key, value))
        return control

    def add_widget(self, title: str, hint: str, widget: QWidget, note: QLabel | None = None) -> None:
        """A row that is bound to no key."""
        words = QWidget()
        lines = column(words, 0, Space.HAIR)
        heading = label(title, Type.STRONG, wrap=True)
        heading.setBuddy(widget)
        lines.addWidget(heading)
        if hint:
            lines.addWidget(label(hint, Type.CAPTION, "soft", wrap=True))
        lines.addStretch(1)
        if not widget.accessibleName():
            _name(widget, title, hint)
        elif not widget.accessibleDescription():
            widget.setAccessibleDescription(hint)
        side = QWidget()
        beside = column(side, 0, Space.TIGHT)
        narrow = isinstance(widget, QPushButton) or widget.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Maximum
        beside.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag(0))
        if note is not None:
            keep = note.sizePolicy()
            keep.setRetainSizeWhenHidden(True)
            note.setSizePolicy(keep)
            beside.addWidget(note)
        beside.addStretch(1)
        at = len(self._rows) * LINES_A_ROW
        self._rows.append((words, side))
        self._grid.addWidget(rule(), at, 0, 1, 2)
        self._grid.setRowMinimumHeight(at, Space.XLARGE)
        self._place(len(self._rows) - 1)

    def fit(self, width: int) -> None:
        """Words beside their controls, or above them where `width` pixels are too few for both."""
        stacked = width < at_text_size(BESIDE_FROM)
        if stacked == self._stacked:
            return
        self._stacked = stacked
        self._grid.setColumnMinimumWidth(0, 0 if stacked else at_text_size(WORDS_WIDTH))
        for number in range(len(self._rows)):
            self._place(number)

    def _place(self, number: int) -> None:
        words, side = self._rows[number]
        at, top = number * LINES_A_ROW + 1, Qt.AlignmentFlag.AlignTop
        if self._stacked:
            self._grid.addWidget(words, at, 0, 1, 2, top)
            self._grid.addWidget(side, at + 1, 0, 1, 2, top)
        else:
            self._grid.addWidget(words, at, 0, top)
            self._grid.addWidget(side, at, 1, top)

    def show_values(self, settings: Settings) -> None:
        """Show the file's values, except where the user's own is on its way."""
        for key, field in self.fields.items():
            if not field.busy:
                field.control.show_value(value_of(settings, key))

    def keep(self, parts: Parts, name: str, is_read: Callable[[], bool]) -> None:
        """Let what is typed and not saved come back; `is_read` says whether the file's values are known."""
        keep_lines(parts, name, {key: field.control for key, field in self.fields.items()}, self._unsaved, is_read)
        self.writer.settled.connect(lambda *_: parts.moved.emit())

    def _unsaved(self) -> dict[str, bool]:
        """Keys whose value is the user's, and whether they had done with it."""
        return {key: field.fate != Fate.UNSAVED for key, field in self.fields.items() if field.busy}

    def settle(self) -> None:
        """Apply what is typed: the page is left, or the program ends."""
        for field in self.fields.values():
            if field.fate == Fate.UNSAVED:
                field.control.settle()

    def hear(self, event: Event) -> None:
        """What the engine tells, shown or not; sections say what it means to them."""

    def refuse(self, key: str, words: str) -> None:
        """A value that is not sent, and why; what the user typed stays."""
        self._settled(key, Fate.FAILED, words)

    def check(self, key: str, value: Value) -> str:
        """Why a value may not be sent, empty if it may; sections say more."""
        return ""

    def _typed(self, key: str) -> None:
        self._settled(key, Fate.UNSAVED, "")

    def _committed(self, key: str, value: Value) -> None:
        why = self.check(key, value)
        if why:
            self.refuse(key, why)
        else:
            self.writer.change(key, value)

    def _settled(self, key: str, fate: str, words: str) -> None:
        field = self.fields.get(key)
        if field is None or (fate == Fate.NONE and field.fate == Fate.SAVED):
            return
        field.fate = fate
        said = {
            Fate.NONE: "",
            Fate.UNSAVED: QCoreApplication.translate("Form", "Not saved yet"),
            Fate.SAVING: QCoreApplication.translate("Form", "Saving…"),
            Fate.SAVED: QCoreApplication.translate("Form", "Saved"),
            Fate.FAILED: words,
        }[Fate(fate)]
        tone = {Fate.SAVED: "positive", Fate.FAILED: "danger", Fate.UNSAVED: "warning"}.get(Fate(fate), "soft")
        set_tone(field.note, tone)
        field.note.setText(said)
        if fate == Fate.SAVED:
            QTimer.singleShot(SAVED_FOR_MS, field.note, lambda: _forget(field.note, said))


def _forget(note: QLabel, said: str) -> None:
    """Drop a note unless it says something newer."""
    if note.text() == said:
        note.setText("")


class FreeForm(Form):
    """A section with a page of its own in place of rows; as high as its words are at the width that it has."""

    def sizeHint(self) -> QSize:
        """Folded words would be guessed narrower, and so higher, than they are."""
        return QSize(super().sizeHint().width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """What is lower is scrolled."""
        return QSize(super().minimumSizeHint().width(), self.heightForWidth(self.width()))

    def begin_page(self, title: str, intro: str) -> QVBoxLayout:
        """The lines of the page, with its heading where forms have theirs."""
        lines = column(self, Space.XLARGE, Space.MEDIUM)
        heading = column(None, 0, Space.SMALL)
        heading.addWidget(label(title, Type.HEADLINE))
        heading.addWidget(label(intro, Type.BODY, "soft", wrap=True))
        lines.addLayout(heading)
        lines.addSpacing(Space.TIGHT)
        return lines


class _Upright(QScrollArea):
    """Tells a form how much room there is."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another size."""
        super().resizeEvent(event)
        form = self.widget()
        if isinstance(form, Form):
            form.fit(event.size().width())


def _name(widget: QWidget, title: str, hint: str) -> None:
    """What is spoken: a button and a box to tick are called what stands on them, since that is what they do; the row's title
    tells what they are about."""
    words = widget.text() if isinstance(widget, QAbstractButton) else ""
    widget.setAccessibleName("" if words else title)
    widget.setAccessibleDescription(f"{title}. {hint}".strip() if words else hint)


def scrolled(form: QWidget) -> QScrollArea:
    """A form that scrolls upright only and keeps the focused control in sight."""
    area = _Upright()
    area.setProperty("role", "surface")
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(form)
    form.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return area
