"""A line with a message and at most two buttons."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, is_large_text
from app.ui.widgets.factory import STRETCH, button, column, label, put, row
from app.ui.widgets.labels import IconLabel


class NoticeLine(QFrame):
    """Hidden while it has no text. With `below` the button is under the text, for narrow places."""

    def __init__(self, icons: Icons, tone: str = "", below: bool = False) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("tone", tone)
        self._tone = tone or "neutral"
        self._action: Callable[[], object] | None = None
        self._other: Callable[[], object] | None = None
        self._icon = IconLabel(icons)
        self._words = label("", tone=tone, wrap=True)
        self.button = button("", "link", self._clicked)
        self.other = button("", "link", lambda: self._other and self._other())
        said = column(None, 0, Space.TIGHT) if below or is_large_text() else row()
        put(said, (self._words, 1), row(None, 0, Space.MEDIUM, self.button, self.other, STRETCH))
        put(
            row(self, (Space.MEDIUM, Space.TIGHT, Space.MEDIUM, Space.TIGHT)),
            (self._icon, Qt.AlignmentFlag.AlignTop if below else Qt.AlignmentFlag.AlignVCenter),
            (said, 1),
        )
        self.hide()

    @property
    def words(self) -> str:
        """The shown text; empty if hidden."""
        return self._words.text()

    def say(
        self,
        words: str,
        icon: str = "info",
        action: str = "",
        act: Callable[[], object] | None = None,
        other: str = "",
        act_other: Callable[[], object] | None = None,
    ) -> None:
        """Shows a text. An empty text hides the line; without `action` and `other` there is no button."""
        self._icon.show_icon(icon, self._tone)
        self._words.setText(words)
        self._action, self._other = act, act_other
        self.other.setText(other)
        self.other.setVisible(bool(other))
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self.setAccessibleName(words)
        self.setVisible(bool(words))

    def _clicked(self) -> None:
        if self._action is not None:
            self._action()
