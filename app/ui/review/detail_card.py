"""What stands in the draft's place when there is no draft: what is asked, and an action's arguments as a table."""

import json

from PySide6.QtWidgets import QFrame, QWidget

from app.domain.review import Review
from app.ui.build import clear, column, label, row
from app.ui.context import Context
from app.ui.icon_label import IconLabel
from app.ui.review.words import kind_explained
from app.ui.scale import Space, Type
from app.ui.text import kind_words

NAME_WIDTH = 120


def request_lines(request_json: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """An action request `{"action": ..., "args": {...}}` as its name and its arguments in words; empty if it is none."""
    try:
        request = json.loads(request_json) if request_json else {}
    except ValueError:
        return "", ()
    if not isinstance(request, dict):
        return "", ()
    arguments = request.get("args", {})
    pairs = arguments.items() if isinstance(arguments, dict) else ()
    return str(request.get("action", "")), tuple((str(name), _plain(value)) for name, value in pairs)


def _plain(value: object) -> str:
    """A JSON value without its punctuation where it has none of its own."""
    if isinstance(value, list):
        return ", ".join(_plain(one) for one in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class DetailCard(QFrame):
    """A title, one sentence, the detail, and the arguments."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._icon = IconLabel(context.icons, size=20)
        self._title = label("", Type.STRONG)
        self._explained = label("", Type.BODY, "soft", wrap=True)
        self._detail = label("", Type.BODY, wrap=True)
        self._table = QWidget()
        self._rows = column(self._table, 0, Space.TIGHT)
        head = row(None, 0, Space.SMALL)
        head.addWidget(self._icon)
        head.addWidget(self._title, 1)
        layout = column(self, Space.LARGE, Space.SMALL)
        layout.addLayout(head)
        for widget in (self._explained, self._detail, self._table):
            layout.addWidget(widget)
        layout.addStretch(1)

    def show_review(self, review: Review) -> None:
        """Fill in."""
        proposal = review.proposal
        action, arguments = request_lines(proposal.request_json)
        self._icon.show_icon(str(proposal.kind) if proposal.kind != "plan" else "activity")
        words = kind_words(proposal.kind)
        self._title.setText(f"{words[:1].upper()}{words[1:]}" + (f": {action}" if action else ""))
        self._explained.setText(kind_explained(proposal.kind))
        self._detail.setText(proposal.detail)
        self._detail.setVisible(bool(proposal.detail))
        clear(self._rows)
        for name, value in arguments:
            line = QWidget()
            inside = row(line, 0, Space.SMALL)
            key = label(name, Type.CAPTION, "soft")
            key.setFixedWidth(NAME_WIDTH)
            inside.addWidget(key)
            inside.addWidget(label(value, wrap=True), 1)
            self._rows.addWidget(line)
        self._table.setVisible(bool(arguments))
