"""Who gets a reply and under which subject, by RFC 5322 and custom. Pure."""

import re
from collections.abc import Iterable

from app.domain.mail import Account, Address, Message

REPLY_PREFIX = re.compile(r"^\s*(re|aw|sv|vs|antw|odp|ref|rif)\s*(\[\d+\])?\s*[:：]", re.IGNORECASE)


def own_addresses(account: Account) -> frozenset[str]:
    """Every address the owner sends from, lower case."""
    return frozenset({account.email.lower(), *(one.lower() for one in account.send_as)})


def reply_recipients(message: Message, account: Account, everybody: bool) -> tuple[tuple[Address, ...], tuple[Address, ...]]:
    """To and Cc of a reply: Reply-To before From, the owner left out, nobody twice.

    `everybody` keeps the other recipients (To and Cc, into Cc). A reply to one's own mail goes to its recipients again; a mail
    that only its owner took part in is answered to the owner.
    """
    own = own_addresses(account)
    mine = message.sender.email.lower() in own
    first = message.to if mine else (message.reply_to or (message.sender,))
    to = _distinct(first, own)
    others = message.cc if mine else message.to + message.cc
    cc = _distinct(others, own | {one.email.lower() for one in to}) if everybody else ()
    if not to and cc:
        return cc, ()
    return to or _distinct(first, frozenset()), cc


def reply_subject(subject: str) -> str:
    """The subject of a reply: one `Re:` in front, whatever reply prefix stood there."""
    rest = subject
    while (found := REPLY_PREFIX.match(rest)) is not None:
        rest = rest[found.end() :]
    return f"Re: {rest.strip()}".strip()


def _distinct(addresses: Iterable[Address], without: frozenset[str]) -> tuple[Address, ...]:
    """In order, each address once, those in `without` (lower case) left out."""
    kept: dict[str, Address] = {}
    for one in addresses:
        key = one.email.lower()
        if key and key not in without:
            kept.setdefault(key, one)
    return tuple(kept.values())
