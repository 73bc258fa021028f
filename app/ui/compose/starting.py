"""How a letter begins: empty, as an answer, as a forward, or from a mailto address. Pure.

Refuses to invent recipients: they come from the mail or the address.
"""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import parse_qsl, unquote, urlsplit
from uuid import uuid4

from app.domain.ids import AccountId, LetterId
from app.domain.letter import Letter, LetterKind, forward_subject
from app.domain.mail import Account, Address, Message
from app.domain.recipients import own_addresses, reply_recipients, reply_subject
from app.ui.review.recipients import read

LONGEST_MAILTO = 20_000


def new_id() -> LetterId:
    """An id that no other letter has."""
    return LetterId(str(uuid4()))


def new_letter(account_id: AccountId, to: tuple[Address, ...] = (), subject: str = "", body: str = "") -> Letter:
    """A new mail."""
    return Letter(new_id(), account_id, LetterKind.NEW, to=to, subject=subject, body=body, quoted=False)


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


def from_mailto(address: str, account_id: AccountId) -> Letter:
    """A new mail as an address such as `mailto:ann@example.org?subject=Hello` asks for (RFC 6068); other fields are ignored, so
    that a web page cannot add files or senders."""
    parts = urlsplit(address[:LONGEST_MAILTO])
    fields: dict[str, list[str]] = {}
    for name, value in parse_qsl(parts.query.replace("+", "%2B"), keep_blank_values=True):
        fields.setdefault(name.lower(), []).append(value)
    body = "\n".join(fields.get("body", ())).replace("\r\n", "\n")
    letter = new_letter(account_id, people(unquote(parts.path), *fields.get("to", ())), _line(fields.get("subject", ())), body)
    return replace(letter, cc=people(*fields.get("cc", ())), bcc=people(*fields.get("bcc", ())))


def people(*lines: str) -> tuple[Address, ...]:
    """The addresses of several lists."""
    return tuple(one for line in lines for one in read(line))


def _line(values: Sequence[str]) -> str:
    return " ".join(" ".join(values).split())
