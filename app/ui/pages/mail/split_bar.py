"""The splits of the inbox as a row of links with counts, and the keys that go from one to the next."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QPushButton, QWidget

from app.domain.protocol.views import SPLITS, MailView
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.i18n.formatting import number_words
from app.ui.navigation.places import view_title
from app.ui.theme.metrics import Space
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import button, column

SHOWN = (MailView.INBOX, *SPLITS)


class SplitBar(QWidget):
    """Opens a split of the inbox. `page` gets the keys, `view` returns the view on screen."""

    def __init__(self, context: Context, page: QWidget, view: Callable[[], MailView]) -> None:
        super().__init__()
        self._context, self._view = context, view
        self.buttons: dict[MailView, QPushButton] = {
            one: button("", "link", partial(context.navigator.show_page, str(one))) for one in SHOWN
        }
        for made in self.buttons.values():
            made.setCheckable(True)
        row = FlowRow(list(self.buttons.values()), Space.MEDIUM, Space.TIGHT)
        column(self, (Space.LARGE, Space.TIGHT, Space.LARGE, Space.TIGHT), 0, row)
        steps = {"mail.next_split": partial(self._go, 1), "mail.previous_split": partial(self._go, -1)}
        connect_actions(page, context, steps)

    def show_counts(self, listed: bool) -> None:
        """Shows the bar with its counts over the inbox and its splits. `listed` says whether a view is listed, not a search."""
        here = self._view()
        self.setVisible(listed and here in SHOWN)
        if self.isHidden():
            return
        counts = self._context.reader.split_counts()
        for view, made in self.buttons.items():
            title = QCoreApplication.translate("Views", "All") if view is MailView.INBOX else view_title(view)
            count = counts.get(view, 0)
            made.setText(f"{title} {number_words(count)}" if count else title)
            made.setChecked(view is here)
            font = made.font()
            font.setBold(view is here)
            made.setFont(font)

    def _go(self, by: int) -> None:
        here = self._view()
        at = SHOWN.index(here) if here in SHOWN else 0
        self._context.navigator.show_page(str(SHOWN[(at + by) % len(SHOWN)]))
