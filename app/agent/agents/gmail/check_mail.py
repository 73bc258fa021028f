"""Checks a proposed mail before the owner is asked: plain addresses with a source, one-line headers, files of this request. Pure.

Raises `NotAllowed` with a text for the model, which then tries again. Whether the mail may be sent is the owner's decision.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from app.agent.agents.gmail.state import SendArguments, TaskDocument
from app.domain.agents.call_flags import plain_address
from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed
from app.domain.mail.letter import MOST_FILE_BYTES
from app.domain.record import Record

LONGEST_SUBJECT = 300
LONGEST_BODY = 20_000
MOST_RECIPIENTS = 50
MOST_ATTACHMENTS = 10


class AllowedReferences(Record):
    """What a mail may name.

    `documents` are files of the request, `answerable` ids of found messages. `address` tells whether an address occurs in the
    owner's texts, in mail that was read, or in the contacts.
    """

    documents: Sequence[TaskDocument]
    answerable: frozenset[int]
    address: Callable[[str], bool]


def checked(arguments: Mapping[str, Any], known: AllowedReferences) -> SendArguments:
    """Normalises arguments of `gmail_send` that fit its schema.

    Addresses become lower case with ASCII domains, each once. Raises `NotAllowed`.
    """
    to = _addresses(arguments["to"], "to", known)
    cc = _without(_addresses(arguments.get("cc"), "cc", known), to)
    bcc = _without(_addresses(arguments.get("bcc"), "bcc", known), (*to, *cc))
    if not to:
        raise NotAllowed("A mail needs a recipient in to.")
    if len((*to, *cc, *bcc)) > MOST_RECIPIENTS:
        raise NotAllowed(Cause.TOO_MANY_RECIPIENTS, MOST_RECIPIENTS)
    return SendArguments(
        to,
        _subject(arguments["subject"]),
        _body(arguments["body"]),
        _attachments(arguments.get("attachments"), known.documents),
        cc,
        bcc,
        _answered(arguments.get("reply_to_message_id"), known.answerable),
    )


def _addresses(given: object, where: str, known: AllowedReferences) -> tuple[str, ...]:
    found = []
    for one in _items(given):
        address = plain_address(one)
        if address is None:
            raise NotAllowed(
                f"{one[:120]!r} in {where} is not exactly one plain mail address: no names, no lists, no line breaks."
            )
        if not known.address(address):
            raise NotAllowed(f"{address} stands neither in the request nor in mail that was found. Search for the right address.")
        found.append(address)
    return tuple(dict.fromkeys(found))


def _subject(text: str) -> str:
    subject = text.strip()
    if any(_control(one) for one in subject):
        raise NotAllowed("The subject must be one line without control characters.")
    if not subject or len(subject) > LONGEST_SUBJECT:
        raise NotAllowed(f"The subject has 1 to {LONGEST_SUBJECT} characters.")
    return subject


def _body(text: str) -> str:
    body = text.replace("\r\n", "\n").strip()
    if any(_control(one) for one in body.replace("\n", "").replace("\t", "")):
        raise NotAllowed("The body must be plain text without control characters.")
    if not body or len(body) > LONGEST_BODY:
        raise NotAllowed(f"The body has 1 to {LONGEST_BODY} characters.")
    return body


def _attachments(given: object, documents: Sequence[TaskDocument]) -> tuple[str, ...]:
    files = {one.handle: one for one in documents}
    handles = tuple(dict.fromkeys(_items(given)))
    if any(one not in files for one in handles):
        listed = ", ".join(f"{one.handle} ({one.name})" for one in documents) or "none"
        raise NotAllowed(f"Only files of this request can be attached, by handle, never by path or name: {listed}.")
    if len(handles) > MOST_ATTACHMENTS or sum(files[one].size for one in handles) > MOST_FILE_BYTES:
        raise NotAllowed(f"A mail has at most {MOST_ATTACHMENTS} files and {MOST_FILE_BYTES >> 20} MB.")
    return handles


def _answered(given: int | None, answerable: frozenset[int]) -> int:
    if given and given not in answerable:
        raise NotAllowed(f"Mail {given} was not found by gmail_search in this task; find the mail that is answered first.")
    return given or 0


def _items(given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        return (given,)
    return tuple(given) if isinstance(given, Iterable) else ()


def _without(found: tuple[str, ...], before: Sequence[str]) -> tuple[str, ...]:
    return tuple(one for one in found if one not in before)


def _control(letter: str) -> bool:
    """Whether it is a control character, a line separator or a surrogate."""
    return unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"}
