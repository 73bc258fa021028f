"""What a place of the navigation does with conversations that are dropped on it: what the keys do with them.

Refuses, as a whole and with a sentence, to take mail of one account to a label or an inbox of another.
"""

from collections import defaultdict
from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.domain.ids import AccountId, ThreadId
from app.domain.views import MailView
from app.ui.context import Context
from app.ui.label_places import INBOX_OF, LABEL
from app.ui.mail.changing import Changing
from app.ui.place_painter import Place
from app.ui.told import Told

Parts = dict[AccountId, list[ThreadId]]
"""Conversations by account."""


class Dropping(QObject):
    """Files what is dropped by the same commands as keys and menus, with the same way back."""

    def __init__(self, context: Context, changing: Changing, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._changing = changing

    def drop(self, place: Place, threads: Sequence[ThreadId], keep: bool) -> None:
        """On a place that takes mail; `keep` leaves it where it is and only labels it."""
        with Told(self._context.notices):
            if place.name.startswith(INBOX_OF):
                self._into_inbox(place.title, threads)
            elif place.name.startswith(LABEL):
                self._under(place.title, threads, keep)
            else:
                self._changing.file(MailView(place.name), threads)

    def _into_inbox(self, email: str, threads: Sequence[ThreadId]) -> None:
        parts = self._parts(threads)
        strangers = self._addresses([one.id for one in self._context.reader.accounts() if one.id in parts and one.email != email])
        if strangers:
            words = self.tr("The inbox of %1 takes no mail of %2: nothing was moved.")
            self._context.notices.tell(words.replace("%1", email).replace("%2", strangers))
            return
        self._changing.file(MailView.INBOX, [one for threads_ in parts.values() for one in threads_])

    def _under(self, name: str, threads: Sequence[ThreadId], keep: bool) -> None:
        parts = self._parts(threads)
        labels = {account_id: self._label(account_id, name) for account_id in parts}
        strangers = self._addresses([account_id for account_id, label in labels.items() if not label])
        if strangers:
            words = self.tr("%2 has no label “%1”: nothing was moved.")
            self._context.notices.tell(words.replace("%1", name).replace("%2", strangers))
            return
        self._changing.file_under(name, [(labels[one], parts[one]) for one in parts], keep)

    def _parts(self, threads: Sequence[ThreadId]) -> Parts:
        """By account, in order; what is gone meanwhile is left out."""
        owners, parts = self._context.reader.accounts_of(threads), defaultdict(list)
        for one in threads:
            if one in owners:
                parts[owners[one]].append(one)
        return dict(parts)

    def _label(self, account_id: AccountId, name: str) -> str:
        """The id of the user's label of that name, empty where the account has none."""
        labels = self._context.reader.labels(account_id)
        return next((one.gmail_label_id for one in labels if one.kind == "user" and one.name == name), "")

    def _addresses(self, accounts: Sequence[AccountId]) -> str:
        """Whose accounts they are."""
        return ", ".join(one.email for one in self._context.reader.accounts() if one.id in accounts)
