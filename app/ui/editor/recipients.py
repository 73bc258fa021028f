"""Parses and formats recipients and finds the status of each. A recipient is in the conversation, known, new, a look-alike or
invalid.
"""

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from app.domain.drafting.review import FlagKind, Proposal, request_of
from app.domain.mail.message import Address, Message

_EMAIL = re.compile(r"[^\s@<>,;\"]+@[^\s@<>,;\".]+(?:\.[^\s@<>,;\".]+)+\Z")
_PIECE = re.compile(r'(?:"[^"]*"|<[^<>]*>|[^,;"<])+|["<]')
"""Text between separators; commas inside quotes or angle brackets do not separate."""
_NAMED = re.compile(r"\s*(.*?)\s*<([^<>]*)>\s*\Z")
_GROUP = re.compile(r'\s*[^@:<>"]*:')
"""Group name before its first member (RFC 5322), or the `mailto:` of a link."""
_PLAIN_NAME = re.compile(r"[\w .'\-]*\Z")


class RecipientStatus(StrEnum):
    IN_THREAD = "in_thread"
    KNOWN = "known"
    NEW = "new"
    LOOK_ALIKE = "look_alike"
    INVALID = "invalid"


class KnownPeople(Container[str]):
    """Lower-case addresses that mail was exchanged with, cached on first use. `known` returns None while the database cannot be
    read; then everyone counts as known.
    """

    def __init__(self, known: Callable[[Iterable[str]], frozenset[str] | None]) -> None:
        self._known = known
        self._answers: dict[str, bool] = {}

    def __contains__(self, email: object) -> bool:
        if not isinstance(email, str):
            return False
        if email not in self._answers:
            known = self._known((email,))
            if known is None:
                return True
            self._answers[email] = email in known
        return self._answers[email]


@dataclass(frozen=True, slots=True)
class RecipientContext:
    """Addresses that decide a status, all in lower case. `look_alike` holds what the red flag named: addresses or domains."""

    in_thread: frozenset[str]
    known: Container[str]
    look_alike: frozenset[str]


def surroundings(proposal: Proposal, thread: Iterable[Message]) -> RecipientContext:
    return _context_of(proposal, thread, proposal.draft.recipients if proposal.draft else ())


def guests_around(proposal: Proposal, thread: Iterable[Message]) -> RecipientContext:
    _tool, arguments = request_of(proposal.request_json)
    guests = arguments.get("attendees", ())
    return _context_of(proposal, thread, tuple(Address(one) for one in guests if isinstance(one, str)))


def _context_of(proposal: Proposal, thread: Iterable[Message], asked: Iterable[Address]) -> RecipientContext:
    """`asked` are the people for whom the red flags were computed."""
    people = frozenset(
        one.email.lower() for message in thread for one in (message.sender, *message.to, *message.cc, *message.reply_to)
    )
    about = {kind: frozenset(flag.about.lower() for flag in proposal.flags if flag.kind is kind) for kind in FlagKind}
    proposed = frozenset(one.email.lower() for one in asked)
    known = proposed - about[FlagKind.NEVER_WRITTEN_TO]
    return RecipientContext(people, known, about[FlagKind.LOOK_ALIKE_DOMAIN])


def standing(address: Address, around: RecipientContext) -> RecipientStatus:
    email = address.email.lower()
    if not _EMAIL.match(email):
        return RecipientStatus.INVALID
    if any(email == one or address.domain.lower() == one for one in around.look_alike):
        return RecipientStatus.LOOK_ALIKE
    if email in around.in_thread:
        return RecipientStatus.IN_THREAD
    return RecipientStatus.KNOWN if email in around.known else RecipientStatus.NEW


def written(addresses: tuple[Address, ...]) -> str:
    """Formats addresses as one line to edit."""
    return ", ".join(_one(address) for address in addresses)


def read(line: str) -> tuple[Address, ...]:
    """Parses addresses separated by commas, semicolons or, in bare lists, spaces. Groups give their members. Invalid addresses
    are kept, to be marked.
    """
    pieces = [
        _GROUP.sub("", piece, count=1) if _GROUP.match(piece) else piece for piece in _PIECE.findall(" ".join(line.split()))
    ]
    found = (_address(one) for piece in pieces for one in _bare_list(piece))
    return tuple(piece for piece in found if piece.email or piece.name)


def _bare_list(piece: str) -> list[str]:
    """Splits addresses separated only by spaces, as pasted from a table. Anything else is one piece."""
    words = piece.split()
    return words if len(words) > 1 and all(map(_EMAIL.match, words)) else [piece]


def _address(piece: str) -> Address:
    """Parses `Name <email>`, `"Name" <email>` or a bare email."""
    named = _NAMED.match(piece)
    if named is None:
        return Address(piece.strip().lower())
    return Address(named.group(2).strip().lower(), named.group(1).strip().strip('"').strip())


def _one(address: Address) -> str:
    if not address.name:
        return address.email
    name = address.name if _PLAIN_NAME.match(address.name) else '"' + address.name.replace("\\", "").replace('"', "'") + '"'
    return f"{name} <{address.email}>"


def standing_words(standing: RecipientStatus) -> tuple[str, str]:
    table = {
        RecipientStatus.IN_THREAD: (QCoreApplication.translate("Standing", "in conversation"), "positive"),
        RecipientStatus.KNOWN: (QCoreApplication.translate("Standing", "known"), ""),
        RecipientStatus.NEW: (QCoreApplication.translate("Standing", "new"), "warning"),
        RecipientStatus.LOOK_ALIKE: (QCoreApplication.translate("Standing", "impostor?"), "danger"),
        RecipientStatus.INVALID: (QCoreApplication.translate("Standing", "not an address"), "danger"),
    }
    return table[standing]
