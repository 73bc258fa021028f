"""Creates letters: new, as an answer, as a forward, or from a `mailto:` address (RFC 6068).

Such addresses come from untrusted pages, so they are cleaned of control and bidirectional characters.
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
    return LetterId(str(uuid4()))


def new_letter(account_id: AccountId, to: tuple[Address, ...] = (), subject: str = "", body: str = "") -> Letter:
    return Letter(new_id(), account_id, LetterKind.NEW, to=to, subject=subject, body=body, quoted=False)


def begin_letter(context: Context) -> None:
    """Opens a new letter from the first account; does nothing without an account."""
    with ErrorNotice(context.notices):
        accounts = context.reader.accounts()
        if accounts:
            context.navigator.show_letter(new_letter(accounts[0].id))


def answer(message: Message, account: Account, everybody: bool) -> Letter:
    """Returns an answer to a message, from the address it was sent to."""
    to, cc = reply_recipients(message, account, everybody)
    kind = LetterKind.REPLY_ALL if everybody else LetterKind.REPLY
    sender = own_sender(message, account)
    subject = reply_subject(message.subject)
    return Letter(new_id(), account.id, kind, sender, to, cc, subject=subject, about=message.id)


def forward(message: Message, account: Account) -> Letter:
    subject = forward_subject(message.subject)
    return Letter(new_id(), account.id, LetterKind.FORWARD, own_sender(message, account), subject=subject, about=message.id)


def own_sender(message: Message, account: Account) -> str:
    """Returns the owner's address that a message was sent to or from; empty for the account's main address."""
    own = own_addresses(account)
    people = (*message.to, *message.cc, message.sender)
    found = next((person.email.lower() for person in people if person.email.lower() in own), "")
    return "" if found == account.email.lower() else found


SCHEME = "mailto:"
LONGEST = 65_536
"""Characters; a longer address is rejected, because cutting it would change the text."""
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_IN_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_TURNING = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Bidirectional control characters, which could make an address look like another one."""


@dataclass(frozen=True, slots=True)
class Mailto:
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    subject: str = ""
    body: str = ""


def is_mailto(word: str) -> bool:
    """Whether it is a `mailto:` address, of any length."""
    return word[: len(SCHEME)].lower() == SCHEME


def parse(address: str) -> Mailto | None:
    """Parses a `mailto:` address. Returns None if it is not one or longer than `LONGEST`.

    A `+` stays a plus. The first of several subjects counts; several bodies are joined by line breaks.
    """
    if not is_mailto(address) or len(address) > LONGEST:
        return None
    path, _, query = address[len(SCHEME) :].partition("#")[0].partition("?")
    found: dict[str, list[str]] = {}
    for piece in query.split("&"):
        name, _, value = piece.partition("=")
        found.setdefault(unquote(name).strip().lower(), []).append(unquote(value))
    subject = next(iter(found.get("subject", ())), "")
    return Mailto(
        # In the path only a comma that is not percent-encoded separates addresses; a field is parsed like a header's list.
        to=_people([*map(unquote, path.split(",")), *found.get("to", ())]),
        cc=_people(found.get("cc", ())),
        bcc=_people(found.get("bcc", ())),
        subject=_line(subject),
        body=_text("\n".join(found.get("body", ()))),
    )


def begun(asked: Mailto, account_id: AccountId) -> Letter:
    letter = new_letter(account_id, asked.to, asked.subject, asked.body)
    return replace(letter, cc=asked.cc, bcc=asked.bcc)


def _people(lines: Iterable[str]) -> tuple[Address, ...]:
    """Returns the addresses of several lists without duplicates. Names are dropped, because a page could put anything there."""
    emails = (address.email or address.name for line in lines for address in read(_line(line)))
    return tuple(Address(email) for email in dict.fromkeys(emails))


def _line(text: str) -> str:
    """Returns the text on one line, without control and bidirectional characters."""
    return " ".join(_TURNING.sub("", _CONTROLS.sub(" ", text)).split())


def _text(text: str) -> str:
    """Returns the text with LF line ends and without control characters."""
    return _IN_TEXT.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
