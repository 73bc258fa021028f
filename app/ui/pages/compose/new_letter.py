"""How a letter begins: empty, as an answer, or as a forward (`mailto` addresses: `app.ui.pages.compose.new_letter`).

A `mailto:` address taken apart (RFC 6068). Pure.

Anybody writes such addresses, web pages above all.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import unquote
from uuid import uuid4

from app.domain.ids import AccountId, LetterId
from app.domain.mail.letter import Letter, LetterKind, forward_subject
from app.domain.mail.message import Account, Address, Message
from app.domain.mail.recipients import own_addresses, reply_recipients, reply_subject
from app.ui.context import Context
from app.ui.editor.recipients import read
from app.ui.services.notices import ErrorNotice


def new_id() -> LetterId:
    """An id that no other letter has."""
    return LetterId(str(uuid4()))


def new_letter(account_id: AccountId, to: tuple[Address, ...] = (), subject: str = "", body: str = "") -> Letter:
    """A new mail."""
    return Letter(new_id(), account_id, LetterKind.NEW, to=to, subject=subject, body=body, quoted=False)


def begin_letter(context: Context) -> None:
    """Write a new mail from the first account; before there is one, nothing."""
    with ErrorNotice(context.notices):
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


SCHEME = "mailto:"
LONGEST = 65_536
"""Characters; a longer address is refused whole rather than cut inside a sentence."""
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_IN_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_TURNING = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Signs that turn the direction of writing: an address could look like another one."""


@dataclass(frozen=True, slots=True)
class Mailto:
    """What such an address asks for."""

    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    subject: str = ""
    body: str = ""


def is_mailto(word: str) -> bool:
    """Whether it is such an address, of any length."""
    return word[: len(SCHEME)].lower() == SCHEME


def parse(address: str) -> Mailto | None:
    """What it asks for; None if it is no such address, or too long. A `+` is a plus; of several subjects the first counts,
    several bodies follow each other."""
    if not is_mailto(address) or len(address) > LONGEST:
        return None
    path, _, query = address[len(SCHEME) :].partition("#")[0].partition("?")
    found: dict[str, list[str]] = {}
    for piece in query.split("&"):
        name, _, value = piece.partition("=")
        found.setdefault(unquote(name).strip().lower(), []).append(unquote(value))
    subject = next(iter(found.get("subject", ())), "")
    return Mailto(
        # In the path a comma separates only where it stands plain; in a field it is a list like that of a header.
        to=_people([*map(unquote, path.split(",")), *found.get("to", ())]),
        cc=_people(found.get("cc", ())),
        bcc=_people(found.get("bcc", ())),
        subject=_line(subject),
        body=_text("\n".join(found.get("body", ()))),
    )


def begun(asked: Mailto, account_id: AccountId) -> Letter:
    """The letter that it begins; nothing is sent."""
    letter = new_letter(account_id, asked.to, asked.subject, asked.body)
    return replace(letter, cc=asked.cc, bcc=asked.bcc)


def _people(lines: Iterable[str]) -> tuple[Address, ...]:
    """The addresses of several lists, each once; names are left out, which may say anything."""
    emails = (one.email or one.name for line in lines for one in read(_line(line)))
    return tuple(Address(email) for email in dict.fromkeys(emails))


def _line(text: str) -> str:
    """One line without signs that nobody sees."""
    return " ".join(_TURNING.sub("", _CONTROLS.sub(" ", text)).split())


def _text(text: str) -> str:
    """Lines as they were meant."""
    return _IN_TEXT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
