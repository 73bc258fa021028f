"""Whom a reply goes to and what it is called. Refuses to invent recipients: they come from the mail itself."""

import re
from collections.abc import Iterable

from app.domain.mail import Account, Address, Message

PREFIX = re.compile(
    r"\s*(?:re|r|aw|antw|antwort|sv|vs|odp|od|ref|rif|res|ynt|回复|回覆|返信|답장|yan|bls|ha|vá|atb|απ)(?:\s?\[\d{1,3}\]|\^\d{1,3})?\s?[:：]",
    re.IGNORECASE,
)
MOST_PREFIXES = 20
DOTLESS = frozenset({"gmail.com", "googlemail.com"})


def reply_subject(subject: str) -> str:
    """The subject with exactly one `Re:` before it, whatever reply prefixes it had in other languages."""
    bare = _without_prefixes(subject)
    return f"Re: {bare}" if bare else "Re:"


def settled_subject(subject: str) -> str:
    """A subject as the user approved it, with repeated reply prefixes made one."""
    return reply_subject(subject) if PREFIX.match(subject) else subject.strip()


def reply_recipients(message: Message, account: Account, everybody: bool) -> tuple[tuple[Address, ...], tuple[Address, ...]]:
    """To and Cc of a reply. Honours Reply-To; the owner's own addresses are left out unless nobody else is there.

    An answer to the owner's own mail goes to whom that mail went.
    """
    authors = message.to if message.outgoing else (message.reply_to or (message.sender,))
    wide = everybody and not message.outgoing
    own = {_key(email) for email in (account.email, *account.send_as)}
    to = _others([*authors, *(message.to if wide else ())], own)
    if not to:
        to = _others([message.sender, *authors], set())[:1]
    taken = own | {_key(each.email) for each in to}
    return to, _others(message.cc, taken) if everybody else ()


def unique(addresses: Iterable[Address], taken: set[str]) -> tuple[Address, ...]:
    """The addresses that are not in `taken` yet, which grows by them."""
    found = _others(addresses, taken)
    taken.update(_key(each.email) for each in found)
    return found


def own_address(account: Account, original: Message | None) -> Address:
    """The owner's address to answer from: the one the mail was sent to, if it is one of theirs, else the main one."""
    if original is not None:
        own = {email.lower() for email in account.send_as}
        found = next((each.email for each in (*original.to, *original.cc) if each.email in own), "")
        if found:
            return Address(found, account.name)
    return Address(account.email, account.name)


def _others(addresses: Iterable[Address], taken: set[str]) -> tuple[Address, ...]:
    kept: dict[str, Address] = {}
    for each in addresses:
        if each.email and _key(each.email) not in taken:
            kept.setdefault(_key(each.email), each)
    return tuple(kept.values())


def _key(email: str) -> str:
    """What makes two spellings one mailbox: case, and at Gmail dots and tags."""
    local, _, domain = email.lower().rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@gmail.com" if domain in DOTLESS else f"{local}@{domain}"


def _without_prefixes(subject: str) -> str:
    for _ in range(MOST_PREFIXES):
        found = PREFIX.match(subject)
        if found is None:
            break
        subject = subject[found.end() :]
    return subject.strip()
