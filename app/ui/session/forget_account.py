"""What the window's own file holds of an account's mail, taken out when the account is forgotten.

Edits of drafts, half-typed answers and letters stand in window.ini until they are decided or sent; the names under which they
stand are here. What was searched for is of no account: the window forgets it with any (`MainWindow.account_forgotten`).
"""

from PySide6.QtCore import QSettings

from app.domain.ids import AccountId, ReviewId
from app.domain.mail.letter import Letter
from app.domain.ports.window import MailboxReader

DRAFTS = "drafts"
WORDS = "words"
LETTERS = "letters"
LETTER_AT_HAND = "compose/letter"
ADOPTING = "compose/adopting"
PICTURES = "mail/pictures_from"
SPELLING = "spelling/known"
OF_NOBODY = (PICTURES, SPELLING, LETTER_AT_HAND, ADOPTING)
"""What is not told apart by account; it goes with the last one."""


def forget_account(state: QSettings, reader: MailboxReader, account_id: AccountId) -> None:
    """Take the account's words out of window.ini, while the store still knows which are its own."""
    for group in (DRAFTS, WORDS):
        for name in _keys(state, group):
            review = reader.review(ReviewId(int(name))) if name.isdigit() else None
            if review is None or review.proposal.account_id == account_id:
                state.remove(f"{group}/{name}")
    for name in _keys(state, LETTERS):
        if _writer(state.value(f"{LETTERS}/{name}")) in (account_id, None):
            state.remove(f"{LETTERS}/{name}")
    if all(account.id == account_id for account in reader.accounts()):
        for key in OF_NOBODY:
            state.remove(key)
    state.sync()


def _writer(text: object) -> AccountId | None:
    """Whose letter it is, None for an unreadable one."""
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
