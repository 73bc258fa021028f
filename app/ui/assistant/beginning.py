"""What stands below the line while nothing was asked yet: what the assistant is for, and requests to begin with."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.assistant.words import examples
from app.ui.build import column, row
from app.ui.elided_link import ElidedLink
from app.ui.icons import Icons
from app.ui.scale import Space
from app.ui.scrolled import Flowing, Scrolled
from app.ui.state import StateView


class Beginning(QWidget):
    """`chosen` is called with the words of an example."""

    def __init__(self, icons: Icons, chosen: Callable[[str], object]) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.state = StateView(icons)
        self._chosen = chosen
        self.examples: dict[bool, list[ElidedLink]] = {}
        inside = Flowing()
        column(self, 0, 0).addWidget(Scrolled(inside))
        layout = column(inside, Space.LARGE, Space.SMALL)
        layout.addStretch(2)
        layout.addWidget(self.state)
        for model in (True, False):
            self.examples[model] = [self._example(words, layout) for words in examples(model)]
        layout.addStretch(3)

    def show_for(self, account: bool, model: bool, connect: Callable[[], object]) -> None:
        """Without an account there is nothing to ask about; without a language model only what is found."""
        for needed, links in self.examples.items():
            for one in links:
                one.setVisible(account and needed is model)
        if account:
            words = self.tr("It finds and reads your mail, sums up, makes documents and drafts mail. You see the plan first.")
            self.state.show_state("assistant", self.tr("Nothing asked yet"), words)
        else:
            words = self.tr("The assistant works with your mail. Connect an account first.")
            self.state.show_state("sign_in", self.tr("No account yet"), words, self.tr("Connect an account"), connect)

    def _example(self, words: str, layout: QVBoxLayout) -> ElidedLink:
        """A request to begin with, in the middle of its line."""
        link = ElidedLink(words)
        link.clicked.connect(partial(self._chosen, words))
        line = row(None, 0, 0)
        line.addStretch(1)
        line.addWidget(link)
        line.addStretch(1)
        layout.addLayout(line)
        return link
