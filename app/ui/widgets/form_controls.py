"""Form controls. Each holds one setting, named by a dotted key as in commands.

Numbers are validated and have units. Showing a value never emits `committed`.
"""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QLocale, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QCompleter, QLineEdit, QPlainTextEdit, QPushButton, QSizePolicy, QWidget

from app.config.settings import Settings
from app.ui.theme.appearance import PopupStyle
from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import STRETCH, label, plain_tip, row
from app.ui.widgets.labels import IconLabel

Value = str | int | float | bool | list[int] | list[str]


def value_of(settings: Settings, key: str) -> Value:
    """Value of a dotted key such as `sending.undo_s`; tuples become lists. Raises `AttributeError` for an unknown key."""
    section, _, name = key.partition(".")
    found: Value | tuple[int, ...] | tuple[str, ...] = getattr(getattr(settings, section), name)
    if not isinstance(found, tuple):
        return found
    numbers = [one for one in found if isinstance(one, int)]
    return numbers or [one for one in found if isinstance(one, str)]


ARROW = 14
MOST_SHOWN = 16
CHOICE_CHARACTERS = 12
PAUSE_MS = 1200
"""A paragraph is applied after this pause in typing."""


class ChoiceBox(QComboBox):
    """A combo box with the arrow that the style sheet leaves out.

    It ignores the mouse wheel: Qt would change its value while the user scrolls the page.
    """

    def __init__(self, icons: Icons, name: str = "") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMaxVisibleItems(MOST_SHOWN)
        arrow = IconLabel(icons, "expand", "text_soft", ARROW)
        arrow.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row(self, (Space.SMALL, 0), 0, STRETCH, arrow)

    def showPopup(self) -> None:
        """Makes the list as high as its entries: Qt forgets the borders that the style sheet gives it."""
        super().showPopup()
        view, popup = self.view(), self.view().window()
        last = view.visualRect(view.model().index(min(self.count(), MOST_SHOWN) - 1, 0))
        lacking = last.bottom() + 1 - view.viewport().height()
        if lacking > 0 and popup is not self.window():
            room = self.screen().availableGeometry()
            popup.resize(popup.width(), min(popup.height() + lacking, room.height()))
            popup.move(popup.x(), max(room.top(), min(popup.y(), room.bottom() + 1 - popup.height())))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Control(QObject):
    """A widget and its value. `field` takes the focus; `widget` is the field or holds it. Emits `typed` while the value is edited
    and not applied yet, `committed(value)` and `refused(reason)`. `says` returns the value of the typed text: showing that
    same value leaves text and cursor alone.
    """

    typed = Signal()
    committed = Signal(object)
    refused = Signal(str)

    def __init__(
        self, widget: QWidget, put: Callable[[Value], None], field: QWidget | None = None, says: Callable[[], Value] | None = None
    ) -> None:
        super().__init__(widget)
        self._says, self.widget = says, widget
        self.field = field or widget
        self._put = put
        self._quiet = False
        self.settle: Callable[[], object] = lambda: None
        """Applies the typed value at once."""

    def show_value(self, value: Value) -> None:
        if self._says is not None and self._says() == value:
            return
        self._quiet = True
        self._put(value)
        self._quiet = False

    def announce(self, value: Value) -> None:
        if not self._quiet:
            self.committed.emit(value)

    def refuse(self, words: str) -> None:
        self.refused.emit(words)

    def announce_typing(self) -> None:
        if not self._quiet:
            self.typed.emit()


def line(placeholder: str = "") -> Control:
    """One line of text, applied on Enter or when it loses focus."""
    field = QLineEdit()
    field.setPlaceholderText(placeholder)
    control = Control(field, lambda value: field.setText(str(value)), says=lambda: field.text().strip())
    control.settle = lambda: control.announce(field.text().strip())
    field.textEdited.connect(control.announce_typing)
    field.editingFinished.connect(lambda: control.settle())
    return control


def paragraph(placeholder: str, lines: int = 5) -> Control:
    """Several lines of text, applied after a pause. Tab moves the focus."""
    field = QPlainTextEdit()
    field.setPlaceholderText(placeholder)
    field.setTabChangesFocus(True)
    field.setFixedHeight(field.fontMetrics().lineSpacing() * lines + 3 * Space.SMALL)
    pause = QTimer(field, singleShot=True, interval=PAUSE_MS)
    control = Control(field, lambda value: field.setPlainText(str(value)), says=lambda: field.toPlainText().strip())

    def settle() -> None:
        pause.stop()
        control.announce(field.toPlainText().strip())

    control.settle = settle
    pause.timeout.connect(settle)
    control.typed.connect(pause.start)
    field.textChanged.connect(control.announce_typing)
    return control


def switch(words: str) -> Control:
    box = QCheckBox(words)
    control = Control(box, lambda value: box.setChecked(bool(value)))
    box.toggled.connect(control.announce)
    return control


def choice(options: Sequence[tuple[Value, str]], icons: Icons) -> Control:
    """A combo box of (value, text). An unknown value is added as it is."""
    box = ChoiceBox(icons)
    box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setMinimumContentsLength(CHOICE_CHARACTERS)
    for value, words in options:
        box.addItem(words, value)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def put(value: Value) -> None:
        if box.findData(value) < 0:
            box.addItem(str(value), value)
        box.setCurrentIndex(box.findData(value))

    control = Control(box, put)
    box.currentIndexChanged.connect(lambda index: control.announce(box.itemData(index)))
    return control


