"""Widgets that hold one setting each. `typed` says that it differs and is not applied yet, `committed` carries the value.

Showing a value never announces it. Refuses to know keys or the engine.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QLocale, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QCompleter,
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from app.ui.build import row
from app.ui.scale import Space
from app.ui.settings.values import Value

PAUSE_MS = 1200
"""A paragraph is applied after this pause in typing, or when the keyboard leaves it."""


class Control(QObject):
    """A widget and its value."""

    typed = Signal()
    committed = Signal(object)

    def __init__(self, widget: QWidget, put: Callable[[Value], None]) -> None:
        super().__init__(widget)
        self.widget = widget
        self._put = put
        self._quiet = False

    def show_value(self, value: Value) -> None:
        """Show without announcing."""
        self._quiet = True
        self._put(value)
        self._quiet = False

    def announce(self, value: Value) -> None:
        """The user settled on a value."""
        if not self._quiet:
            self.committed.emit(value)

    def announce_typing(self) -> None:
        """The user is typing."""
        if not self._quiet:
            self.typed.emit()


def whole_number(smallest: int, largest: int, suffix: str = "", special: str = "") -> Control:
    """A whole number in bounds; `special` is said instead of the smallest."""
    box = QSpinBox()
    box.setRange(smallest, largest)
    box.setSuffix(suffix)
    box.setSpecialValueText(special)
    _spin(box)
    control = Control(box, lambda value: box.setValue(int(str(value))))
    box.valueChanged.connect(control.announce)
    box.lineEdit().textEdited.connect(control.announce_typing)
    return control


def money(largest: float, special: str) -> Control:
    """US dollars with two decimals."""
    box = QDoubleSpinBox()
    box.setRange(0.0, largest)
    box.setDecimals(2)
    box.setSingleStep(0.5)
    box.setPrefix("$ ")
    box.setSpecialValueText(special)
    _spin(box)
    control = Control(box, lambda value: box.setValue(float(str(value))))
    box.valueChanged.connect(control.announce)
    box.lineEdit().textEdited.connect(control.announce_typing)
    return control


def _spin(box: QAbstractSpinBox) -> None:
    box.setKeyboardTracking(False)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    box.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)


def line(placeholder: str = "") -> Control:
    """One line of text, applied on Enter or when the keyboard leaves it."""
    field = QLineEdit()
    field.setPlaceholderText(placeholder)
    control = Control(field, lambda value: field.setText(str(value)))
    field.textEdited.connect(control.announce_typing)
    field.editingFinished.connect(lambda: control.announce(field.text().strip()))
    return control


def paragraph(placeholder: str, lines: int = 5) -> Control:
    """Several lines of text, applied after a pause. Tab leaves it."""
    field = QPlainTextEdit()
    field.setPlaceholderText(placeholder)
    field.setTabChangesFocus(True)
    field.setFixedHeight(field.fontMetrics().lineSpacing() * lines + 3 * Space.SMALL)
    pause = QTimer(field)
    pause.setSingleShot(True)
    pause.setInterval(PAUSE_MS)
    control = Control(field, lambda value: field.setPlainText(str(value)))
    pause.timeout.connect(lambda: control.announce(field.toPlainText().strip()))

    def edited() -> None:
        control.announce_typing()
        if field.hasFocus():
            pause.start()

    field.textChanged.connect(edited)
    return control


def switch(words: str) -> Control:
    """Yes or no."""
    box = QCheckBox(words)
    control = Control(box, lambda value: box.setChecked(bool(value)))
    box.toggled.connect(control.announce)
    return control


def choice(options: Sequence[tuple[Value, str]]) -> Control:
    """One of several; a value that is none of them is added as it is."""
    box = QComboBox()
    for value, words in options:
        box.addItem(words, value)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    control = Control(box, lambda value: _choose(box, value))
    box.currentIndexChanged.connect(lambda index: control.announce(box.itemData(index)))
    return control


def _choose(box: QComboBox, value: Value) -> None:
    if box.findData(value) < 0:
        box.addItem(str(value), value)
    box.setCurrentIndex(box.findData(value))


def suggested(suggestions: Sequence[tuple[str, str]], placeholder: str) -> Control:
    """Free text with suggestions as (text, explanation), applied on Enter, on choosing, or when the keyboard leaves it."""
    box = QComboBox()
    box.setEditable(True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(18)
    for text, explanation in suggestions:
        box.addItem(text)
        box.setItemData(box.count() - 1, explanation, Qt.ItemDataRole.ToolTipRole)
    completer = box.completer()
    if completer is not None:
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
    field = box.lineEdit()
    control = Control(box, lambda value: box.setEditText(str(value)))
    if field is not None:
        field.setPlaceholderText(placeholder)
        field.textEdited.connect(control.announce_typing)
        field.editingFinished.connect(lambda: control.announce(box.currentText().strip()))
    box.textActivated.connect(lambda text: control.announce(text.strip()))
    return control


def weekdays() -> Control:
    """Seven switches, in the order of the user's week; the value counts Monday as 0."""
    host = QWidget()
    layout: QHBoxLayout = row(host, 0, Space.TIGHT)
    locale = QLocale()
    first = locale.firstDayOfWeek().value
    buttons: dict[int, QPushButton] = {}
    for offset in range(7):
        day = (first - 1 + offset) % 7
        button = QPushButton(locale.standaloneDayName(day + 1, QLocale.FormatType.ShortFormat))
        button.setCheckable(True)
        button.setProperty("role", "day")
        button.setAutoDefault(False)
        button.setAccessibleName(locale.standaloneDayName(day + 1, QLocale.FormatType.LongFormat))
        buttons[day] = button
        layout.addWidget(button)
    layout.addStretch(1)

    def put(value: Value) -> None:
        wanted = value if isinstance(value, list) else []
        for day, button in buttons.items():
            button.setChecked(day in wanted)

    control = Control(host, put)
    for button in buttons.values():
        button.toggled.connect(lambda _on: control.announce(sorted(day for day, one in buttons.items() if one.isChecked())))
    host.setFocusProxy(buttons[(first - 1) % 7])
    return control
