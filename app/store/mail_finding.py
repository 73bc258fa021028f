"""Finding mail for agents: by words, by Gmail's operators, and opening what was found. Off the loop.

Refuses spam, trash and drafts, and mail of other accounts.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.domain.errors import Refused
from app.domain.ids import AccountId, MessageId
from app.domain.mail import Message, SystemLabel
from app.store.messages import Messages

if TYPE_CHECKING:
    from app.store.search import Search  # its grammar takes a while to import

ASKED = 40
CLOSED = frozenset({SystemLabel.SPAM.value, SystemLabel.TRASH.value, SystemLabel.DRAFT.value})


def queried(search: "Search", account_id: AccountId, query: str) -> list[MessageId]:
    """The account's mails that match Gmail's operators, newest first. Raises `Refused`."""
    return search.message_ids(f"({query}) -in:drafts", ASKED, account_id)


def worded(search: "Search", account_id: AccountId, words: str) -> list[MessageId]:
    """The account's mails with all the words; where there are none, with any of the longer ones. Operators are words here. Spam
    and trash are left out by the search itself, drafts by ours: none of them may take the place of another mail."""
    plain = [one for one in "".join(letter if letter.isalnum() else " " for letter in words).split() if one]
    for terms in (plain, [" OR ".join(one for one in plain if len(one) > 3)]):
        query = " ".join(terms).strip()
        if not query:
            continue
        try:
            found = queried(search, account_id, query)
        except Refused:
            continue
        if found:
            return found
    return []


def opened(messages: Messages, account_id: AccountId, ids: Sequence[MessageId], limit: int) -> tuple[Message, ...]:
    """The first of these mails that may be shown to an agent of the account."""
    found = messages.many(ids)
    fit = (found[one] for one in ids if one in found)
    return tuple(one for one in fit if one.account_id == account_id and not one.labels & CLOSED)[:limit]
