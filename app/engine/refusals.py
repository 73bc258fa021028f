"""What the window is told of a command that could not be done, and whose mail the command was about."""

from dataclasses import replace

from app.domain.errors import ExpectedError
from app.domain.events import CommandFailed, refusal
from app.domain.ids import AccountId
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables
from app.store.owners import OWNED, owner_of


class Refusals:
    """Makes the events."""

    def __init__(self, tables: Tables, threads: StoreThreads) -> None:
        self._tables = tables
        self._threads = threads

    async def of(self, command: object, error: ExpectedError) -> CommandFailed:
        """Trouble that the user can meet."""
        account_id = error.account_id or await self._whose(command)
        return replace(refusal(command, error.code, error.detail, error.remedy), account_id=account_id)

    async def _whose(self, command: object) -> AccountId:
        """The one account that the command is about, 0 where that cannot be told."""
        try:
            return await self._threads.run(self._looked_up, command)
        except ExpectedError:  # the file cannot be read: the refusal says why, or something else does
            return AccountId(0)

    def _looked_up(self, command: object) -> AccountId:
        owned = getattr(command, "letter", command)
        if account_id := getattr(owned, "account_id", 0):
            return AccountId(account_id)
        for field in OWNED:
            if (named := getattr(command, field, None)) is not None:
                return owner_of(self._tables.db, field, named if isinstance(named, tuple) else (named,))
        return AccountId(0)
