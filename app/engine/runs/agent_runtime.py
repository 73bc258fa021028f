"""Loads embedder, vectors, triage, model and the mail graph in a thread, and rebuilds the graph when settings or keys change.

Also estimates what drafting costs: from the model's past cost, else from its list price.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakValueDictionary

import msgspec

from app.config.paths import DataFolder
from app.config.secrets import Secrets
from app.config.settings import ModelSettings
from app.domain.agents.memory import Namespace
from app.domain.agents.model_providers import key_name, prefix_of, provider_with
from app.domain.agents.runs import Run, RunStatus
from app.domain.agents.tools import AgentProfile
from app.domain.error_texts import NO_TEXT, Cause, ErrorText
from app.domain.errors import KeyringUnavailable, ModelUnavailable, NotFound, StoreDamaged
from app.domain.ids import JobId, MessageId, ReviewId, RunId
from app.domain.mail.message import Message
from app.domain.protocol.agent_commands import ProfileTried
from app.domain.protocol.commands import ModelList, ModelServers, ModelTest, ModelTried
from app.domain.protocol.events import ErrorReported
from app.domain.protocol.letter_commands import HelpWriting, WrittenText
from app.domain.record import replace
from app.engine.runs.agent_dependencies import AgentBackends, AgentModels, profile_gateway
from app.engine.runs.run_repository import RunRepository
from app.engine.runtime.background_imports import load, preload
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.search.indexer import queue_lost
from app.store.db.errors import converted
from app.store.db.migrate import is_whole
from app.store.runs.runs import Runs
from app.store.search.vectors import Vectors

if TYPE_CHECKING:
    from app.agent.graph import MailGraph, RunLocks
    from app.agent.llm.turns import ModelGateway
    from app.agent.runtime.dependencies import Deps

log = logging.getLogger(__name__)

COST_UNKNOWN = -1.0
LEAST_RUNS = 5
"""From this many runs on, the past cost is a better estimate than a list price."""


PREVIEW_SAMPLE = 60
"""Messages that a preview examines. Each takes some milliseconds, and the user waits."""


T = TypeVar("T")


class AgentRuntime:
    """Implements the runner's `Graph`. Call `open` first.

    It stays the same object when the settings change. Runs under way end on the old graph.
    """

    def __init__(self, folder: DataFolder, secrets: Secrets, settings: LiveSettings, backends: AgentBackends) -> None:
        self._folder, self._secrets, self._settings, self._backends = folder, secrets, settings, backends
        self._tables = backends.tables
        self._current_deps: Deps | None = None
        self._index_lost: Callable[[], None] = lambda: None
        self._rebuild_listeners: list[Callable[[Deps], None]] = []
        self._models: AgentModels | None = None
        self._graph: MailGraph | None = None
        self._busy: Counter[MailGraph] = Counter()
        self._locks: RunLocks = WeakValueDictionary()
        self._rebuilding = asyncio.Lock()

    async def open(self, lost: Callable[[], None], loaded: Callable[[AgentModels], None]) -> AgentModels:
        """Loads everything and opens the graph. Mail whose vectors were lost is queued for indexing.

        `loaded` gets the models before the graph is opened, which takes longer.
        """
        self._index_lost = lost
        if self._models is None:  # an opening that failed after this keeps them
            self._models = await load(self._open_models)
        agent_models = self._models
        await load(partial(queue_lost, self._tables, agent_models.vectors))
        loaded(agent_models)
        await self.rebuild()
        if self._graph is not None:
            with converted():
                await forget_ended(self._folder.checkpoints, self._graph, RunRepository(self._tables).ended)
        return agent_models

    def _open_models(self) -> AgentModels:
        """Imports and loads all models and the vectors. Takes seconds, so call it in a thread.

        Raises `ModelUnavailable`, `BadFile` or `IndexLost`.
        """
        from app.agent.llm.providers import Providers
        from app.agent.retrieval import CachingEmbedder, MiniLm
        from app.agent.triage.classifier import LocalTriage, TaughtTriage

        model, memory = MiniLm.open(), self._backends.memory
        vectors = Vectors.open(self._folder.chroma, model.model_id, model.dimension, self._index_lost)
        triage = TaughtTriage(
            LocalTriage(), partial(memory.rules, Namespace.TRIAGE), memory.note, lambda: self._settings.now.triage.limits
        )
        # Told: that a provider is left alone for a while, a cap is reached, or a model does not do something well.
        providers = Providers(lambda error: self._backends.announcer.tell(ErrorReported.of(error)), answers=self._tables.runs)
        return AgentModels(model, CachingEmbedder(model), vectors, triage, providers)

    def on_rebuild(self, other: "Callable[[Deps], None]") -> None:
        """Calls `other` with the graph's dependencies after each rebuild."""
        self._rebuild_listeners.append(other)

    async def rebuild(self) -> None:
        """Builds a graph with the current settings and keys. The old graph closes when its last run has stopped."""
        async with self._rebuilding:  # rebuilds run in order, so that the latest settings are used
            if self._models is None:
                return
            settings = self._settings.now
            model = settings.model
            models = (model.name, model.triage, model.agent, *await asyncio.to_thread(self._backends.profiles.models))
            ours = prefix_of(model.name)
            keys = {prefix_of(one): await self._key(one, model.api_base if prefix_of(one) == ours else "") for one in models}
            deps = await load(partial(self._backends.deps, self._models, settings, keys))
            graph = await self._open_graph(deps)
            old, self._graph = self._graph, graph
            self._current_deps = deps
            for listener in self._rebuild_listeners:
                listener(deps)
            if old is not None and not self._busy[old]:
                await old.close()

    async def _open_graph(self, deps: "Deps") -> "MailGraph":
        await preload("app.agent.graph")
        from app.agent.graph import MailGraph

        await load(partial(put_aside_if_damaged, self._folder.checkpoints))
        with converted():
            return await MailGraph.open(self._folder.checkpoints, deps, self._locks)

    def _deps(self) -> "Deps":
        """The graph's dependencies. Raises `ModelUnavailable`."""
        if self._current_deps is None:
            raise ModelUnavailable("The agents are not loaded; they are while they are not paused.")
        return self._current_deps

    def gateway(self) -> "ModelGateway | None":
        """The gateway to the chosen model, None without a model."""
        return self._current_deps.gateway if self._current_deps is not None else None

    def refusal(self) -> ErrorText:
        """Why the chosen model is of no use until the settings change; empty where it is."""
        gateway = self.gateway()
        return gateway.refusal if gateway is not None else NO_TEXT

    def gateway_for(self, message: Message) -> "ModelGateway | None":
        """The gateway for a message, None also where it must not leave this computer."""
        deps = self._current_deps
        return None if deps is None or deps.stays_here(message) else deps.gateway

    async def run(self, run: Run, job: JobId) -> RunStatus:
        """Starts a run or continues it."""
        return await self._with_graph(lambda graph: graph.run(run, job))

    async def resume(self, run_id: RunId, review_id: ReviewId | None, job: JobId) -> RunStatus:
        """Continues a run after its review was decided."""
        return await self._with_graph(lambda graph: graph.resume(run_id, review_id, job))

    async def forget(self, run_id: RunId) -> None:
        await self._with_graph(lambda graph: graph.forget(run_id))

    async def test_model(self, model: str, api_base: str) -> ModelTest:
        await preload("app.agent.llm.probe")
        from app.agent.llm.probe import test_model
        from app.agent.llm.providers import Providers

        runs, fresh = self._tables.runs, Providers(answers=self._tables.runs)  # a pause of the model must not stop its test
        return await test_model(model, api_base, await self._key(model, api_base), runs, self._tables.clock, fresh)

    async def try_model(self, model: str, api_base: str, message_id: MessageId) -> ModelTried:
        """Asks a model about a past message without any effect. Raises `NotFound` or `ModelUnavailable`."""
        deps = self._deps()
        await preload("app.agent.agents.pipeline.model_trial")
        from app.agent.agents.pipeline.model_trial import TrialLedger, try_model
        from app.agent.llm.gateway import LiteLlmGateway
        from app.agent.llm.target import ModelTarget

        message = await self._tables.run(self._tables.messages.get, message_id)
        settings = msgspec.structs.replace(self._settings.now.model, name=model, api_base=api_base)
        target = ModelTarget.chosen(settings, await self._key(model, api_base))
        ledger, known = TrialLedger(self._tables.runs), self._models.providers if self._models is not None else None
        made = partial(LiteLlmGateway, target, ledger, self._tables.clock, providers=known, trial=True)
        gateway = await asyncio.to_thread(made)
        return await try_model(message, deps, gateway, ledger)

    async def list_models(self, provider: str, api_base: str) -> ModelList:
        """The models of a provider. Raises `ModelUnavailable` or `NotFound`."""
        await preload("app.agent.llm.model_lists")
        from app.agent.llm.model_lists import list_models

        try:
            known = provider_with(provider)
        except KeyError:
            raise NotFound(f"There is no provider {provider}.") from None
        key = await self._key(known.model_id("any"), api_base)
        if known.needs_key and not key:
            raise ModelUnavailable(Cause.MODEL_WITHOUT_KEY, known.name)
        return await list_models(known, api_base, key)

    async def find_servers(self) -> ModelServers:
        await preload("app.agent.llm.model_lists")
        from app.agent.llm.model_lists import find_servers

        return await find_servers()

    async def help_write(self, query: HelpWriting) -> WrittenText:
        """A text for a letter. Raises `ModelUnavailable`, `CapReached` or `NotFound`."""
        deps = self._deps()
        await preload("app.agent.drafting.writing")
        from app.agent.drafting.writing import help_write

        return WrittenText(await help_write(query, deps))

    async def try_profile(self, profile: AgentProfile, message_id: MessageId) -> ProfileTried:
        """Runs a profile on a message without any effect. Raises `NotAllowed`, `NotFound` or `ModelUnavailable`."""
        deps = self._deps()
        await preload("app.agent.agents.profiles.trial")
        from app.agent.agents.profiles.trial import try_profile

        settings = self._settings.now
        ours = settings.model.api_base if prefix_of(profile.model) == prefix_of(settings.model.name) else ""
        keys = {prefix_of(profile.model): await self._key(profile.model, ours)}
        providers = self._models.providers if self._models is not None else None
        gateway = partial(profile_gateway, tables=self._tables, settings=settings, keys=keys, providers=providers)
        deps = replace(deps, profile=lambda _name: profile, profile_gateway=gateway)
        return await try_profile(profile.name, message_id, deps)

    def unsettled(self, ids: Sequence[MessageId]) -> int:
        """Estimates how many messages (newest first) no rule decides, from a sample of the newest. Call it off the loop.

        Returns their number while the rules are not loaded.
        """
        if self._models is None or not ids:
            return len(ids)
        found = self._tables.messages.many(ids[:PREVIEW_SAMPLE]).values()
        accounts = {one.account_id: self._tables.accounts.get(one.account_id) for one in found}
        open_ones = sum(self._models.triage.rule(one, accounts[one.account_id]) is None for one in found)
        return round(open_ones * len(ids) / max(1, len(found)))

    async def cost(self, mails: int) -> float:
        """Cost in US dollars of this many answers with the chosen model, negative if unknown."""
        return await load(partial(expected_usd, mails, self._settings.now.model, self._tables.runs))

    async def close(self) -> None:
        if self._graph is not None:
            await self._graph.close()
        if self._models is not None:
            from app.agent.llm.local_server import LOCAL_SERVER

            await LOCAL_SERVER.close()
            await asyncio.to_thread(self._models.vectors.close)

    async def _with_graph(self, work: Callable[["MailGraph"], Awaitable[T]]) -> T:
        """Calls `work` with the current graph and keeps that graph open meanwhile."""
        graph = self._graph
        assert graph is not None, "open() comes first"
        self._busy[graph] += 1
        try:
            with converted():
                return await work(graph)
        except StoreDamaged:
            self._index_lost()
            raise
        finally:
            self._busy[graph] -= 1
            if not self._busy[graph]:
                del self._busy[graph]
                if graph is not self._graph:
                    await graph.close()

    async def _key(self, model: str, api_base: str) -> str:
        """The key of a model at an address, empty without a keyring. Local models need none."""
        name = key_name(model, api_base)
        if not name:
            return ""
        try:
            return await self._secrets.get(name)
        except KeyringUnavailable as error:
            log.info("no key for %s: %s", name, error.code)
            return ""


