"""From whom a letter is: the addresses of its account, and for a new mail those of the other accounts as well.

An answer stays with the account that got the mail: its conversation is there alone.
"""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from app.domain.ids import AccountId
from app.domain.letter import Letter, LetterKind
from app.domain.mail import Account
from app.ui.compose.starting import new_id

ACCOUNT = int(Qt.ItemDataRole.UserRole) + 1


def fill_senders(box: QComboBox, letter: Letter, account: Account, accounts: Sequence[Account]) -> None:
    """List them, the letter's own account first, and choose the letter's."""
    others = [one for one in accounts if one.id != account.id] if letter.kind is LetterKind.NEW else []
    box.clear()
    for one in (account, *others):
        for email in dict.fromkeys((one.email, *one.send_as)):
            box.addItem(f"{one.name} <{email}>" if one.name else email, email)
            box.setItemData(box.count() - 1, one.id, ACCOUNT)
    box.setCurrentIndex(max(0, box.findData(letter.sender or account.email)))


def account_of(box: QComboBox) -> AccountId:
    """Whose address is chosen, 0 where none is."""
    found = box.currentData(ACCOUNT)
    return AccountId(found if isinstance(found, int) else 0)


def from_other(letter: Letter, account: Account, sender: str, kept: bool) -> Letter:
    """The same words as another account's letter, under a name of its own: drafts at Gmail belong to an account. One that is
    `kept` gives it its place and its files, and so do those whose place it took itself: the engine may not have heard of that."""
    before = (*letter.instead_of, letter.id) if kept else letter.instead_of
    usual = sender == account.email
    return replace(letter, id=new_id(), account_id=account.id, sender="" if usual else sender, instead_of=before)
