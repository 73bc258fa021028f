"""What each command of the window does. A refusal becomes `CommandFailed`; nothing else leaves here as an exception.

Commands are dealt with one after the other, in the order of their arrival, except signing in, which waits for a human.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from app.config.secrets import Secrets
from app.domain.account_commands import AccountCommand, SignInAgain
from app.domain.assistant_commands import AssistantCommand
from app.domain.changes import ChangeLabels, CreateLabel, Snooze, UndoChange
from app.domain.commands import (
    AddPreference,
    CancelSend,
    ChangeSettings,
    Command,
    ConnectGmail,
    ConnectService,
    Decide,
    DeletePreference,
    DraftReply,
    EditPreference,
    NoteContact,
    PauseAgents,
    RestorePreference,
    SendNow,
    Shutdown,
    StartDrafting,
    StoreKey,
    SyncNow,
    Undo,
    WipeAccount,
)
from app.domain.errors import ExpectedError, Refused
from app.domain.events import KeyStored, SettingsChanged, refusal
from app.domain.file_commands import FileCommand
from app.domain.profile_commands import AllowServer, AllowTool, ForbidServer
from app.domain.rule_commands import SaveRules
from app.domain.writing import WritingCommand
from app.engine.account_hand import AccountHand
from app.engine.announcer import Announcer
from app.engine.assisting.hand import AssistantHand
from app.engine.exits import Exits
from app.engine.file_hand import FileHand
from app.engine.grants import Grants
from app.engine.labelling import Labeller
from app.engine.live_files import LiveSettings, model_label
from app.engine.mailboxes import Mailboxes
from app.engine.refusals import Refusals
from app.engine.remembering import Remembering
from app.engine.reviewer import Reviewer
from app.engine.router import Router
from app.engine.rules_room import RulesRoom
from app.engine.store_threads import StoreThreads
from app.engine.tables import Tables
from app.engine.writing.hand import WritingHand

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hands:
    """Who does what; `rekeyed` is called when a model's key changed, `wanted` when the agents are needed, paused or not."""

    tables: Tables
    threads: StoreThreads
    reviewer: Reviewer
    router: Router
    labeller: Labeller
    files: FileHand
    mailboxes: Mailboxes
    accounts: AccountHand
    grants: Grants
    settings: LiveSettings
    secrets: Secrets
    remembering: Remembering
    writing: WritingHand
    rules: RulesRoom
    rekeyed: Callable[[], None]
    wanted: Callable[[], None]
    exits: Exits
    assistant: AssistantHand


class Commands:
    """The handler that the wire calls."""

    def __init__(self, hands: Hands, announcer: Announcer) -> None:
        self._hands = hands
        self._announcer = announcer
        self._refusals = Refusals(hands.tables, hands.threads)
        self._turn = asyncio.Lock()

    async def handle(self, command: Command) -> None:
        """Do it, or say why not."""
        try:
            if isinstance(command, ConnectGmail):
                await self._hands.mailboxes.sign_in(command.client_file)
                return
            if isinstance(command, ConnectService):
                await self._hands.mailboxes.started()
                await self._hands.grants.connect(command.service)
                return
            if isinstance(command, SignInAgain):
                await self._hands.accounts.do(command)
                return
            async with self._turn:
                with self._hands.threads.impatiently():
                    await self._do(command)
        except ExpectedError as error:
            self._announcer.tell(await self._refusals.of(command, error))
        except asyncio.CancelledError:
            words = ("It was given up while it waited for you.", "Begin it again.")
            self._announcer.tell(refusal(command, Refused.code, *words))
            raise
        except Exception as error:
            log.exception("%s failed", type(command).__name__)
            self._announcer.tell(refusal(command, "bug", type(error).__name__, ""))

    async def _do(self, command: Command) -> None:
        hands = self._hands
        match command:
            case Decide():
                await hands.reviewer.decide(command)
            case Undo(review_id):
                await hands.reviewer.undo(review_id)
            case CancelSend(outbox_id):
                if not await hands.writing.take_back(outbox_id):
                    await hands.reviewer.cancel(outbox_id)
            case SendNow(outbox_id):
                await hands.reviewer.send_now(outbox_id)
            case DraftReply(message_id):
                await hands.router.force(message_id)
                hands.wanted()
            case ChangeLabels() | CreateLabel() | Snooze() | UndoChange():
                await hands.labeller.do(command)
            case _:
                await self._do_around(command)

    async def _do_around(self, command: Command) -> None:
        """Commands that are not about mail."""
        hands = self._hands
        match command:
            case StartDrafting():
                await self._start_drafting(command)
            case PauseAgents(paused):
                await self._change((("drafting.paused", "true" if paused else "false"),))
            case SyncNow():
                hands.mailboxes.check_now()
            case ChangeSettings(values):
                await self._change(values)
            case StoreKey(provider, key, session_only):
                await hands.secrets.put(provider, key, session_only)
                hands.rekeyed()
                self._announcer.tell(KeyStored(provider))
                self._announcer.tell(SettingsChanged(model_label(hands.settings.now)))
            case AddPreference() | EditPreference() | DeletePreference() | RestorePreference():
                await hands.remembering.do(command)
            case SaveRules() | AllowServer() | ForbidServer() | AllowTool():
                await hands.rules.do(command)
            case WipeAccount(account_id):
                account = await hands.threads.run(hands.tables.accounts.get, account_id)
                hands.exits.wipe(account_id, account.email)
            case NoteContact(account_id, email, text):
                await hands.threads.run(hands.tables.contacts.note, account_id, email, text, hands.tables.clock())
            case Shutdown():
                hands.exits.stop()
            case _ if isinstance(command, FileCommand):
                await hands.files.do(command)
            case _ if isinstance(command, WritingCommand):
                await hands.writing.do(command)
            case _ if isinstance(command, AccountCommand):
                await hands.accounts.do(command)
            case _ if isinstance(command, AssistantCommand):
                await hands.assistant.do(command)

    async def _start_drafting(self, command: StartDrafting) -> None:
        """Consent first, then the mail that is here: what is fetched between the two is routed when it comes."""
        hands = self._hands
        since = hands.tables.clock() - timedelta(days=command.days)
        since_ms = int(since.timestamp() * 1000) if command.days else 0
        await hands.threads.run(hands.tables.accounts.set_consent, command.account_id, since_ms)
        await hands.router.choose(command.account_id, since_ms)

    async def _change(self, values: tuple[tuple[str, str], ...]) -> None:
        settings = self._hands.settings.change(values)
        self._announcer.tell(SettingsChanged(model_label(settings)))
