"""Which thread a message joins. Own mail needs the thread id, the headers and the subject; arriving mail goes by headers."""

import re

from app.sandbox.errors import invalid_argument, not_found
from app.sandbox.headers import Facts, addresses_in, base_subject, is_reply_subject
from app.sandbox.mailbox import Mailbox, Row

RECENT = 400
RECENT_MS = 30 * 86_400_000


def thread_for_own(mailbox: Mailbox, facts: Facts, wanted: str | None) -> str | None:
    """The thread of a sent, drafted or inserted message, None for a new one. Raises ApiError for a bad thread id."""
    if not wanted:
        return None
    if not re.fullmatch(r"[0-9a-f]{1,16}", wanted):
        raise invalid_argument("Invalid thread_id value")
    members = mailbox.thread(wanted)
    if not members:
        raise not_found()
    named = set(facts.references) | set(facts.in_reply_to)
    replied = any(row.facts.message_id in named for row in members)
    return wanted if replied and _same_subject(members, facts) else None


def thread_for_arrival(mailbox: Mailbox, facts: Facts, internal_ms: int) -> str | None:
    """The thread of an arriving message: by References and In-Reply-To with the same subject; a reply whose mail
    program sent neither header joins the newest thread with that subject and its sender in it."""
    named = [*facts.in_reply_to, *reversed(facts.references)]
    for message_id in named:
        for row in mailbox.with_message_id(message_id):
            if _same_subject(mailbox.thread(row.thread_id), facts):
                return row.thread_id
    if named or not is_reply_subject(facts.subject):
        return None
    return _by_subject(mailbox, facts, internal_ms)


def _same_subject(members: list[Row], facts: Facts) -> bool:
    return base_subject(members[0].facts.subject) == base_subject(facts.subject)


def _by_subject(mailbox: Mailbox, facts: Facts, internal_ms: int) -> str | None:
    subject, sender = base_subject(facts.subject), set(addresses_in(facts.sender))
    for seen, row in enumerate(mailbox.newest_first((internal_ms, "~"))):
        if seen >= RECENT or row.internal_ms < internal_ms - RECENT_MS:
            return None
        if subject and base_subject(row.facts.subject) == subject:
            people = addresses_in(row.facts.sender, row.facts.to, row.facts.cc)
            if sender & set(people):
                return row.thread_id
    return None
