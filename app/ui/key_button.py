"""A button for an action that also shows its key, where there is room for it."""

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QPushButton

SHORT = {"Return": "↵", "Enter": "↵", "Escape": "Esc"}


def key_words(action: QAction) -> str:
    """The first key of an action as a short text, empty if it has none."""
    words = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    for long, short in SHORT.items():
        words = words.replace(long, short)
    return words


class KeyButton(QPushButton):
    """Follows its action's text and state."""

    def __init__(self, action: QAction, role: str = "") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setAutoDefault(False)
        self._action = action
        self._keys_shown = False
        self.clicked.connect(lambda _checked=False: action.trigger())
        action.changed.connect(self._follow)
        self._follow()

    def show_keys(self, shown: bool) -> None:
        """Whether the key stands behind the text."""
        if shown != self._keys_shown:
            self._keys_shown = shown
            self._follow()

    def _follow(self) -> None:
        keys = key_words(self._action)
        words = self._action.text()
        self.setText(f"{words}   {keys}" if keys and self._keys_shown else words)
        self.setAccessibleName(words)
        self.setEnabled(self._action.isEnabled())
        self.setToolTip(f"{words} ({keys})" if keys else words)
