"""Commands and queries about the agents: drafting for mail, settings and keys."""

from collections.abc import Callable
from datetime import timedelta

from app.config.secrets import Secrets
from app.domain.protocol.commands import (
    ChangeSettings,
    DraftingPreview,
    DraftReply,
    FindModelServers,
    ListModels,
    ModelList,
    ModelServers,
    ModelTest,
    ModelTried,
    PauseAgents,
    PreviewDrafting,
    StartDrafting,
    StoreKey,
    TestModel,
    TrialMail,
    TrialMails,
    TryModel,
)
from app.domain.protocol.events import KeyStored, SettingsChanged
from app.domain.protocol.letter_commands import HelpWriting, WrittenText
from app.engine.runs.agent_runtime import AgentRuntime
from app.engine.runs.router import MailRouter
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.store.mail.messages import trial_mail


class DraftingCommands:
    """Says for which mail the agents draft, and what that costs. `want_agents` opens the agents, even while they are paused."""

    commands = (DraftReply, StartDrafting)
    queries = (PreviewDrafting, TestModel, TrialMail, TryModel, ListModels, FindModelServers, HelpWriting)

    def __init__(self, tables: Tables, router: MailRouter, runtime: AgentRuntime, want_agents: Callable[[], None]) -> None:
        self._tables, self._router, self._runtime, self._want_agents = tables, router, runtime, want_agents

    async def do(self, command: DraftReply | StartDrafting) -> None:
        """Handles one command. Raises `NotFound` or `NotAllowed`.

        Consent is stored before mail is chosen, so that mail fetched between the two is routed as it arrives.
        """
        if isinstance(command, DraftReply):
            await self._router.force(command.message_id, by_model=command.by_model)
            self._want_agents()
            return
        since_ms = self._since_ms(command.days)
        await self._tables.run(self._tables.accounts.set_consent, command.account_id, since_ms)
        await self._router.choose(command.account_id, since_ms)

    async def answer(
        self, query: PreviewDrafting | TestModel | TrialMail | TryModel | ListModels | FindModelServers | HelpWriting
    ) -> DraftingPreview | ModelTest | TrialMails | ModelTried | ModelList | ModelServers | WrittenText:
        """Finds, tests or asks models, or counts the mail that consent would route, and the drafts it needs with their cost."""
        match query:
            case TestModel(model, api_base):
                return await self._runtime.test_model(model, api_base)
            case TrialMail(most):
                return TrialMails(await self._tables.run(trial_mail, self._tables.db, most))
            case TryModel(model, api_base, message_id):
                return await self._runtime.try_model(model, api_base, message_id)
            case ListModels(provider, api_base):
                return await self._runtime.list_models(provider, api_base)
            case FindModelServers():
                return await self._runtime.find_servers()
            case HelpWriting():
                return await self._runtime.help_write(query)
        ids = await self._tables.run(self._tables.messages.unread_inbox_since, query.account_id, self._since_ms(query.days))
        drafts = await self._tables.run(self._runtime.unsettled, ids)
        return DraftingPreview(len(ids), drafts, await self._runtime.cost(drafts))

    def _since_ms(self, days: int) -> int:
        """The beginning of the last `days` days, 0 for no days."""
        return int((self._tables.clock() - timedelta(days=days)).timestamp() * 1000) if days else 0


class SettingsCommands:
    """`give_keys` gives the agents the current keys and retries what waited for one."""

    commands = (PauseAgents, ChangeSettings, StoreKey)

    def __init__(self, settings: LiveSettings, secrets: Secrets, announcer: EventBus, give_keys: Callable[[], None]) -> None:
        self._settings, self._secrets, self._announcer, self._give_keys = settings, secrets, announcer, give_keys

    async def do(self, command: PauseAgents | ChangeSettings | StoreKey) -> None:
        """Handles one command. Raises `BadFile`, `NotAllowed`, `DiskFull` or `KeyringUnavailable`."""
        match command:
            case PauseAgents(paused):
                self._settings.change((("drafting.paused", "true" if paused else "false"),))
            case ChangeSettings(values):
                self._settings.change(values)
            case StoreKey(provider, key, session_only):
                await self._secrets.put(provider, key, session_only)
                self._give_keys()
                self._announcer.tell(KeyStored(provider))
        self._announcer.tell(SettingsChanged(self._settings.now.model.name))
