"""Dispatches the window's commands. An error becomes the event `CommandFailed`; nothing is raised.

Commands run one after another in the order of their arrival. Only sign-ins run beside them, because they wait for the user.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from app.config.secrets import Secrets
from app.domain.error_texts import ErrorText
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.protocol.account_commands import AccountCommand, SignInAgain
from app.domain.protocol.agent_commands import AllowServer, AllowTool, ForbidServer, SaveRules
from app.domain.protocol.archive_commands import FileCommand
from app.domain.protocol.assistant_commands import AssistantCommand
from app.domain.protocol.changes import ChangeLabels, CreateLabel, Snooze, UndoChange
from app.domain.protocol.commands import (
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
from app.domain.protocol.events import KeyStored, SettingsChanged, command_failed
from app.domain.protocol.letter_commands import WritingCommand
from app.engine.accounts.mailboxes import Mailboxes
from app.engine.accounts.service_grants import ServiceGrants
from app.engine.assistant.assistant_service import RequestCommands
from app.engine.commands.account_commands import AccountCommands
from app.engine.files.file_commands import FileCommands
from app.engine.learning.memory import PreferenceCommands
from app.engine.letters.letter_service import LetterService
from app.engine.reviews.review_service import ReviewService
from app.engine.rules.rules_service import RulesService
from app.engine.runs.router import MailRouter
from app.engine.runtime.engine_exit import EngineExit
from app.engine.runtime.event_bus import CommandErrors, EventBus
from app.engine.runtime.settings_watcher import LiveSettings, model_label
from app.engine.runtime.tables import Tables
from app.engine.sync.label_changes import LabelService

log = logging.getLogger(__name__)

SignIn = ConnectGmail | ConnectService | SignInAgain
"""Commands that wait for the user at a browser."""


@dataclass(frozen=True, slots=True)
class CommandTargets:
    """The services that handle commands.

    `rekeyed` is called after a model's key changed, `wanted` when the agents are needed although they may be paused.
    """

    tables: Tables
    reviewer: ReviewService
    router: MailRouter
    labeller: LabelService
    files: FileCommands
    mailboxes: Mailboxes
    accounts: AccountCommands
    grants: ServiceGrants
    settings: LiveSettings
    secrets: Secrets
    remembering: PreferenceCommands
    writing: LetterService
    rules: RulesService
    rekeyed: Callable[[], None]
    wanted: Callable[[], None]
    exits: EngineExit
    assistant: RequestCommands


class CommandHandler:
    """Handles every command that comes over the wire."""

    def __init__(self, targets: CommandTargets, announcer: EventBus) -> None:
        self._targets = targets
        self._announcer = announcer
        self._command_errors = CommandErrors(targets.tables)
        self._lock = asyncio.Lock()
        self._sign_ins: set[asyncio.Task[None]] = set()

    async def handle(self, command: Command) -> None:
        """Handles one command. A failure is sent as `CommandFailed`."""
        try:
            if isinstance(command, SignIn):
                await self._sign_in(command)
                return
            async with self._lock:
                with self._targets.tables.threads.impatiently():
                    await self._do(command)
        except ExpectedError as error:
            self._announcer.tell(await self._command_errors.of(command, error))
        except Exception as error:
            log.exception("%s failed", type(command).__name__)
            self._announcer.tell(command_failed(command, "bug", ErrorText.of(type(error).__name__)))

    def give_up_sign_ins(self) -> None:
        """Ends the sign-ins that wait for the user, because the engine ends. Each is answered as failed."""
        for task in self._sign_ins:
            task.cancel()

    async def _sign_in(self, command: SignIn) -> None:
        """Waits for the user at a browser, maybe for minutes, beside the other commands. Raises as the sign-in."""
        task = asyncio.create_task(self._with_user(command))
        self._sign_ins.add(task)
        task.add_done_callback(self._sign_ins.discard)
        await asyncio.wait({task})
        if task.cancelled():
            raise NotAllowed("It was given up while it waited for you.", "Begin it again.")
        task.result()

    async def _with_user(self, command: SignIn) -> None:
        targets = self._targets
        match command:
            case ConnectGmail(client_file):
                await targets.mailboxes.sign_in(client_file)
            case ConnectService(service):
                await targets.mailboxes.started()
                await targets.grants.connect(service)
            case SignInAgain():
                await targets.accounts.do(command)

    async def _do(self, command: Command) -> None:
        targets = self._targets
        if isinstance(command, FileCommand):
            await targets.files.do(command)
        elif isinstance(command, WritingCommand):
            await targets.writing.do(command)
        elif isinstance(command, AccountCommand):
            await targets.accounts.do(command)
        elif isinstance(command, AssistantCommand):
            await targets.assistant.do(command)
        else:
            await self._do_mail(command)

    async def _do_mail(self, command: Command) -> None:
        """Handles commands about mail and drafts."""
        targets = self._targets
        match command:
            case Decide():
                await targets.reviewer.decide(command)
            case Undo(review_id):
                await targets.reviewer.undo(review_id)
            case CancelSend(outbox_id):
                if not await targets.writing.take_back(outbox_id):
                    await targets.reviewer.cancel(outbox_id)
            case SendNow(outbox_id):
                await targets.reviewer.send_now(outbox_id)
            case DraftReply(message_id):
                await targets.router.force(message_id)
                targets.wanted()
            case ChangeLabels() | CreateLabel() | Snooze() | UndoChange():
                await targets.labeller.do(command)
            case StartDrafting():
                await self._start_drafting(command)
            case SyncNow():
                targets.mailboxes.check_now()
            case _:
                await self._do_other(command)

    async def _do_other(self, command: Command) -> None:
        """Handles commands about settings, memory, rules and the engine itself."""
        targets = self._targets
        match command:
            case PauseAgents(paused):
                await self._change((("drafting.paused", "true" if paused else "false"),))
            case ChangeSettings(values):
                await self._change(values)
            case StoreKey():
                await self._store_key(command)
            case AddPreference() | EditPreference() | DeletePreference() | RestorePreference():
                await targets.remembering.do(command)
            case SaveRules() | AllowServer() | ForbidServer() | AllowTool():
                await targets.rules.do(command)
            case WipeAccount(account_id):
                await targets.accounts.wipe(account_id)
            case NoteContact(account_id, email, text):
                await targets.tables.run(targets.tables.contacts.note, account_id, email, text, targets.tables.clock())
            case Shutdown():
                targets.exits.stop()

    async def _store_key(self, command: StoreKey) -> None:
        await self._targets.secrets.put(command.provider, command.key, command.session_only)
        self._targets.rekeyed()
        self._announcer.tell(KeyStored(command.provider))
        self._announcer.tell(SettingsChanged(model_label(self._targets.settings.now)))

    async def _start_drafting(self, command: StartDrafting) -> None:
        """Stores consent before choosing mail, so that mail fetched between the two is routed as it arrives."""
        targets = self._targets
        since = targets.tables.clock() - timedelta(days=command.days)
        since_ms = int(since.timestamp() * 1000) if command.days else 0
        await targets.tables.run(targets.tables.accounts.set_consent, command.account_id, since_ms)
        await targets.router.choose(command.account_id, since_ms)

    async def _change(self, values: tuple[tuple[str, str], ...]) -> None:
        settings = self._targets.settings.change(values)
        self._announcer.tell(SettingsChanged(model_label(settings)))
