"""Dragging conversations out of the list, and dropping them on a place of the navigation."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QDrag, QGuiApplication

from app.domain.ids import AccountId, ThreadId
from app.domain.mail.message import ThreadRow
from app.domain.protocol.views import MailView
from app.ui.context import Context
from app.ui.lists.model import IdModel
from app.ui.lists.view import RowList
from app.ui.navigation.painter import Place
from app.ui.navigation.places import INBOX_OF, LABEL, packed
from app.ui.pages.mail.thread_actions import ThreadActions
from app.ui.services.notices import ErrorNotice
from app.ui.theme.metrics import Space, at_text_size
from app.ui.widgets.factory import chip

WIDEST = 320
ASIDE = 14
"""Pixels between the pointer and the picture, so that the drop target stays visible."""


class ThreadDragging(QObject):
    """Starts drags of the selected conversations. `where` returns the name of the place whose conversations are listed."""

    def __init__(self, context: Context, listing: RowList, model: IdModel[ThreadRow], where: Callable[[], str]) -> None:
        super().__init__(listing)
        self._context = context
        self._listing = listing
        self._model = model
        self._where = where
        listing.carry_by(self.begin)

    def begin(self) -> None:
        rows = self._listing.selected_rows()
        if not rows:
            return
        drag = QDrag(self._listing)
        drag.setMimeData(packed([ThreadId(self._model.id_at(row)) for row in rows], self._where()))
        picture = chip("", "accent")
        picture.setParent(self._listing)  # for its style sheet
        words, widest = self._words(rows), at_text_size(WIDEST)
        picture.setText(picture.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, widest))
        picture.adjustSize()
        drag.setPixmap(picture.grab())
        width = picture.width()
        picture.deleteLater()
        drag.setHotSpot(QPoint(width + ASIDE if QGuiApplication.isRightToLeft() else -ASIDE, -Space.TIGHT))
        drag.exec(Qt.DropAction.MoveAction | Qt.DropAction.CopyAction, Qt.DropAction.MoveAction)

    def _words(self, rows: list[int]) -> str:
        thread = self._model.record(rows[0]) if len(rows) == 1 else None
        return thread.subject if thread is not None and thread.subject.strip() else self.tr("%n conversation(s)", "", len(rows))


Parts = dict[AccountId, list[ThreadId]]
"""Conversations by account."""


class ThreadDropping(QObject):
    """Files dropped conversations with `ThreadActions`, so that Undo works as for keys and menus."""

    def __init__(self, context: Context, changing: ThreadActions, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._actions = changing

    def drop(self, place: Place, threads: Sequence[ThreadId], keep: bool) -> None:
        """Files `threads` at `place`. With `keep` a label is added and the conversation stays in the inbox."""
        with ErrorNotice(self._context.notices):
            if place.name.startswith(INBOX_OF):
                self._drop_on_inbox(place.title, threads)
            elif place.name.startswith(LABEL):
                self._drop_on_label(place.title, threads, keep)
            else:
                self._actions.file(MailView(place.name), threads)

    def _drop_on_inbox(self, email: str, threads: Sequence[ThreadId]) -> None:
        parts = self._by_account(threads)
        others = self._addresses(
            [account.id for account in self._context.reader.accounts() if account.id in parts and account.email != email]
        )
        if others:
            words = self.tr("Mail of %2 can't go into the inbox of %1. Nothing was moved.")
            self._context.notices.tell(words.replace("%1", email).replace("%2", others))
            return
        self._actions.file(MailView.INBOX, [thread_id for threads_ in parts.values() for thread_id in threads_])

    def _drop_on_label(self, name: str, threads: Sequence[ThreadId], keep: bool) -> None:
        parts = self._by_account(threads)
        labels = {account_id: self._label(account_id, name) for account_id in parts}
        without_label = self._addresses([account_id for account_id, label in labels.items() if not label])
        if without_label:
            words = self.tr("%2 has no label “%1”. Nothing was moved.")
            self._context.notices.tell(words.replace("%1", name).replace("%2", without_label))
            return
        self._actions.file_under(name, [(labels[account_id], parts[account_id]) for account_id in parts], keep)

    def _by_account(self, threads: Sequence[ThreadId]) -> Parts:
        """Groups the conversations by account; those that no longer exist are left out."""
        owners, parts = self._context.reader.accounts_of(threads), defaultdict(list)
        for thread_id in threads:
            if thread_id in owners:
                parts[owners[thread_id]].append(thread_id)
        return dict(parts)

    def _label(self, account_id: AccountId, name: str) -> str:
        """Returns the id of the account's user label with this name, empty if there is none."""
        labels = self._context.reader.labels(account_id)
        return next((label.gmail_label_id for label in labels if label.kind == "user" and label.name == name), "")

    def _addresses(self, accounts: Sequence[AccountId]) -> str:
        return ", ".join(account.email for account in self._context.reader.accounts() if account.id in accounts)
