"""JSON text as tree items that are made when their parent is opened. Text that is no JSON is shown as it is."""

import json

from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QStandardItem

from app.ui.text import number_words
from app.ui.tips import plain_tip

PENDING_ROLE = int(Qt.ItemDataRole.UserRole) + 11
LONGEST = 400
MOST_CHILDREN = 500

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


class Pending:
    """A value whose items are not made yet; wrapped, because Qt would sort a bare dict."""

    def __init__(self, value: Json) -> None:
        self.value = value


def parsed(text: str) -> Json:
    """The value of a JSON text; the text itself when it is none."""
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):  # brackets within brackets without end
        return text
    return value


def branch(name: str, value: Json) -> list[QStandardItem]:
    """A row: the name and the value's words. Children follow on `open_branch`."""
    first, second = plain(name), plain(value_words(value))
    second.setToolTip(plain_tip(value) if isinstance(value, str) and len(value) > LONGEST else "")
    if isinstance(value, dict | list) and value:
        first.setData(Pending(value), PENDING_ROLE)
        first.appendRow([plain(""), plain("")])
    return [first, second]


def open_branch(item: QStandardItem) -> None:
    """Make an item's children, once."""
    kept = item.data(PENDING_ROLE)
    if not isinstance(kept, Pending):
        return
    item.setData(None, PENDING_ROLE)
    item.removeRows(0, item.rowCount())
    pairs = members(kept.value)
    for name, one in pairs[:MOST_CHILDREN]:
        item.appendRow(branch(name, one))
    if len(pairs) > MOST_CHILDREN:
        more = QCoreApplication.translate("JsonTree", "and more: %1").replace("%1", number_words(len(pairs) - MOST_CHILDREN))
        item.appendRow([plain("…"), plain(more)])


def members(value: Json) -> list[tuple[str, Json]]:
    """What a branch holds, with names; a leaf holds nothing."""
    if isinstance(value, dict):
        return list(value.items())
    return [(str(at), one) for at, one in enumerate(value)] if isinstance(value, list) else []


def value_words(value: Json) -> str:
    """A leaf in words; how many things a branch holds."""
    if isinstance(value, dict):
        return QCoreApplication.translate("JsonTree", "fields: %1").replace("%1", number_words(len(value))) if value else "{}"
    if isinstance(value, list):
        return QCoreApplication.translate("JsonTree", "items: %1").replace("%1", number_words(len(value))) if value else "[]"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, float):
        return QLocale().toString(value, "g", 6)
    words = str(value)
    return words if len(words) <= LONGEST else words[:LONGEST] + "…"


def plain(words: str) -> QStandardItem:
    """An item that is read, not edited."""
    made = QStandardItem(words)
    made.setEditable(False)
    return made
