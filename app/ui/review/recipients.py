"""Recipients as text and back, and what is known of each: in the thread, known, new, or a look-alike. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from email.utils import getaddresses
from enum import StrEnum

from app.domain.mail import Address, Message
from app.domain.review import FlagKind, Proposal

_EMAIL = re.compile(r"[^\s@<>,;\"]+@[^\s@<>,;\".]+(?:\.[^\s@<>,;\".]+)+\Z")
_PLAIN_NAME = re.compile(r"[\w .'\-]*\Z")


class Standing(StrEnum):
    """What the mailbox knows of a recipient."""

    IN_THREAD = "in_thread"
    KNOWN = "known"
    NEW = "new"
    LOOK_ALIKE = "look_alike"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Marked:
    """An address with its standing."""

    address: Address
    standing: Standing


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What standings are judged by, all lower case. `look_alike` holds what the flag was about: addresses or domains."""

    in_thread: frozenset[str]
    known: frozenset[str]
    look_alike: frozenset[str]


def surroundings(proposal: Proposal, thread: Iterable[Message]) -> Surroundings:
    """From the thread and from the flags that code computed on the proposal."""
    people = frozenset(
        one.email.lower() for message in thread for one in (message.sender, *message.to, *message.cc, *message.reply_to)
    )
    about = {kind: frozenset(flag.about.lower() for flag in proposal.flags if flag.kind is kind) for kind in FlagKind}
    proposed = frozenset(one.email.lower() for one in proposal.draft.recipients) if proposal.draft else frozenset()
    known = proposed - about[FlagKind.NEVER_WRITTEN_TO]
    return Surroundings(people, known, about[FlagKind.LOOK_ALIKE_DOMAIN])


def standing(address: Address, around: Surroundings) -> Standing:
    """What is known of one address."""
    email = address.email.lower()
    if not _EMAIL.match(email):
        return Standing.INVALID
    if any(email == one or address.domain.lower() == one for one in around.look_alike):
        return Standing.LOOK_ALIKE
    if email in around.in_thread:
        return Standing.IN_THREAD
    return Standing.KNOWN if email in around.known else Standing.NEW


def written(addresses: tuple[Address, ...]) -> str:
    """Addresses as one line to edit."""
    return ", ".join(_one(address) for address in addresses)


def read(line: str) -> tuple[Address, ...]:
    """Addresses of a line, separated by commas or semicolons; what is no address stays, to be marked."""
    pairs = getaddresses([line.replace(";", ",").replace("\r", " ").replace("\n", " ")], strict=False)
    return tuple(Address(email.strip().lower(), name.strip()) for name, email in pairs if email.strip() or name.strip())


def _one(address: Address) -> str:
    if not address.name:
        return address.email
    name = address.name if _PLAIN_NAME.match(address.name) else '"' + address.name.replace("\\", "").replace('"', "'") + '"'
    return f"{name} <{address.email}>"
