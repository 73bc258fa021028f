"""What stands below the line while nothing was asked yet: what the assistant is for, and requests to begin with."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

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
        self.examples = [ElidedLink(words) for words in examples()]
        inside = Flowing()
        column(self, 0, 0).addWidget(Scrolled(inside))
        layout = column(inside, Space.LARGE, Space.SMALL)
        layout.addWidget(self.state, 2)
        for one, words in zip(self.examples, examples(), strict=True):
            one.clicked.connect(partial(chosen, words))
            line = row(None, 0, 0)
            line.addStretch(1)
            line.addWidget(one)
            line.addStretch(1)
            layout.addLayout(line)
        layout.addStretch(1)

    def show_for(self, account: bool, connect: Callable[[], object]) -> None:
        """Without an account there is nothing to ask about."""
        for one in self.examples:
            one.setVisible(account)
        if account:
            words = self.tr("It finds and reads your mail, sums up, makes documents and drafts mail. You see the plan first.")
            self.state.show_state("assistant", self.tr("Nothing asked yet"), words)
        else:
            words = self.tr("The assistant works with your mail. Connect an account first.")
            self.state.show_state("sign_in", self.tr("No account yet"), words, self.tr("Connect an account"), connect)
