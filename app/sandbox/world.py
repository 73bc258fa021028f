"""Everything one sandbox holds, built once and handed to whoever needs it."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.sandbox.account import Account, Identity
from app.sandbox.authority import Authority
from app.sandbox.clock import Clock
from app.sandbox.errors import invalid_argument, not_found
from app.sandbox.faults import Faults
from app.sandbox.journal import Journal
from app.sandbox.postoffice import PostOffice
from app.sandbox.quota import Quota
from app.sandbox.spool import Spool


@dataclass(frozen=True, slots=True)
class World:
    """The parts of one sandbox; the first account is the owner's."""

    clock: Clock
    spool: Spool
    accounts: list[Account]
    office: PostOffice
    authority: Authority
    quota: Quota
    faults: Faults
    journal: Journal

    @property
    def owner(self) -> Account:
        """The account the static token belongs to."""
        return self.accounts[0]

    def account(self, address: str) -> Account:
        """The account that owns an address; '' is the owner's. Raises ApiError 404."""
        if not address:
            return self.owner
        for account in self.accounts:
            if account.owns(address):
                return account
        raise not_found()

    def add_account(self, address: str, name: str = "", timezone: str = "UTC", ids_of: str = "") -> Account:
        """One more empty account; its ids follow from its address or from `ids_of`. Raises ApiError 400 when the address is
        taken or none."""
        if "@" not in address or any(account.owns(address) for account in self.accounts):
            raise invalid_argument(f"accounts: {address!r} is taken or no address")
        account = Account([Identity(address, name, primary=True)], self.clock, self.spool, timezone, ids_of)
        self.accounts.append(account)
        return account


def build_world(owner: list[Identity], others: Sequence[str], token: str, spool: Spool, timezone: str = "UTC") -> World:
    """An empty sandbox for an owner and some other addresses; its mail goes into the spool."""
    clock = Clock()
    accounts = [Account(owner, clock, spool, timezone)]
    accounts.extend(Account([Identity(address, "", primary=True)], clock, spool, timezone) for address in others)
    authority = Authority(clock, token, accounts[0].address)
    return World(clock, spool, accounts, PostOffice(accounts), authority, Quota(clock), Faults(), Journal())
