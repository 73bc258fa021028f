"""Several of several: buttons that stay pressed, as many as one likes."""

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from app.ui.scale import Space
from app.ui.settings.controls import Control, set_role
from app.ui.settings.values import Value

BESIDE = 2
"""Buttons in one line."""


def ticks(options: Sequence[tuple[str, str]]) -> Control:
    """Buttons of (value, words); the value is the list of those pressed, in the order given."""
    host = QWidget()
    host.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    grid = QGridLayout(host)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setSpacing(Space.TIGHT)
    buttons: dict[str, QPushButton] = {}
    for at, (value, words) in enumerate(options):
        made = buttons[value] = QPushButton(words)
        made.setCheckable(True)
        made.setAutoDefault(False)
        made.toggled.connect(lambda on, made=made: set_role(made, "primary" if on else ""))
        grid.addWidget(made, at // BESIDE, at % BESIDE)

    def put(value: Value) -> None:
        wanted = value if isinstance(value, list) else []
        for name, button in buttons.items():
            button.setChecked(name in wanted)

    control = Control(host, put)
    for button in buttons.values():
        button.toggled.connect(lambda _on: control.announce([name for name, one in buttons.items() if one.isChecked()]))
    host.setFocusProxy(next(iter(buttons.values())))
    return control
