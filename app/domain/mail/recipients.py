"""Recipients and subject of a reply by RFC 5322 and custom, and the addresses in a text. Pure functions.

An address is never part of a longer one: `info@shop.example` is not found in `xinfo@shop.example` or in
`info@shop.example.evil.org`. Finding takes one pass for any text.
"""

import re
from collections.abc import Collection, Iterable

from app.domain.mail.message import Account, Address, Message

REPLY_PREFIX = re.compile(
    r"\s*(?:re|r|aw|antw|antwort|sv|vs|odp|od|ref|rif|res|ynt|回复|回覆|返信|답장|yan|bls|ha|vá|atb|απ)(?:\s?\[\d{1,3}\]|\^\d{1,3})?\s?[:：]",
    re.IGNORECASE,
)
"""Reply prefixes of mail programs in many languages. Some are also ordinary words."""
MOST_PREFIXES = 20
DOTLESS = frozenset({"gmail.com", "googlemail.com"})

SHARED_DOMAINS = frozenset(
    (
        "gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "yahoo.com", "icloud.com", "me.com", "aol.com",
        "gmx.de", "gmx.net", "web.de", "proton.me", "protonmail.com", "seznam.cz", "email.cz", "centrum.cz", "atlas.cz",
        "volny.cz", "post.cz", "tiscali.cz", "azet.sk", "zoznam.sk", "wp.pl", "o2.pl", "t-online.de", "freenet.de", "outlook.de",
        "yahoo.de", "yahoo.co.uk", "btinternet.com", "orange.fr", "free.fr", "mail.com", "consultant.com", "accountant.com",
    )
)  # fmt: skip
"""Mail providers: their domains say nothing about a sender."""


def own_addresses(account: Account) -> frozenset[str]:
    """Every address the owner sends from, lower case."""
    return frozenset({account.email.lower(), *(email.lower() for email in account.send_as)})


def own_address(account: Account, message: Message | None) -> str:
    """The owner's address that a message was sent to or from, else the usual one."""
    own = own_addresses(account)
    people = (*message.to, *message.cc, message.sender) if message is not None else ()
    return next((one.email.lower() for one in people if one.email.lower() in own), account.usual)


def reply_recipients(message: Message, account: Account, everybody: bool) -> tuple[tuple[Address, ...], tuple[Address, ...]]:
    """To and Cc of a reply: Reply-To before From, without the owner and duplicates.

    `everybody` keeps the other recipients (To and Cc) in Cc. A reply to an own message goes to its recipients again; a message
    that involves only the owner is answered to the owner.
    """
    own = frozenset(map(mailbox_key, own_addresses(account)))
    mine = mailbox_key(message.sender.email) in own
    first = message.to if mine else (message.reply_to or (message.sender,))
    to = distinct(first, own)
    others = message.cc if mine else message.to + message.cc
    cc = distinct(others, own | {mailbox_key(address.email) for address in to}) if everybody else ()
    if not to and cc:
        return cc, ()
    return to or distinct(first, frozenset()), cc


MANY = 10
"""People to whom a draft answers without asking whether the owner would."""


def draft_recipients(
    message: Message, account: Account, thread: Iterable[Message]
) -> tuple[tuple[Address, ...], tuple[Address, ...]]:
    """To and Cc of a drafted reply: to all, but without Cc where that is more than `MANY` people.

    Where the owner wrote to as many in this conversation, all of them stay.
    """
    to, cc = reply_recipients(message, account, everybody=True)
    if len(to + cc) <= MANY or any(one.outgoing and len(one.to + one.cc) > MANY for one in thread):
        return to, cc
    return to, ()


def reply_subject(subject: str) -> str:
    """The subject of a reply, with a single `Re:` in front."""
    rest = subject
    for _ in range(MOST_PREFIXES):
        found = REPLY_PREFIX.match(rest)
        if found is None:
            break
        rest = rest[found.end() :]
    return f"Re: {rest.strip()}".strip()


def mailbox_key(email: str) -> str:
    """Normalises an address: case, and at Gmail dots and tags. Spellings of one mailbox have the same key."""
    local, _, domain = email.lower().rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@gmail.com" if domain in DOTLESS else f"{local}@{domain}"


def distinct(addresses: Iterable[Address], without: Collection[str]) -> tuple[Address, ...]:
    """The addresses in order, each mailbox once, except those in `without` (by `mailbox_key`)."""
    kept: dict[str, Address] = {}
    for address in addresses:
        key = mailbox_key(address.email)
        if address.email and key not in without:
            kept.setdefault(key, address)
    return tuple(kept.values())


MOST = 2000
LONGEST_LOCAL = 64
LONGEST_DOMAIN = 255

LETTERS = r"A-Za-z0-9À-ɏͰ-ԯ"
"""Characters of an unquoted address. Scripts written without spaces are left out, so an address ends where they begin."""
_BEFORE = re.compile(rf"[{LETTERS}._%+\-]*+")
_LABEL = rf"[{LETTERS}]++(?:-++[{LETTERS}]++)*+"
_AFTER = re.compile(rf"{_LABEL}(?:\.{_LABEL})*+(?!-*_*[{LETTERS}@])")


def mentioned(text: str) -> frozenset[str]:
    """The addresses in `text`, in lower case."""
    found: set[str] = set()
    at = text.find("@")
    for _ in range(MOST):
        if at < 0:
            break
        backwards = text[max(0, at - LONGEST_LOCAL - 1) : at][::-1]
        run = _BEFORE.match(backwards)
        local = run.group()[::-1] if run else ""
        whole = len(local) <= LONGEST_LOCAL and backwards[len(local) : len(local) + 1] != "@"
        domain = _AFTER.match(text, at + 1, at + 2 + LONGEST_DOMAIN)
        address = f"{local}@{domain.group()}" if local and whole and domain else ""
        if address:
            found.add(address.lower())
        at = text.find("@", at + 1)
    return frozenset(found)
