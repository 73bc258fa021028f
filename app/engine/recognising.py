"""Whether a sign-in under another address is one for a mailbox that is known: Google lets people and administrators change
addresses, and tells programs without a profile scope of nothing that stays.

What stays are the ids of messages. Refuses to guess: mail of the owner's own sending is compared, which no other mailbox holds as
sent, and one word that differs is enough to be somebody else.
"""

from collections.abc import Sequence

from app.domain.mail import Account, Message, RemoteMessage, SystemLabel
from app.domain.ports.gmail import MailServer
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables

COMPARED = 10
"""The newest sent mails that are asked for: 200 units of the quota."""
ENOUGH = 3
"""So many of them must be there."""


async def same_mailbox(server: MailServer, account: Account, tables: Tables, threads: StoreThreads) -> bool:
    """Whether `server` is the mailbox of `account`. One with too little sent mail cannot be told. Raises what the port raises."""
    sent = await threads.run(tables.messages.newest_sent, account.id, COMPARED)
    own = {account.email, *account.send_as}
    known = {one.gmail_id: one for one in sent if one.sender.email.lower() in own}
    if len(known) < ENOUGH:
        return False
    cursor = (await threads.run(tables.accounts.sync_state, account.id)).cursor
    if cursor is not None and (await server.profile()).history_id < cursor:
        return False
    outcomes = await server.fetch_messages(list(known))
    pairs = [(known[one.gmail_id], one.message) for one in outcomes if one.message is not None]
    return len(pairs) >= ENOUGH and all(_same(here, there) for here, there in pairs)


async def recognised(server: MailServer, accounts: Sequence[Account], tables: Tables, threads: StoreThreads) -> Account | None:
    """The one of the accounts whose mailbox this is. Raises what the port raises."""
    for account in accounts:
        if await same_mailbox(server, account, tables, threads):
            return account
    return None


def _same(here: Message, there: RemoteMessage) -> bool:
    """Whether it is the same sent mail, in the same place."""
    place = here.gmail_thread_id == there.gmail_thread_id and SystemLabel.SENT in there.labels
    return place and (here.rfc822_id, here.date, here.sender.email.lower()) == (
        there.rfc822_id,
        there.date,
        there.sender.email.lower(),
    )
