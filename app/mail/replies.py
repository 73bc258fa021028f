"""The owner's address in a reply, and its subject as it leaves. Refuses to change words of a subject that is no reply's."""

from collections.abc import Iterable

from app.domain.mail import Account, Address, Message
from app.domain.recipients import REPLY_PREFIX, distinct, mailbox_key, reply_subject


def settled_subject(subject: str, original: Message | None) -> str:
    """A subject as the user approved it; where it is that of the mail answered, with its reply prefixes made one. Others keep
    theirs: "Ref: 12" may be a reference."""
    answers = original is not None and same_subject(subject, original.subject)
    return reply_subject(subject) if answers and REPLY_PREFIX.match(subject) else subject.strip()


def same_subject(one: str, other: str) -> bool:
    """Whether two subjects are the same but for reply prefixes and case."""
    return reply_subject(one).lower() == reply_subject(other).lower()


def unique(addresses: Iterable[Address], taken: set[str]) -> tuple[Address, ...]:
    """The addresses that are not in `taken` yet, which grows by them."""
    found = distinct(addresses, taken)
    taken.update(mailbox_key(each.email) for each in found)
    return found


def own_address(account: Account, original: Message | None) -> Address:
    """The owner's address to answer from: the one the mail was sent to, if it is one of theirs, else the main one."""
    if original is not None:
        own = {email.lower() for email in account.send_as}
        found = next((each.email for each in (*original.to, *original.cc) if each.email in own), "")
        if found:
            return Address(found, account.name)
    return Address(account.email, account.name)
