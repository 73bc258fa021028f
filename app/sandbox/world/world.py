"""The state of one sandbox, and the journal of its requests.

The journal has method, path, status, units and a digest of the body, never a body.
"""

import hashlib
from collections import deque
from collections.abc import Sequence

from app.domain.record import Record, asdict
from app.sandbox.account import GoogleAccount, Identity, PostOffice
from app.sandbox.call import ApiRequest
from app.sandbox.clock import Clock
from app.sandbox.gmail.mailbox import Spool
from app.sandbox.google_api.errors import invalid_argument, not_found
from app.sandbox.google_api.json_values import JsonObject
from app.sandbox.world.faults import Faults
from app.sandbox.world.oauth import OAuthServer
from app.sandbox.world.quota import Quota

MOST_ENTRIES = 50_000


class JournalEntry(Record):
    """One request. `fault` is the kind of the fault that was applied, or ''."""

    number: int
    moment_s: float
    verb: str
    path: str
    method: str
    status: int
    units: int
    inner: bool
    body_sha256: str
    fault: str

    def shape(self) -> JsonObject:
        """JSON for the admin interface."""
        return asdict(self)


class RequestJournal:
    """The last 50,000 requests, oldest first."""

    def __init__(self) -> None:
        self._entries: deque[JournalEntry] = deque(maxlen=MOST_ENTRIES)
        self._count = 0

    def note(self, moment_s: float, call: ApiRequest, method: str, status: int, units: int, fault: str) -> None:
        self._count += 1
        digest = hashlib.sha256(call.body).hexdigest() if call.body else ""
        entry = JournalEntry(self._count, moment_s, call.verb, call.path, method, status, units, call.inner, digest, fault)
        self._entries.append(entry)

    def since(self, number: int) -> list[JournalEntry]:
        return [entry for entry in self._entries if entry.number > number]

    def clear(self) -> None:
        """Removes every entry; numbering continues."""
        self._entries.clear()


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
        if not address:
            return self.owner
        for account in self.accounts:
            if account.owns(address):
                return account
        raise not_found()

    def add_account(self, address: str, name: str = "", timezone: str = "UTC", ids_of: str = "") -> GoogleAccount:
        """Adds an empty account, whose ids derive from its address or from `ids_of`.

        Raises `ApiError` 400 if the address is taken or invalid.
        """
        if "@" not in address or any(account.owns(address) for account in self.accounts):
            raise invalid_argument(f"accounts: {address!r} is taken or no address")
        account = GoogleAccount([Identity(address, name, primary=True)], self.clock, self.spool, timezone, ids_of)
        self.accounts.append(account)
        return account


def build_world(owner: list[Identity], others: Sequence[str], token: str, spool: Spool, timezone: str = "UTC") -> SandboxState:
    """An empty sandbox for an owner and other addresses; mail is stored in the spool."""
    clock = Clock()
    accounts = [GoogleAccount(owner, clock, spool, timezone)]
    accounts.extend(GoogleAccount([Identity(address, "", primary=True)], clock, spool, timezone) for address in others)
    authority = OAuthServer(clock, token, accounts[0].address)
    return SandboxState(clock, spool, accounts, PostOffice(accounts), authority, Quota(clock), Faults(), RequestJournal())
