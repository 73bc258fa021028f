"""Commands about connected accounts and opened mail."""

import re
from typing import assert_never

from app.config.paths import DataFolder
from app.domain.errors import BadFile, NotAllowed
from app.domain.ids import AccountId
from app.domain.protocol.account_commands import (
    AccountCommand,
    CheckClientFile,
    ClientFileChecked,
    PauseAccount,
    PrepareHtml,
    RecolourAccount,
    SignInAgain,
    WindowAttention,
)
from app.engine.accounts.account_wipe import note_wipe
from app.engine.accounts.mailboxes import Mailboxes
from app.engine.files.html_cleaner import HtmlCleaner
from app.engine.runtime.engine_exit import EngineExit
from app.engine.runtime.tables import Tables

COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class AccountCommands:
    """Handles `AccountCommand`s and the check of an OAuth client file."""

    def __init__(
        self,
        folder: DataFolder,
        tables: Tables,
        mailboxes: Mailboxes,
        html_cleaner: HtmlCleaner,
        exits: EngineExit,
    ) -> None:
        self._folder = folder
        self._tables = tables
        self._mailboxes = mailboxes
        self._html_cleaner = html_cleaner
        self._exits = exits

    async def do(self, command: AccountCommand) -> None:
        """Handles one command. Raises `NotFound`, `NotAllowed` and, for `SignInAgain`, the errors of the sign-in."""
        match command:
            case PrepareHtml(message_id):
                await self._html_cleaner.prepare(message_id)
            case PauseAccount(account_id, paused):
                await self._tables.run(self._tables.accounts.get, account_id)
                await self._tables.run(self._tables.account_marks.set_paused, account_id, paused)
                self._mailboxes.pause(account_id, paused)
            case RecolourAccount(account_id, colour):
                if not COLOUR.fullmatch(colour):
                    raise NotAllowed(f"{colour!r} is no colour.", "Write it as #rrggbb.")
                await self._tables.run(self._tables.account_marks.set_colour, account_id, colour.lower())
            case SignInAgain(account_id):
                account = await self._tables.run(self._tables.accounts.get, account_id)
                await self._mailboxes.sign_in_again(account)
            case WindowAttention(looked_at):
                self._mailboxes.attend(looked_at)
            case _:
                assert_never(command)

    async def wipe(self, account_id: AccountId) -> None:
        """Notes that the account is to be wiped, which the next start does. Raises `NotFound` or `DiskFull`."""
        account = await self._tables.run(self._tables.accounts.get, account_id)
        note_wipe(self._folder, account_id, account.email)
        self._exits.restart("an account is to be wiped")

    async def check(self, query: CheckClientFile) -> ClientFileChecked:
        """Says what is wrong with an OAuth client file, with empty texts for a valid one."""
        return await self._tables.run(_checked, query)


def _checked(query: CheckClientFile) -> ClientFileChecked:
    from app.mail.gmail.client_file import read_client_file  # slow to import, needed only once a file is chosen

    try:
        read_client_file(query.path)
    except BadFile as error:
        return ClientFileChecked(error.text, error.line)
    return ClientFileChecked()
