"""A line over the buttons that asks one thing, with one or two answers; it goes away when it is answered or one types on."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame

from app.ui.build import button, label, row
from app.ui.scale import Space


class AskBar(QFrame):
    """Hidden until `ask`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("tone", "warning")
        self.words = label("", wrap=True)
        self._acts: tuple[Callable[[], object] | None, Callable[[], object] | None] = (None, None)
        self.first = button("", "", lambda: self._do(0))
        self.second = button("", "", lambda: self._do(1))
        layout = row(self, 0, Space.SMALL)
        layout.setContentsMargins(Space.MEDIUM, Space.SMALL, Space.SMALL, Space.SMALL)
        layout.addWidget(self.words, 1)
        layout.addWidget(self.second)
        layout.addWidget(self.first)
        self.hide()

    def ask(
        self,
        words: str,
        answer: str,
        act: Callable[[], object],
        other: str = "",
        other_act: Callable[[], object] | None = None,
    ) -> None:
        """Show the question; `answer` has the keyboard."""
        self.words.setText(words)
        self.setAccessibleName(words)
        self.first.setText(answer)
        self.second.setText(other)
        self.second.setVisible(bool(other))
        self._acts = (act, other_act)
        self.show()
        self.first.setFocus()

    def _do(self, which: int) -> None:
        act = self._acts[which]
        self.hide()
        if act is not None:
            act()
