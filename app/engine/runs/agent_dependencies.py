"""Builds the dependencies of the mail graph: the store behind the agents' ports, and the tools and models of agent profiles."""

import locale
from collections.abc import Callable, Mapping, Sequence
from datetime import time
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from app.config.paths import DataFolder, resource
from app.config.settings import CalendarSettings, Settings, zone_of
from app.domain.agents.egress import LocalOnlyRules
from app.domain.agents.memory import Namespace
from app.domain.agents.model_providers import KEYLESS_PREFIXES, prefix_of
from app.domain.agents.runs import Route
from app.domain.agents.tools import AgentProfile
from app.domain.ids import AccountId
from app.domain.mail.message import Message
from app.domain.mail.triage import Category, Decision
from app.domain.policy.policy import AutoApprove
from app.domain.ports.agents import Embedder
from app.domain.protocol.events import Initiator
from app.domain.record import Record, replace
from app.engine.accounts.connections import GoogleServices
from app.engine.learning.memory import StoredMemory
from app.engine.reviews.review_service import ReviewService
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.settings_watcher import LiveSettings
from app.engine.runtime.tables import Tables
from app.engine.search.mail_search import HybridSearch
from app.engine.search.semantic_search import SemanticModels
from app.mail.file_process import DocumentReader
from app.store.accounts import Accounts
from app.store.pharmacy import DrugTable, ReservationTable
from app.store.requests.artifacts import ArtifactFolder
from app.store.runs.audit import AuditTable
from app.store.search.corpus import StoreCorpus
from app.store.search.vectors import Vectors

if TYPE_CHECKING:
    from app.agent.language.times import WorkingHours
    from app.agent.llm.providers import Providers
    from app.agent.llm.turns import ModelGateway
    from app.agent.retrieval import MiniLm
    from app.agent.runtime.dependencies import Deps
    from app.agent.tools.registry import RegisteredTool, Toolbox
    from app.agent.triage.classifier import TaughtTriage


Keys = Mapping[str, str]
"""API keys by provider."""


class ProfileToolbox:
    """Builds the tools of agent profiles.

    `profiles` returns the profiles in force, `paused` whether the user paused the agents, `served` the tools of a profile's tool
    servers. Call its methods off the loop, except `close`.
    """

    def __init__(
        self,
        folder: DataFolder,
        tables: Tables,
        profiles: Callable[[], Sequence[AgentProfile]],
        paused: Callable[[], bool],
        served: "Callable[[AgentProfile], Sequence[RegisteredTool]]",
    ) -> None:
        self._folder, self._tables = folder, tables
        self._profiles, self._paused, self._served = profiles, paused, served
        self._hybrid_search: HybridSearch | None = None

    def close(self) -> None:
        if self._hybrid_search is not None:
            self._hybrid_search.close()

    def models(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.model for one in self._profiles()))

    def add_profiles(self, deps: "Deps", vectors: Vectors, settings: Settings, keys: Keys, providers: "Providers") -> "Deps":
        def profile_of(name: str) -> AgentProfile | None:
            return next((one for one in self._profiles() if one.name == name), None)

        gateway = partial(profile_gateway, tables=self._tables, settings=settings, keys=keys, providers=providers)
        toolbox = self._toolbox(deps.embedder, vectors, settings)
        return replace(deps, profile=profile_of, profile_gateway=gateway, toolbox=toolbox)

    def _toolbox(self, embedder: Embedder, vectors: Vectors, settings: Settings) -> "Toolbox":
        from app.agent.tools.registry import LeavingSearch, Toolbox
        from app.agent.tools.web import PageReader, SearxSearch

        db, clock = self._tables.db, self._tables.clock
        if self._hybrid_search is None:
            self._hybrid_search = HybridSearch(self._tables, embedder, vectors)
        artifacts = ArtifactFolder(self._folder.artifacts)
        leaving = LeavingSearch(self._hybrid_search, stays_here(settings, self._tables.accounts))
        return Toolbox(
            book=AuditTable(db, clock),
            search=leaving if settings.model.name else self._hybrid_search,
            drugs=DrugTable(db, clock),
            reservations=ReservationTable(db, clock),
            web=SearxSearch(settings.web.searxng) if settings.web.searxng else None,
            reader=PageReader() if settings.web.sites else None,
            artifacts=artifacts,
            texts=DocumentReader(artifacts.locate),
            memory=self._tables.preferences,
            served=self._served,
            hosts=frozenset(settings.web.sites),
            paused=self._paused,
        )


def missing_tools(tables: Tables, settings: LiveSettings, services: GoogleServices) -> tuple[str, ...]:
    """The tools of profiles that lack their calendar, web search, sites or drug catalogue."""
    web, drugs = settings.now.web, DrugTable(tables.db, tables.clock)
    backends = {
        ("check_calendar", "schedule_meeting"): bool(services.calendars),
        ("web_search",): bool(web.searxng),
        ("fetch_url",): bool(web.sites),
        ("search_drugs", "manage_reservation"): drugs.count() > 0,
    }
    return tuple(name for names, present in backends.items() if not present for name in names)


def profile_gateway(
    profile: AgentProfile, tables: Tables, settings: Settings, keys: Keys, providers: "Providers | None" = None
) -> "ModelGateway | None":
    """The gateway to the profile's own model, None if its provider has no key.

    The user's model address applies to profile models of the same provider. The caps are the user's.
    """
    own_key = keys.get(prefix_of(profile.model), "")
    shared_base = prefix_of(settings.model.name) == prefix_of(profile.model) and settings.model.api_base
    if not own_key and not shared_base and prefix_of(profile.model) not in KEYLESS_PREFIXES:
        return None
    return _gateway(tables, settings, profile.model, keys, providers, profile)


