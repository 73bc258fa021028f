"""A button for an action that also shows its key where there is room for it, and its icon alone where there is none."""

from enum import Enum

from PySide6.QtGui import QAction, QIcon, QKeySequence

from app.ui.pressing import PressButton
from app.ui.tips import plain_tip

SHORT = {"Return": "↵", "Enter": "↵", "Escape": "Esc"}

FROM_LEFT, AS_BEFORE = "\N{LEFT-TO-RIGHT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
"""Around keys beside words that are read from the right."""


def key_words(action: QAction) -> str:
    """The first key of an action as a short text, empty if it has none."""
    words = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    for long, short in SHORT.items():
        words = words.replace(long, short)
    return words


class Room(Enum):
    """How much of a button there is room for."""

    ICON = "icon"
    WORDS = "words"
    KEYS = "keys"


class KeyButton(PressButton):
    """Follows its action's text and state."""

    def __init__(self, action: QAction, role: str = "") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setAutoDefault(False)
        self._action = action
        self._room = Room.WORDS
        self.clicked.connect(lambda _checked=False: action.trigger())
        action.changed.connect(self._follow)
        self._follow()

    def set_room(self, room: Room) -> None:
        """How much may be shown."""
        if room is not self._room:
            self._room = room
            self._follow()

    def _follow(self) -> None:
        keys = key_words(self._action)
        if keys and self.isRightToLeft():
            keys = f"{FROM_LEFT}{keys}{AS_BEFORE}"
        words = self._action.text()
        shown = {Room.ICON: "", Room.WORDS: words, Room.KEYS: f"{words}   {keys}".rstrip()}
        self.setText(shown[self._room])
        self.setIcon(self._action.icon() if self._room is Room.ICON else QIcon())
        self.setAccessibleName(words)
        self.setEnabled(self._action.isEnabled())
        self.setToolTip(plain_tip(f"{words} ({keys})" if keys else words))
        if self.parent() is not None:  # a button without a place would become a window
            self.setVisible(self._action.isVisible())
