"""The state of one sandbox, and the journal of its requests.

The journal has method, path, status, units and a digest of the body, never a body.
"""

import hashlib
from collections import deque
from collections.abc import Sequence

from app.domain.record import Record
from app.sandbox.account import GoogleAccount, Identity, PostOffice
from app.sandbox.call import ApiReply, ApiRequest
from app.sandbox.clock import Clock
from app.sandbox.gmail.mailbox import Spool
from app.sandbox.google_api.errors import invalid_argument, not_found
from app.sandbox.google_api.json_values import JsonObject
from app.sandbox.world.faults import Faults
from app.sandbox.world.oauth import OAuthServer
from app.sandbox.world.quota import Quota

MOST_ENTRIES = 50_000


class RequestJournal:
    """The last 50,000 requests as JSON, oldest first."""

    def __init__(self) -> None:
        self.entries: deque[JsonObject] = deque(maxlen=MOST_ENTRIES)
        self._count = 0

    def note(self, moment_s: float, call: ApiRequest, method: str, reply: ApiReply, fault: str) -> None:
        """Adds a request. `fault` is the kind of the fault that was applied, or ''. Numbers go on when the journal is cleared."""
        self._count += 1
        self.entries.append(
            {
                "number": self._count,
                "moment_s": moment_s,
                "verb": call.verb,
                "path": call.path,
                "method": method,
                "status": reply.status,
                "units": reply.units,
                "inner": call.inner,
                "body_sha256": hashlib.sha256(call.body).hexdigest() if call.body else "",
                "fault": fault,
            }
        )


class SandboxState(Record):
    """The parts of one sandbox. The first account is the owner's."""

    clock: Clock
    spool: Spool
    accounts: list[GoogleAccount]
    office: PostOffice
    authority: OAuthServer
    quota: Quota
    faults: Faults
    journal: RequestJournal

    @property
    def owner(self) -> GoogleAccount:
        """The account that the static token belongs to."""
        return self.accounts[0]

    def account(self, address: str) -> GoogleAccount:
        """The account with this address; '' is the owner's. Raises `ApiError` 404."""
        found = (account for account in self.accounts if not address or account.owns(address))
        account = next(found, None)
        if account is None:
            raise not_found()
        return account

    def check_new(self, address: str) -> None:
        """Raises `ApiError` 400 if the address is taken or invalid."""
        if "@" not in address or any(account.owns(address) for account in self.accounts):
            raise invalid_argument(f"accounts: {address!r} is taken or no address")

    def add_account(self, address: str, name: str = "", timezone: str = "UTC", ids_of: str = "") -> GoogleAccount:
        """Adds an empty account, whose ids derive from its address or from `ids_of`. Raises as `check_new`."""
        self.check_new(address)
        account = GoogleAccount([Identity(address, name, primary=True)], self.clock, self.spool, timezone, ids_of)
        self.accounts.append(account)
        return account


def build_world(owner: list[Identity], others: Sequence[str], token: str, spool: Spool, timezone: str = "UTC") -> SandboxState:
    """An empty sandbox for an owner and other addresses; mail is stored in the spool."""
    clock = Clock()
    accounts = [GoogleAccount(owner, clock, spool, timezone)]
    authority = OAuthServer(clock, token, accounts[0].address)
    world = SandboxState(clock, spool, accounts, PostOffice(accounts), authority, Quota(clock), Faults(), RequestJournal())
    for address in others:
        world.add_account(address, timezone=timezone)
    return world
