"""What accounts and mails are called in this service's store. Ids differ from store to store; addresses and Gmail's ids do not.

Neither protocol has this: `RemoteGmailAgent` asks for it. Refuses accounts that are not here.
"""

import asyncio
from typing import Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from app.domain.ids import AccountId, GmailId, MessageId
from app.domain.mail import Account
from app.service.orders import read_order
from app.service.refusals import Refusal
from app.service.wire import packed

MOST_NAMES = 100


class NamesHere(Protocol):
    """The mailbox, as far as names go. Synchronous."""

    def accounts(self) -> tuple[Account, ...]:
        """All accounts."""

    def gmail_id(self, account_id: AccountId, message_id: MessageId) -> GmailId | None:
        """Gmail's id of one of the account's mails."""

    def message_id(self, account_id: AccountId, gmail_id: GmailId) -> MessageId | None:
        """The id of one of the account's mails here."""


class NamesOrder(msgspec.Struct, frozen=True):
    """The body: an account by its address, mails by either id."""

    account: str
    ids: list[int] = []
    gmail_ids: list[str] = []


async def tell_names(request: Request) -> Response:
    """`POST /names`."""
    order = await read_order(request, NamesOrder)
    if len(order.ids) + len(order.gmail_ids) > MOST_NAMES:
        raise Refusal(422, "wrong_form", f"At most {MOST_NAMES} names at once.")
    here: NamesHere | None = request.app.state.names
    answer = None if here is None else await asyncio.to_thread(_names, here, order)
    if answer is None:
        raise Refusal(404, "no_account", "There is no mailbox of that address here.")
    return Response(packed(answer), media_type="application/json")


def _names(here: NamesHere, order: NamesOrder) -> dict[str, object] | None:
    account = next((one for one in here.accounts() if one.email.lower() == order.account.lower()), None)
    if account is None:
        return None
    ids = {one: here.message_id(account.id, GmailId(one)) for one in order.gmail_ids}
    gmail_ids = {str(one): here.gmail_id(account.id, MessageId(one)) for one in order.ids}
    return {
        "account_id": account.id,
        "ids": {gmail_id: one for gmail_id, one in ids.items() if one is not None},
        "gmail_ids": {one: gmail_id for one, gmail_id in gmail_ids.items() if gmail_id is not None},
    }
