"""Fields for numbers: typed, stepped with the arrow keys, refused in words when out of bounds; their units follow the number."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QWidget

from app.ui.build import label, row
from app.ui.scale import Space
from app.ui.settings.controls import Control
from app.ui.settings.values import Value

CHARACTERS = 12

Parse = Callable[[str], int | float | None]
Words = Callable[[int | float], str]
Unit = Callable[[int], str]
"""The words of a unit for so many of them."""


def whole_number(smallest: int, largest: int, unit: Unit) -> Control:
    """A whole number in bounds; the arrow keys go up and down by one."""
    words = partial(_unit_of_whole, unit)
    return _number(smallest, largest, 1, words, _whole, lambda value: QLocale().toString(int(value)))


def money(largest: float, unit: str) -> Control:
    """An amount with two decimals, which no language counts; the arrow keys go up and down by a half."""
    return _number(0.0, largest, 0.5, lambda _value: unit, _decimal, lambda value: QLocale().toString(float(value), "f", 2))


def _number(smallest: float, largest: float, step: float, unit: Words, parse: Parse, words: Words) -> Control:
    field = QLineEdit()
    field.setFixedWidth(field.fontMetrics().averageCharWidth() * CHARACTERS + 3 * Space.SMALL)
    field.setAlignment(Qt.AlignmentFlag.AlignRight)
    host = QWidget()
    across = row(host, 0, Space.SMALL)
    across.addWidget(field)
    units = label(unit(largest), tone="soft")
    across.addWidget(units)
    across.addStretch(1)
    host.setFocusProxy(field)
    control = Control(host, lambda value: field.setText(words(_amount(value))), field)

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

    _on_arrows(field, by)
    field.textChanged.connect(follow)
    field.textEdited.connect(control.announce_typing)
    field.editingFinished.connect(settle)
    control.settle = settle
    return control


def _on_arrows(field: QLineEdit, by: Callable[[int], None]) -> None:
    """Up and down."""
    for key, direction in ((Qt.Key.Key_Up, 1), (Qt.Key.Key_Down, -1)):
        shortcut = QShortcut(QKeySequence(key), field)
        shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut.activated.connect(lambda direction=direction: by(direction))


def _unit_of_whole(unit: Unit, value: int | float) -> str:
    """Qt counts no further than its numbers go; beyond a million nothing differs."""
    return unit(min(int(value), 1_000_000))


def _amount(value: Value) -> int | float:
    return value if isinstance(value, int | float) else 0


def _whole(text: str) -> int | None:
    value, known = QLocale().toLongLong(text.strip())
    return int(value) if known else None


def _decimal(text: str) -> float | None:
    """As the locale writes it, or with a point."""
    value, known = QLocale().toDouble(text.strip())
    if not known:
        value, known = QLocale.c().toDouble(text.strip())
    return round(value, 2) if known else None
