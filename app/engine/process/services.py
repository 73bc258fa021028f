"""Builds all engine services once, in order. Parts that are slow to import are opened after the wire is served."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from app.config.paths import DataFolder
from app.config.secrets import Secrets
from app.config.settings import Settings, zone_of
from app.domain.agents.requests import request_of
from app.domain.errors import ExpectedError, ModelUnavailable
from app.domain.ids import AccountId, ReviewId, RunId
from app.domain.protocol.events import ErrorReported, MemoryChanged
from app.engine.accounts.connections import AddressBooks, Connections, GoogleServices
from app.engine.accounts.mailbox import MailboxContext
from app.engine.accounts.mailboxes import Mailboxes
from app.engine.accounts.service_grants import ServiceGrants, wanted_services
from app.engine.accounts.sign_in import SignInMonitor
from app.engine.assistant.assistant_service import AssistantService
from app.engine.assistant.gmail_agent_choice import GmailAgentChoice
from app.engine.commands.account_commands import AccountCommands
from app.engine.commands.command_handler import CommandHandler
from app.engine.commands.corrections import CorrectionService
from app.engine.commands.drafting_commands import DraftingCommands, SettingsCommands
from app.engine.commands.spelling import Spelling
from app.engine.files.file_commands import FileCommands
from app.engine.files.file_texts import FileTextReader
from app.engine.files.html_cleaner import HtmlCleaner
from app.engine.files.invitations import InvitationService
from app.engine.learning.backtest import BacktestService
from app.engine.learning.memory import PreferenceCommands, StoredMemory
from app.engine.letters.letter_service import LetterService
from app.engine.outbox.sender import Sender
from app.engine.reviews.outbox_composer import OutboxComposer
from app.engine.reviews.review_service import ReviewService
from app.engine.rules.rules_service import RulesService, watch_files
from app.engine.runs.agent_dependencies import AgentBackends, AgentModels, ProfileToolbox, missing_tools, wits_of
from app.engine.runs.agent_runtime import AgentRuntime
from app.engine.runs.page_observer import PageObserver
from app.engine.runs.router import MailRouter, ModelRetry
from app.engine.runs.run_repository import RunRepository
from app.engine.runs.runner import DraftingGate, Runner
from app.engine.runtime.clock import watch_sleep
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.process_control import EngineExit
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.engine.runtime.workers import TaskSet, WakeUp, WorkerSupervisor, doubled_s
from app.engine.search.indexer import Indexer
from app.engine.search.mail_search import TextSearch
from app.engine.search.semantic_search import SemanticSearch
from app.engine.sync.label_changes import LabelService
from app.engine.sync.listing import SyncPace
from app.store.mail.sync_page import Applied, SyncPage
from app.store.requests.artifacts import ArtifactFolder

if TYPE_CHECKING:
    from app.engine.learning.archive_learner import ArchiveLearner
    from app.engine.learning.learner import Learner

log = logging.getLogger(__name__)

FIRST_RETRY_S, LONGEST_RETRY_S = 10.0, 600.0
"""Pauses before the agents are opened again."""

GRAPH_VERSION = 2
FINISH_S = 8.0


class EngineServices:
    """All services and workers over one data folder. `open` starts them, `close` ends them in reverse order."""

    def __init__(
        self,
        folder: DataFolder,
        environment: Mapping[str, str],
        announcer: EventBus,
        tables: Tables,
        exits: EngineExit,
        secrets: Secrets,
    ) -> None:
        self.settings = LiveSettings(folder.settings, announcer)
        self._rules = RulesService(folder, tables, announcer)
        self._exits = exits
        self._announcer, self._tables = announcer, tables
        self._run_wake_up, self._secrets, self._rows = WakeUp(), secrets, RunRepository(tables)
        self._memory = StoredMemory(tables.preferences, lambda namespace: self.settings.now.memory.text(namespace))
        self._indexer: Indexer | None = None
        self._runner: Runner | None = None
        self._learner: Learner | None = None
        self._archive_learner: ArchiveLearner | None = None
        self._opening: asyncio.Task[None] | None = None
        self._tasks = TaskSet()
        self._text_search, self._workers = TextSearch(tables), WorkerSupervisor(announcer)
        self.meaning = SemanticSearch(tables, self.settings)
        connections, self._services = Connections(), GoogleServices()
        self._grants = ServiceGrants(self._services, self._secrets, announcer, self.settings)
        self._services.listen(self._rebuild)
        self._address_books = AddressBooks(tables, self._services)
        self._sender = Sender(tables, announcer, connections, self._sync_now, self._services)
        artifacts = ArtifactFolder(folder.artifacts)
        composer = OutboxComposer(tables, artifacts)
        self._review_service = ReviewService(tables, announcer, composer, self.settings, self._sender.steps, self)
        self._label_service = LabelService(tables, announcer, self._sender.wake_up, self.fetched)
        self._files = FileCommands(tables, announcer, connections, folder.attachments)
        self._invitations = InvitationService(
            tables, announcer, self._files.files, self._services, self._sender.steps, self.settings
        )
        self._router = MailRouter(tables, announcer, self._rules.file, self._run_wake_up, GRAPH_VERSION)
        self._router.apply_rule = self._label_service.apply_rule
        self._page_observer = PageObserver(tables, announcer, self._run_wake_up.ring)
        self._letter_service = LetterService(
            tables, announcer, connections, self._sender.steps, self._review_service.cancel, self.settings
        )
        self._html_cleaner = HtmlCleaner(tables, announcer)
        self._file_texts = FileTextReader(tables, self.settings, self._files.files)
        self._sign_in_monitor = SignInMonitor(tables, announcer)
        context = MailboxContext(tables, announcer, connections, SyncPace(self.settings), self)
        self._mailboxes = Mailboxes(environment, context, self._workers, secrets, self._grants)
        self._accounts = AccountCommands(folder, tables, self._mailboxes, self._grants, self._html_cleaner, exits, connections)
        profiles, paused = self._rules.profiles, lambda: self.settings.now.drafting.paused
        self._profile_toolbox = ProfileToolbox(folder, tables, profiles, paused, self._rules.servers.served)
        backends = AgentBackends(tables, self._review_service, announcer, self._memory, self._services, self._profile_toolbox)
        self._agent_runtime = AgentRuntime(folder, secrets, self.settings, backends)
        gmail = GmailAgentChoice(folder, tables, secrets, environment, self.settings)
        self._assistant = AssistantService(gmail, artifacts, tables, announcer, self._open_agents, self._run_wake_up.ring)
        self._agent_runtime.on_rebuild(self._assistant.assemble)
        self._agent_runtime.on_rebuild(lambda _deps: self._run_wake_up.ring())
        missing = partial(missing_tools, tables, self.settings, self._services)
        self._rules.meet_agents(self._agent_runtime.try_profile, missing, self._rebuild, self._review_service)
        self.settings.listen(self._settings_changed)
        self.commands = self._make_handler(folder)

    async def open(self) -> None:
        """Starts every worker. Mail comes first, since approved mail may wait, then the agents."""
        self._workers.start("sender", self._sender.run)
        self._workers.start("contacts", self._address_books.run)
        self._workers.start("drafts", self._letter_service.run)
        self._workers.start("router", self._router.run)
        self._workers.start("snoozing", self._label_service.run)
        self._workers.start("mail files", self._files.run)
        self._workers.start("html", self._html_cleaner.run)
        self._workers.start("file texts", self._file_texts.run)
        self._workers.start("sign-ins", self._sign_in_monitor.run)
        self._workers.start("sleep", partial(watch_sleep, time.time, time.monotonic, self._sync_now))
        self._workers.start("files", partial(watch_files, self.settings, self._rules.file, self._tables))
        self._workers.start("tool servers", self._rules.servers.run)
        self._workers.start("keyring", self._follow_keyring)
        self._workers.start("assistant", self._assistant.run)
        await self._guarded(self._mailboxes.start())
        self._tasks.start(self._guarded(self._text_search.warm()))
        if not self.settings.now.drafting.paused:
            self._tasks.start(self._keep_opening())

    async def close(self) -> None:
        """Lets running steps finish for up to `FINISH_S` each, then stops and closes everything."""
        await self._sender.finish(FINISH_S)
        if self._runner is not None:
            await self._runner.finish(FINISH_S)
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        await self._workers.stop()
        await self._assistant.close()
        await self._files.close()
        with suppress(ExpectedError):
            await self._tables.run(self._memory.count_uses)
        await self._tasks.cancel()
        await self._page_observer.close()
        if self._indexer is not None:
            await asyncio.to_thread(self._indexer.close)
        await self._rules.servers.close()
        await self.meaning.close()
        await self._agent_runtime.close()
        self._profile_toolbox.close()
        await self._mailboxes.close()
        await self._services.close()
        await self._text_search.close()

    async def _open_agents(self) -> None:
        """Opens the agents once, or again after an opening that failed. If they are paused from the start, they are opened when
        first needed. Raises what `_opened` raises.
        """
        if self._opening is None or (self._opening.done() and self._runner is None):
            self._opening = asyncio.create_task(self._opened())
        await asyncio.shield(self._opening)

    async def _keep_opening(self) -> None:
        """Opens the agents, and tries again with growing pauses: a full disk or a locked file passes. Only the first failure is
        reported.
        """
        await self._guarded(self._open_agents())
        failures = 0
        while self._runner is None:
            failures += 1
            await asyncio.sleep(doubled_s(FIRST_RETRY_S, failures, LONGEST_RETRY_S))
            try:
                await self._open_agents()
            except Exception as error:
                log.exception("not opened, try %d: %s", failures + 1, type(error).__name__)

    async def _opened(self) -> None:
        models = await self._open_models()
        from app.agent.retrieval import mail_text  # already imported with the models
        from app.engine.learning.archive_learner import ArchiveLearner
        from app.engine.learning.learner import Learner

        indexer = self._indexer = Indexer(
            self._tables,
            self._announcer,
            models.model,
            models.vectors,
            mail_text,
            self._run_wake_up.ring,
            lambda: self.settings.now.sync.archives_by_meaning,
        )
        self._page_observer.forget = indexer.forget
        gate = DraftingGate(self.settings, self._mailboxes, indexer, time.monotonic)
        shared = (self._tables, self._announcer)
        # The end of a run may leave mail to be marked as read.
        self._runner = Runner(*shared, self._agent_runtime, self._run_wake_up, gate, self._sender.wake_up.ring)
        self._runner.refusal = self._agent_runtime.refusal
        self._workers.start("indexer", indexer.run)
        self._workers.start("runner", self._runner.run)
        retry = ModelRetry(self._tables, self._router, self._agent_runtime.gateway)
        self._workers.start("model retry", retry.run)
        self._learner = Learner(*shared, models.triage, models.embedder, self._memory, self._agent_runtime.gateway_for)
        self._workers.start("learner", self._learner.run)
        self._archive_learner = ArchiveLearner(
            self._tables,
            models.triage,
            lambda: zone_of(self.settings.now.calendar.time_zone),
            lambda ids: self._announcer.tell(MemoryChanged(tuple(ids))),
        )
        self._workers.start("archive", self._archive_learner.run)

    async def _open_models(self) -> AgentModels:
        """Opens models and vectors, which search by meaning needs too."""
        self.meaning.begin()
        try:
            # Lost vectors are built anew by the next start.
            lost = partial(self._exits.restart, "the vectors are lost")
            return await self._agent_runtime.open(lost, lambda models: self.meaning.ready(wits_of(models)))
        except ExpectedError as error:
            self.meaning.fail(error)
            raise
        except Exception as error:
            self.meaning.fail(ModelUnavailable(type(error).__name__))
            raise

    async def _guarded(self, opening: Awaitable[None]) -> None:
        """Awaits `opening`. An exception is logged and reported, not raised."""
        try:
            await opening
        except ExpectedError as error:
            log.error("not opened: %s", error)
            self._announcer.tell(ErrorReported.of(error))
        except Exception as error:
            log.exception("not opened")
            self._announcer.bug("opening", error)

    def _make_handler(self, folder: DataFolder) -> CommandHandler:
        drafting = DraftingCommands(self._tables, self._router, self._agent_runtime, self.want_agents)
        memory = PreferenceCommands(self._tables, self._announcer, self._relearn)
        wakes = (self._sender.wake_up, self._run_wake_up)
        corrections = CorrectionService(self._tables, self._announcer, self._review_service, self._router, wakes, self)
        services = (
            self._review_service,
            corrections,
            self._letter_service,
            self._label_service,
            self._files,
            self._invitations,
            self._accounts,
            self._assistant,
            self._rules,
            drafting,
            memory,
            SettingsCommands(self.settings, self._secrets, self._announcer, lambda: self._start_task(self._rekey())),
        )
        answering = (
            BacktestService(folder.root, self._tables, self._announcer),
            self._text_search,
            self.meaning,
            Spelling(),
            self._invitations,
            self._rules,
            self._accounts,
            drafting,
            self._assistant,
        )
        return CommandHandler(services, answering, self._tables, self._announcer, self._exits)

    def want_agents(self) -> None:
        """Opens the agents, even while they are paused."""
        self._tasks.start(self._keep_opening())

    async def decided(self, run_id: RunId, review_id: ReviewId) -> None:
        """Wakes the learner, and the run of a decided review. The assistant follows its own reviews."""
        if self._learner is not None:
            self._learner.wake()
        if request_of(run_id) is None:
            await self._tables.run(self._rows.wake, run_id, review_id)
            self._run_wake_up.ring()

    async def decision_undone(self) -> None:
        """Learns again after a decision was undone."""
        self._announcer.tell(MemoryChanged(()))
        await self._relearn()

    def corrected(self, agents: bool) -> None:
        """Learns from a correction in the background, and opens the agents for the run it started."""
        self._start_task(self._relearn())
        if self._archive_learner is not None:
            self._archive_learner.wake()
        if agents:
            self.want_agents()

    async def _relearn(self) -> None:
        """Makes the agents learn again from the stored preferences."""
        if self._learner is not None:
            await self._learner.relearn()

    def fetched(self) -> None:
        """Wakes the workers that process new mail. Also called when mail left spam or trash."""
        self._router.wake()
        self._html_cleaner.wake()
        self._file_texts.wake()
        if self._indexer is not None:
            self._indexer.wake()

    def _sync_now(self) -> None:
        self._letter_service.moved()
        self._mailboxes.sync_now()

    def signed_out(self, account_id: AccountId) -> None:
        """Called when Google rejects an account's sign-in."""
        self._sign_in_monitor.refused(account_id)

    def paged(self, account_id: AccountId, page: SyncPage, applied: Applied) -> None:
        """Called after sync wrote a page."""
        self._page_observer(account_id, page, applied)
        self._letter_service.page(account_id, page, applied)
        if applied.rescued_ids:
            self.fetched()
        if applied.outbox_ids:
            self._sender.wake_up.ring()

    def _settings_changed(self, old: Settings, new: Settings) -> None:
        """Rebuilds the agents when their settings changed. Everything else reads the settings when it needs them."""
        if _asked_of_agents(old) != _asked_of_agents(new):
            self._rebuild()
        if wanted_services(old) != wanted_services(new):
            self._start_task(self._grants.settle())
        if old.drafting.paused and not new.drafting.paused:
            self._tasks.start(self._keep_opening())
        if self._indexer is not None and old.sync.archives_by_meaning != new.sync.archives_by_meaning:
            self._indexer.wake()
        self._run_wake_up.ring()

    def _rebuild(self) -> None:
        self._start_task(self._agent_runtime.rebuild())

    async def _rekey(self) -> None:
        """Gives the agents the current keys and retries at once what waited for a key."""
        await self._agent_runtime.rebuild()
        await self._tables.run(self._rows.run_now)
        self._run_wake_up.ring()

    async def _follow_keyring(self) -> None:
        """Reads keys and sign-ins whenever the keyring opens late, until cancelled.

        Keys come first, because an account that goes on lets runs begin.
        """
        while True:
            await self._secrets.opened()
            await self._guarded(self._rekey())
            await self._guarded(self._mailboxes.unlocked())

    def _start_task(self, work: Awaitable[None]) -> None:
        self._tasks.start(self._guarded(work))


def _asked_of_agents(settings: Settings) -> tuple[object, ...]:
    drafting = settings.drafting
    outside = (settings.calendar, settings.web, settings.assistant)
    routes = (drafting.answer_route, drafting.meeting_route, drafting.mark_ignored_read)
    return settings.model, settings.privacy, settings.automation, *outside, drafting.background, *routes
