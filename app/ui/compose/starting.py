"""How a letter begins: empty, as an answer, or as a forward (`mailto` addresses: `app.ui.compose.mailto`).

Refuses to invent recipients: they come from the mail.
"""

from uuid import uuid4

from app.domain.ids import AccountId, LetterId
from app.domain.letter import Letter, LetterKind, forward_subject
from app.domain.mail import Account, Address, Message
from app.domain.recipients import own_addresses, reply_recipients, reply_subject
from app.ui.context import Context
from app.ui.told import Told


def new_id() -> LetterId:
    """An id that no other letter has."""
    return LetterId(str(uuid4()))


def new_letter(account_id: AccountId, to: tuple[Address, ...] = (), subject: str = "", body: str = "") -> Letter:
    """A new mail."""
    return Letter(new_id(), account_id, LetterKind.NEW, to=to, subject=subject, body=body, quoted=False)


def begin_letter(context: Context) -> None:
    """Write a new mail from the first account; before there is one, nothing."""
    with Told(context.notices):
        accounts = context.reader.accounts()
        if accounts:
            context.navigator.show_letter(new_letter(accounts[0].id))


def answer(message: Message, account: Account, everybody: bool) -> Letter:
    """An answer to a mail, from the address that it was sent to."""
    to, cc = reply_recipients(message, account, everybody)
    kind = LetterKind.REPLY_ALL if everybody else LetterKind.REPLY
    sender = own_sender(message, account)
    subject = reply_subject(message.subject)
    return Letter(new_id(), account.id, kind, sender, to, cc, subject=subject, about=message.id)


def forward(message: Message, account: Account) -> Letter:
    """A mail sent on."""
    subject = forward_subject(message.subject)
    return Letter(new_id(), account.id, LetterKind.FORWARD, own_sender(message, account), subject=subject, about=message.id)


def own_sender(message: Message, account: Account) -> str:
    """The owner's address that a mail was sent to, or from; empty for the usual one."""
    own = own_addresses(account)
    people = (*message.to, *message.cc, message.sender)
    found = next((one.email.lower() for one in people if one.email.lower() in own), "")
    return "" if found == account.email.lower() else found
