"""Removes an account's mail from window.ini when the account is forgotten.

Edited drafts, unfinished answers and letters are kept in window.ini until they are decided or sent, under the names defined here.
Searches belong to no account: the window clears them with any (`MainWindow.account_forgotten`).
"""

from PySide6.QtCore import QSettings

from app.domain.ids import AccountId, ReviewId
from app.domain.mail.letter import Letter
from app.domain.ports.window import MailboxReader
from app.ui.session.ini_file import RECENT, SAVED

DRAFTS = "drafts"
WORDS = "words"
LETTERS = "letters"
LETTER_AT_HAND = "compose/letter"
ADOPTING = "compose/adopting"
PICTURES = "mail/pictures_from"
SPELLING = "spelling/known"
OF_ANYBODY = (RECENT, SAVED)
"""Keys that are removed with any account."""
OF_NOBODY = (PICTURES, SPELLING, LETTER_AT_HAND, ADOPTING)
"""Keys that are not kept per account; they are removed with the last account."""


def forget_account(state: QSettings, reader: MailboxReader, account_id: AccountId) -> None:
    """Removes the account's text. Call it while the store still has the account's reviews."""
    for group in (DRAFTS, WORDS):
        for name in _keys(state, group):
            review = reader.review(ReviewId(int(name))) if name.isdigit() else None
            if review is None or review.proposal.account_id == account_id:
                state.remove(f"{group}/{name}")
    for name in _keys(state, LETTERS):
        if _writer(state.value(f"{LETTERS}/{name}")) in (account_id, None):
            state.remove(f"{LETTERS}/{name}")
    for key in OF_ANYBODY:
        state.remove(key)
    if all(account.id == account_id for account in reader.accounts()):
        for key in OF_NOBODY:
            state.remove(key)
    state.sync()


def _writer(text: object) -> AccountId | None:
    import msgspec

    try:
        return msgspec.json.decode(text, type=tuple[int, Letter])[1].account_id if isinstance(text, str) else None
    except msgspec.DecodeError:
        return None


def _keys(state: QSettings, group: str) -> list[str]:
    state.beginGroup(group)
    names = state.childKeys()
    state.endGroup()
    return names
