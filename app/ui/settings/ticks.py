"""Several of several: a column of boxes to tick."""

from collections.abc import Sequence

from PySide6.QtWidgets import QCheckBox, QWidget

from app.ui.build import column
from app.ui.scale import Space
from app.ui.settings.controls import Control
from app.ui.settings.values import Value


def ticks(options: Sequence[tuple[str, str]]) -> Control:
    """Boxes of (value, words); the value is the list of those ticked, in the order given."""
    host = QWidget()
    lines = column(host, 0, Space.TIGHT)
    boxes = {value: QCheckBox(words) for value, words in options}
    for box in boxes.values():
        lines.addWidget(box)

    def put(value: Value) -> None:
        wanted = value if isinstance(value, list) else []
        for name, box in boxes.items():
            box.setChecked(name in wanted)

    control = Control(host, put)
    for box in boxes.values():
        box.toggled.connect(lambda _on: control.announce([name for name, one in boxes.items() if one.isChecked()]))
    host.setFocusProxy(next(iter(boxes.values())))
    return control
