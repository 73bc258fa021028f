"""Which accounts are connected now: the one place where workers get an account's server."""

from collections.abc import Callable

from app.domain.ids import AccountId
from app.domain.ports.gmail import MailServer


class Connections:
    """Servers by account. Listeners are told when one comes up."""

    def __init__(self) -> None:
        self._servers: dict[AccountId, MailServer] = {}
        self._listeners: list[Callable[[], None]] = []

    def put(self, account_id: AccountId, server: MailServer) -> None:
        """An account is connected."""
        self._servers[account_id] = server
        for listener in self._listeners:
            listener()

    def drop(self, account_id: AccountId) -> None:
        """An account is not connected any more."""
        self._servers.pop(account_id, None)

    def server(self, account_id: AccountId) -> MailServer | None:
        """The account's server, None while it is not connected."""
        return self._servers.get(account_id)

    @property
    def accounts(self) -> tuple[AccountId, ...]:
        """Those that are connected."""
        return tuple(self._servers)

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever an account is connected."""
        self._listeners.append(listener)
