"""Whose account words are about: said where the window shows the mail of several.

Refuses to name an archive, which nothing is sent from, and the only account.
"""

from PySide6.QtCore import QCoreApplication

from app.domain.errors import ExpectedError
from app.domain.events import CommandFailed
from app.domain.ids import AccountId
from app.domain.mail import GMAIL
from app.domain.ports.window import MailboxReader
from app.ui.trouble import sentence


def refused(event: CommandFailed, reader: MailboxReader) -> str:
    """Why a command was refused, and whose it was."""
    return named(sentence(event.code, event.detail, event.remedy), event.account_id, reader)


def named(words: str, account_id: AccountId, reader: MailboxReader) -> str:
    """The words behind the account's address, where it is one of several; as they are where the file cannot be read now."""
    try:
        signed_in = {one.id: one.email for one in reader.accounts() if one.kind == GMAIL}
    except ExpectedError:
        return words
    email = signed_in.get(account_id)
    if email is None or len(signed_in) < 2:
        return words
    return QCoreApplication.translate("Whose", "%1: %2").replace("%1", email).replace("%2", words)
