"""Several of several: boxes to tick, as many as one likes."""

from collections.abc import Sequence

from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from app.ui.build import column
from app.ui.scale import Space
from app.ui.settings.controls import Control
from app.ui.settings.values import Value


def ticks(options: Sequence[tuple[str, str]]) -> Control:
    """Boxes of (value, words), one below the other; the value is the list of those ticked, in the order given."""
    host = QWidget()
    host.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    lines = column(host, 0, Space.SMALL)
    boxes: dict[str, QCheckBox] = {}
    for value, words in options:
        made = boxes[value] = QCheckBox(words)
        lines.addWidget(made)

    def put(value: Value) -> None:
        wanted = value if isinstance(value, list) else []
        for name, box in boxes.items():
            box.setChecked(name in wanted)

    control = Control(host, put)
    for box in boxes.values():
        box.toggled.connect(lambda _on: control.announce([name for name, one in boxes.items() if one.isChecked()]))
    host.setFocusProxy(next(iter(boxes.values())))
    return control