class AgentModels(Record):
    """What stays while settings change. `embedder` caches recent texts for runs; `model` is uncached, for indexing.

    `providers` remembers which model servers are down.
    """

    model: "MiniLm"
    embedder: Embedder
    vectors: Vectors
    triage: "TaughtTriage"
    providers: "Providers"


def wits_of(models: AgentModels) -> SemanticModels:
    """The part of the models that semantic search uses. The agents are imported by then."""
    from app.agent.retrieval import NEAR, PassageCache, near_enough

    return SemanticModels(models.embedder, models.vectors, PassageCache(models.model), near_enough, NEAR, models.model.question)


class AgentBackends(Record):
    """What stands behind the agents' ports, whatever the settings are."""

    tables: Tables
    reviewer: ReviewService
    announcer: EventBus
    memory: StoredMemory
    services: GoogleServices
    profiles: ProfileToolbox

    def deps(self, models: AgentModels, settings: Settings, keys: Keys) -> "Deps":
        """A run's dependencies with these settings and API keys by provider. Imports the agents, so call it off the loop."""
        from app.agent.drafting.template_draft import draft_without_model
        from app.agent.learning.drafter import TaughtDrafter
        from app.agent.runtime.dependencies import Deps, Tier

        tables, memory, model = self.tables, self.memory, settings.model
        gateway = partial(_gateway, tables, settings, keys=keys, providers=models.providers)
        writing, meetings = (partial(memory.rules, one) for one in (Namespace.RESPONSE, Namespace.CALENDAR))
        other = {Tier.TRIAGE: model.triage, Tier.AGENT: model.agent}
        deps = Deps(
            corpus=StoreCorpus(tables.db, models.vectors, tables.messages),
            journal=tables.runs,
            desk=tables.reviews,
            embedder=models.embedder,
            triage=models.triage,
            drafter=TaughtDrafter(draft_without_model, writing, memory.note, meetings),
            clock=tables.clock,
            prompts=resource("prompts"),
            gateway=gateway(name=model.name),
            tiers={tier: gateway(name=name) for tier, name in other.items() if name},
            approver=self.reviewer,
            memory=memory,
            corrections=partial(corrected_mail, tables),
            verdict_written=lambda account, thread: self.announcer.mail(account, (thread,), Initiator.AGENT),
            calendar=self.services if self.services.calendars else None,
            may_schedule=self.services.may_schedule,
            auto_approve=auto_approve(settings),
            auto_approved_today=tables.reviews.approved_by_rule_today,
            background=settings.drafting.background,
            stays_here=stays_here(settings, tables.accounts),
            language=language_of(settings.appearance.language),
            mark_ignored_read=settings.drafting.mark_ignored_read,
            answer_route=Route(settings.drafting.answer_route),
            meeting_route=Route(settings.drafting.meeting_route),
            time_zone=zone_of(settings.calendar.time_zone),
            hours=working_hours(settings.calendar),
        )
        return self.profiles.add_profiles(deps, models.vectors, settings, keys, models.providers)


EXAMPLES_READ = 12
"""Newest corrections that are looked at for one account's."""


def corrected_mail(tables: Tables, account_id: AccountId) -> tuple[tuple[Message, Decision], ...]:
    """The newest corrected messages of an account, oldest first."""
    rows = [one for one in tables.lessons.corrections()[-EXAMPLES_READ:] if one.corrected is not None]
    found = tables.messages.many([one.message_id for one in rows])
    return tuple(
        (found[one.message_id], one.corrected.decision)
        for one in rows
        if one.corrected is not None and one.message_id in found and found[one.message_id].account_id == account_id
    )


def stays_here(settings: Settings, accounts: Accounts) -> LocalOnlyRules:
    """The rules for mail that no language model gets."""
    privacy = settings.privacy
    return LocalOnlyRules.of(privacy.stays_people, privacy.stays_labels, privacy.stays_kinds, accounts.label_names)


def language_of(code: str) -> str:
    """The window's language as prompts name it. An empty code is the system's."""
    spoken = code or (locale.getlocale()[0] or "en")[:2]
    return {"cs": "Czech"}.get(spoken, "English")


def auto_approve(settings: Settings) -> AutoApprove:
    """What policy may approve by itself."""
    automation = settings.automation
    return AutoApprove(frozenset(Category(one) for one in automation.auto_approve_categories), automation.auto_approve_daily_cap)


NO_MODEL = "none"
"""In place of a model for some work: code does it."""


def _gateway(
    tables: Tables,
    settings: Settings,
    name: str,
    keys: Keys,
    providers: "Providers | None",
    profile: AgentProfile | None = None,
) -> "ModelGateway | None":
    """The gateway to a model, None without a model. Its address is that of the main model's provider."""
    if name in ("", NO_MODEL):
        return None
    from app.agent.llm.gateway import LiteLlmGateway
    from app.agent.llm.target import ModelTarget

    base = settings.model.api_base if prefix_of(name) == prefix_of(settings.model.name) else ""
    model = msgspec.structs.replace(settings.model, name=name, api_base=base)
    target = ModelTarget.chosen(model, keys.get(prefix_of(name), ""))
    if profile is not None:
        target = replace(target, max_tokens=profile.max_tokens, temperature=profile.temperature)
    return LiteLlmGateway(target, tables.runs, tables.clock, providers=providers)


def working_hours(calendar: CalendarSettings) -> "WorkingHours":
    """The owner's working hours for meetings, from the settings."""
    from app.agent.language.times import WorkingHours

    start, end = time.fromisoformat(calendar.start), time.fromisoformat(calendar.end)
    return WorkingHours(zone_of(calendar.time_zone), start, end, frozenset(calendar.weekdays))