def expected_usd(mails: int, model: ModelSettings, runs: Runs) -> float:
    """Cost of `mails` in US dollars, or `COST_UNKNOWN`: by past runs, else by the list price. May take seconds."""
    if not model.name or not mails:
        return 0.0
    past, usd = runs.cost_with(model.name)
    if past >= LEAST_RUNS and usd > 0:
        return mails * usd / past
    from app.agent.llm.litellm_setup import usd_per_mail
    from app.agent.llm.target import ModelTarget

    each = usd_per_mail(ModelTarget(model.name, model.api_base))
    return COST_UNKNOWN if each is None else mails * each


def put_aside_if_damaged(path: Path) -> None:
    """Renames a damaged file and its log to `<name>.damaged`. The file must not be open."""
    if not path.exists() or is_whole(path):
        return
    for beside in ("", "-wal", "-shm"):
        source = path.with_name(f"{path.name}{beside}")
        if source.exists():
            source.replace(path.with_name(f"{path.name}.damaged{beside}"))
    log.warning("the checkpoints were damaged and are put aside; open runs start over")


async def forget_ended(path: Path, graph: "MailGraph", ended: Callable[[Sequence[RunId]], Sequence[RunId]]) -> None:
    """Deletes the checkpoints of the runs that `ended` selects.

    A crash between a run's last row and the deletion leaves them behind.
    """
    from app.agent.runtime.checkpoints import kept_runs  # already imported by the graph

    left = await asyncio.to_thread(ended, await kept_runs(path))
    for run_id in left:
        await graph.forget(run_id)
    if left:
        log.info("checkpoints of %d ended runs were left and are forgotten", len(left))