def suggested(suggestions: Sequence[tuple[str, str]], placeholder: str, icons: Icons) -> Control:
    """Free text with suggestions as (text, explanation). Applied on Enter, on selection or when it loses focus."""
    box = ChoiceBox(icons)
    box.setEditable(True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(12)
    for text, explanation in suggestions:
        box.addItem(text)
        box.setItemData(box.count() - 1, plain_tip(explanation), Qt.ItemDataRole.ToolTipRole)
    completer = box.completer()
    if completer is not None:
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        popup = completer.popup()
        if popup is not None:
            PopupStyle(popup, box)
    field = box.lineEdit()
    control = Control(box, lambda value: box.setEditText(str(value)), says=lambda: box.currentText().strip())
    if field is not None:
        field.setPlaceholderText(placeholder)
        field.textEdited.connect(control.announce_typing)
        field.editingFinished.connect(lambda: control.settle())
    control.settle = lambda: control.announce(box.currentText().strip())
    box.textActivated.connect(lambda text: control.announce(text.strip()))
    return control


def weekdays() -> Control:
    """Seven buttons in the order of the user's week, on one line of a narrow window too. In the value Monday is 0."""
    locale = QLocale()
    first = locale.firstDayOfWeek().value
    buttons: dict[int, QPushButton] = {}
    for offset in range(7):
        day = (first - 1 + offset) % 7
        button = QPushButton(locale.standaloneDayName(day + 1, QLocale.FormatType.ShortFormat)[:2])
        button.setProperty("role", "chip")
        button.setCheckable(True)
        button.setAutoDefault(False)
        button.setAccessibleName(locale.standaloneDayName(day + 1, QLocale.FormatType.LongFormat))
        button.setToolTip(plain_tip(button.accessibleName()))
        buttons[day] = button
    host = FlowRow(list(buttons.values()), Space.TIGHT)

    def put(value: Value) -> None:
        wanted = value if isinstance(value, list) else []
        for day, button in buttons.items():
            button.setChecked(day in wanted)

    control = Control(host, put)
    for button in buttons.values():
        button.toggled.connect(lambda _on: control.announce(sorted(day for day, one in buttons.items() if one.isChecked())))
    host.setFocusProxy(buttons[(first - 1) % 7])
    return control


CHARACTERS = 12

Parse = Callable[[str], int | float | None]
Words = Callable[[int | float], str]
Unit = Callable[[int], str]
"""Name of a unit for a number, in the right plural form."""


def whole_number(smallest: int, largest: int, unit: Unit) -> Control:
    """An integer in bounds; arrow keys step by 1."""

    def parse(text: str) -> int | None:
        value, known = QLocale().toLongLong(text.strip())
        return int(value) if known else None

    def unit_of(value: int | float) -> str:
        return unit(min(int(value), 1_000_000))  # Qt's plural forms take an `int`; above a million they are the same

    return _number(smallest, largest, 1, unit_of, parse, lambda value: QLocale().toString(int(value)))


def money(largest: float, unit: str) -> Control:
    """An amount with two decimals; arrow keys step by 0.5. Its unit has no plural form."""

    def parse(text: str) -> float | None:
        found = (locale.toDouble(text.strip()) for locale in (QLocale(), QLocale.c()))
        return next((round(value, 2) for value, known in found if known), None)

    return _number(0.0, largest, 0.5, lambda _value: unit, parse, lambda value: QLocale().toString(float(value), "f", 2))


def _number(smallest: float, largest: float, step: float, unit: Words, parse: Parse, words: Words) -> Control:
    field = QLineEdit()
    field.setFixedWidth(field.fontMetrics().averageCharWidth() * CHARACTERS + 3 * Space.SMALL)
    field.setAlignment(Qt.AlignmentFlag.AlignRight)
    host, units = QWidget(), label(unit(largest), tone="soft")
    row(host, 0, Space.SMALL, field, units, STRETCH)
    host.setFocusProxy(field)
    control = Control(host, lambda value: field.setText(words(value if isinstance(value, int | float) else 0)), field)

    def follow(text: str) -> None:
        value = parse(text)
        if value is not None:
            units.setText(unit(value))

    def settle() -> None:
        value = parse(field.text())
        if value is None or not smallest <= value <= largest:
            said = QCoreApplication.translate("Form", "Write a number from %1 to %2.")
            control.refuse(said.replace("%1", words(smallest)).replace("%2", words(largest)))
            return
        control.show_value(value)
        control.announce(value)

    def by(direction: int) -> None:
        value = parse(field.text())
        if value is not None:
            control.show_value(min(max(value + direction * step, smallest), largest))
            settle()

    for key, direction in ((Qt.Key.Key_Up, 1), (Qt.Key.Key_Down, -1)):
        shortcut = QShortcut(QKeySequence(key), field)
        shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut.activated.connect(partial(by, direction))
    field.textChanged.connect(follow)
    field.textEdited.connect(control.announce_typing)
    field.editingFinished.connect(settle)
    control.settle = settle
    return control


def took_form_key(event: QKeyEvent, leave: Callable[[], object], submit: Callable[[], object]) -> bool:
    """Leaves a form on Escape and submits it on Ctrl+Enter. Returns whether the key was one of these."""
    if event.key() == Qt.Key.Key_Escape:
        leave()
    elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        submit()
    else:
        return False
    return True


class GrowingField(QPlainTextEdit):
    """`fewest` and `most` are lines. Tab moves the focus. The text survives a restart."""

    def __init__(self, fewest: int, most: int) -> None:
        super().__init__()
        self._fewest, self._most = fewest, most
        self.setTabChangesFocus(True)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wanted = round(self.document().size().height())
        lines = min(max(wanted, self._fewest), self._most)
        fits = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if wanted <= self._most else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(fits)
        height = lines * self.fontMetrics().lineSpacing() + 2 * round(self.document().documentMargin()) + Space.MEDIUM
        if height != self.height():
            self.setFixedHeight(height)
