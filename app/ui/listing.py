"""The left side of a page with a list: its title, what can be done beside it, and the rows below."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.ui.build import column, label, row, rule
from app.ui.scale import Space, Type


def listing(title: str, rows: QWidget, tools: Sequence[QWidget] = (), count: QWidget | None = None) -> QWidget:
    """`count` stands behind the title, `tools` at the end of its line."""
    made = QWidget()
    made.setProperty("role", "surface")
    head = row(None, 0, Space.SMALL)
    head.setContentsMargins(Space.LARGE, 0, Space.LARGE, 0)
    heading = label(title, Type.TITLE)
    heading.setContentsMargins(0, Space.MEDIUM, 0, Space.MEDIUM)  # the line below stands at one height, whatever tools
    head.addWidget(heading)
    if count is not None:
        head.addWidget(count)
    head.addStretch(1)
    for one in tools:
        head.addWidget(one)
    layout = column(made, 0, 0)
    layout.addLayout(head)
    layout.addWidget(rule())
    layout.addWidget(rows, 1)
    return made
