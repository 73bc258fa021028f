"""What the window's own file holds of an account's mail, taken out when the account is forgotten.

Edits of drafts and letters stand in window.ini until they are decided or sent. Refuses to touch what other accounts have there.
"""

from PySide6.QtCore import QSettings

from app.domain.ids import AccountId, ReviewId
from app.domain.ports.window import MailboxReader
from app.ui.compose.keeping import Kept
from app.ui.mail.picture_bar import KEY as PICTURES
from app.ui.review.unsaved import GROUP as DRAFTS
from app.ui.spelling import KNOWN as SPELLING

OF_NOBODY = (PICTURES, SPELLING, "compose/letter", "compose/adopting")
"""What is not told apart by account; it goes with the last one."""


def forget_account(state: QSettings, reader: MailboxReader, account_id: AccountId) -> None:
    """Take the account's words out of window.ini, while the store still knows which are its own."""
    for name in _keys(state, DRAFTS):
        review = reader.review(ReviewId(int(name))) if name.isdigit() else None
        if review is None or review.proposal.account_id == account_id:
            state.remove(f"{DRAFTS}/{name}")
    kept = Kept(state)
    for revision, letter in kept.all():
        if letter.account_id == account_id:
            kept.forget(letter.id, revision)
    if all(account.id == account_id for account in reader.accounts()):
        for key in OF_NOBODY:
            state.remove(key)
    state.sync()


def _keys(state: QSettings, group: str) -> list[str]:
    state.beginGroup(group)
    names = state.childKeys()
    state.endGroup()
    return names
