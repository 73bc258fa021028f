"""Commands about connected accounts and opened mail."""

import re
from typing import assert_never, get_args

from app.config.paths import DataFolder
from app.domain.errors import BadFile, NotAllowed, Offline
from app.domain.ports.gmail import MailServer
from app.domain.protocol.account_commands import (
    AccountCommand,
    CancelSignIn,
    ChangeMailSettings,
    CheckClientFile,
    ClientFileChecked,
    MailSettings,
    PauseAccount,
    PrepareHtml,
    ReadMailSettings,
    RecolourAccount,
    Signature,
    SignInAgain,
    WindowAttention,
)
from app.domain.protocol.commands import ConnectGmail, ConnectService, NoteContact, Service, SyncNow, WipeAccount
from app.engine.accounts.account_wipe import note_wipe
from app.engine.accounts.connections import Connections
from app.engine.accounts.mailboxes import Mailboxes
from app.engine.accounts.service_grants import ServiceGrants
from app.engine.files.html_cleaner import HtmlCleaner
from app.engine.runtime.process_control import EngineExit
from app.engine.runtime.tables import Tables

COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class AccountCommands:
    """Handles commands about accounts, and the check of an OAuth client file. Seven parameters: forgetting or wiping an account
    touches every part that holds its data.
    """

    commands = (*get_args(AccountCommand), ConnectGmail, ConnectService, WipeAccount, NoteContact, SyncNow)
    queries = (CheckClientFile, ReadMailSettings, ChangeMailSettings)

    def __init__(
        self,
        folder: DataFolder,
        tables: Tables,
        mailboxes: Mailboxes,
        grants: ServiceGrants,
        html_cleaner: HtmlCleaner,
        exits: EngineExit,
        connections: Connections,
    ) -> None:
        self._connections, self._folder = connections, folder
        self._tables, self._mailboxes = tables, mailboxes
        self._grants, self._html_cleaner, self._exits = grants, html_cleaner, exits

    async def do(self, command: AccountCommand | ConnectGmail | ConnectService | WipeAccount | NoteContact | SyncNow) -> None:
        """Handles one command. Raises `NotFound`, `NotAllowed`, `DiskFull` and the errors of a sign-in."""
        match command:
            case ConnectGmail(client_file):
                await self._mailboxes.sign_in(client_file)
            case ConnectService(service):
                await self._mailboxes.started()
                await self._grants.connect(service)
            case SignInAgain(account_id):
                account = await self._tables.run(self._tables.accounts.get, account_id)
                await self._mailboxes.sign_in_again(account)
            case WipeAccount(account_id):
                account = await self._tables.run(self._tables.accounts.get, account_id)
                note_wipe(self._folder, account_id, account.email)
                self._exits.restart("an account is to be wiped")  # the next start wipes it
            case SyncNow():
                self._mailboxes.check_now()
            case NoteContact(account_id, email, text):
                await self._tables.run(self._tables.contacts.note, account_id, email, text, self._tables.clock())
            case _:
                await self._do_other(command)

    async def _do_other(self, command: PrepareHtml | PauseAccount | RecolourAccount | CancelSignIn | WindowAttention) -> None:
        """Handles commands about what an account shows and whether it syncs."""
        match command:
            case PrepareHtml(message_id):
                await self._html_cleaner.prepare(message_id)
            case PauseAccount(account_id, paused):
                await self._tables.run(self._tables.accounts.get, account_id)
                await self._tables.run(self._tables.accounts.set_paused, account_id, paused)
                self._mailboxes.pause(account_id, paused)
            case RecolourAccount(account_id, colour):
                if not COLOUR.fullmatch(colour):
                    raise NotAllowed(f"{colour!r} is no colour.", "Write it as #rrggbb.")
                await self._tables.run(self._tables.accounts.set_colour, account_id, colour.lower())
            case CancelSignIn():
                self._mailboxes.cancel_sign_ins()
            case WindowAttention(looked_at):
                self._mailboxes.attend(looked_at)
            case _:
                assert_never(command)

    async def answer(self, query: CheckClientFile | ReadMailSettings | ChangeMailSettings) -> ClientFileChecked | MailSettings:
        """Says what is wrong with an OAuth client file (empty for a valid one), or reads and changes settings in Gmail."""
        match query:
            case CheckClientFile():
                return await self._tables.run(_checked, query)
            case ReadMailSettings(account_id):
                server = self._connections.server(account_id)
                if server is None:
                    raise Offline("The account is not connected now.", "Try again when it is online.")
                return await _read_settings(server)
            case ChangeMailSettings(account_id):
                return await self._change_mail_settings(query)

    async def _change_mail_settings(self, query: ChangeMailSettings) -> MailSettings:
        """Asks for the permission where it is missing, writes once, and reads what Gmail has then."""
        server = await self._grants.allowed(query.account_id, Service.MAIL_SETTINGS)
        try:
            if query.signature is not None:
                await server.set_signature(query.signature.email, query.signature.html)
            if query.vacation is not None:
                await server.set_vacation(query.vacation)
            found, senders = await _read_settings(server), await server.send_as()
        finally:
            await server.close()
        await self._tables.run(self._tables.accounts.set_identities, query.account_id, senders)
        return found


async def _read_settings(server: MailServer) -> MailSettings:
    signatures = tuple(Signature(one.email, one.signature) for one in await server.send_as())
    return MailSettings(signatures, await server.vacation())


def _checked(query: CheckClientFile) -> ClientFileChecked:
    from app.mail.gmail.client_file import read_client_file  # slow to import, needed only once a file is chosen

    try:
        read_client_file(query.path)
    except BadFile as error:
        return ClientFileChecked(error.text, error.line)
    return ClientFileChecked()
