"""One line that says how things stand, with at most one way to act on it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from app.ui.theme.icons import Icons
from app.ui.theme.metrics import Space, is_large_text
from app.ui.widgets.factory import button, column, label, row
from app.ui.widgets.labels import IconLabel


class NoticeLine(QFrame):
    """Hidden while there is nothing to say. The button stands behind the words, or `below` them where there is little width."""

    def __init__(self, icons: Icons, tone: str = "", below: bool = False) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("tone", tone)
        self._tone = tone or "neutral"
        self._act: Callable[[], object] | None = None
        self._icon = IconLabel(icons)
        self._words = label("", tone=tone, wrap=True)
        self.button = button("", "link", self._clicked)
        said = column(None, 0, Space.TIGHT) if below or is_large_text() else row(None, 0, Space.SMALL)
        said.addWidget(self._words, 1)
        said.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeading)
        inside = row(self, 0, Space.SMALL)
        inside.setContentsMargins(Space.MEDIUM, Space.TIGHT, Space.MEDIUM, Space.TIGHT)
        inside.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop if below else Qt.AlignmentFlag.AlignVCenter)
        inside.addLayout(said, 1)
        self.hide()

    @property
    def words(self) -> str:
        """What is said, empty for nothing."""
        return self._words.text()

    def say(self, words: str, icon: str = "info", action: str = "", act: Callable[[], object] | None = None) -> None:
        """Show words; none hide it, and without `action` there is no button."""
        self._icon.show_icon(icon, self._tone)
        self._words.setText(words)
        self._act = act
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self.setAccessibleName(words)
        self.setVisible(bool(words))

    def _clicked(self) -> None:
        if self._act is not None:
            self._act()
