"""What is done with some words beside them, or below them where it would leave them too little room.

Refuses to decide by the words: what stands beside one mail's subject does not jump below the next one's.
"""

from PySide6.QtWidgets import QBoxLayout, QLayout

from app.ui.build import row
from app.ui.scale import at_text_size

LEAST_WORDS = 220
"""Pixels at 100 % text size that words keep beside whatever else: some three or four of them on a line."""


class SideOrBelow(QBoxLayout):
    """`words` take what `tools`, filled by whoever made this, leave them. Nobody else sets its direction. `under` pixels are left
    free under tools that stand below."""

    def __init__(self, words: QLayout, across: int, under: int = 0) -> None:
        super().__init__(QBoxLayout.Direction.LeftToRight)
        self._across, self._under = across, under
        self.tools = row(None, 0, across)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(across)
        self.addLayout(words, 1)
        self.addLayout(self.tools)

    @property
    def below(self) -> bool:
        """Whether the tools stand below the words."""
        return self.direction() is QBoxLayout.Direction.TopToBottom

    def fit(self, width: int, always_below: bool = False) -> None:
        """Choose for a width in pixels, when it or the tools have changed."""
        wide = self._tools_width()
        below = wide > 0 and (always_below or width - wide - self._across < at_text_size(LEAST_WORDS))
        if below is self.below:
            return
        self.setDirection(QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight)
        self.setSpacing(0 if below else self._across)
        self.tools.setContentsMargins(0, 0, 0, self._under if below else 0)

    def _tools_width(self) -> int:
        """Of those that are not hidden; the row itself learns of that only when it is laid out."""
        items = [item for place in range(self.tools.count()) if (item := self.tools.itemAt(place)) is not None]
        shown = [item.sizeHint().width() for item in items if not item.isEmpty()]
        return sum(shown) + self._across * max(0, len(shown) - 1)
