"""Builds the dependencies of the mail graph: the store behind the agents' ports."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from typing import TYPE_CHECKING

from app.config.paths import resource
from app.config.settings import CalendarSettings, Settings, zone_of
from app.domain.agents.runs import Route
from app.domain.mail.triage import Category
from app.domain.policy.policy import AutoApprove
from app.domain.ports.agents import Embedder
from app.domain.protocol.events import Initiator
from app.engine.accounts.connections import GoogleServices
from app.engine.learning.memory import StoredMemory
from app.engine.reviews.review_service import ReviewService
from app.engine.runs.profile_toolbox import ProfileToolbox
from app.engine.runtime.event_bus import EventBus
from app.engine.runtime.tables import Tables
from app.engine.search.semantic_search import SemanticModels
from app.store.search.corpus import StoreCorpus
from app.store.search.vectors import Vectors

if TYPE_CHECKING:
    from app.agent.language.times import WorkingHours
    from app.agent.llm.turns import ModelGateway
    from app.agent.runtime.dependencies import Deps
    from app.agent.triage.classifier import TaughtTriage


@dataclass(frozen=True, slots=True)
class AgentModels:
    """What stays while settings change. `embedder` caches recent texts for runs; `model` is uncached, for indexing."""

    model: Embedder
    embedder: Embedder
    vectors: Vectors
    triage: "TaughtTriage"


def wits_of(models: AgentModels) -> SemanticModels:
    """The part of the models that semantic search uses. The agents are imported by then."""
    from app.agent.retrieval import NEAR, PassageCache, near_enough

    return SemanticModels(models.embedder, models.vectors, PassageCache(models.model), near_enough, NEAR)


@dataclass(frozen=True, slots=True)
class AgentBackends:
    """What stands behind the agents' ports, whatever the settings are."""

    tables: Tables
    reviewer: ReviewService
    announcer: EventBus
    memory: StoredMemory
    services: GoogleServices
    profiles: ProfileToolbox

    def deps(self, models: AgentModels, settings: Settings, keys: Mapping[str, str]) -> "Deps":
        """A run's dependencies with these settings and API keys by provider. Imports the agents, so call it off the loop."""
        from app.agent.drafting.template_draft import draft_without_model
        from app.agent.learning.drafter import TaughtDrafter
        from app.agent.runtime.dependencies import Deps

        tables, memory = self.tables, self.memory
        deps = Deps(
            corpus=StoreCorpus(tables.db, models.vectors, tables.messages),
            journal=tables.runs,
            desk=tables.reviews,
            embedder=models.embedder,
            triage=models.triage,
            drafter=TaughtDrafter(draft_without_model, memory.writing_rules, memory.note, memory.meeting_rules),
            clock=tables.clock,
            prompts=resource("prompts"),
            gateway=_gateway(tables, settings, keys.get(provider_of(settings.model.name), "")),
            approver=self.reviewer,
            memory=memory,
            verdict_written=lambda account, thread: self.announcer.mail(account, (thread,), Initiator.AGENT),
            calendar=self.services if self.services.calendars else None,
            may_schedule=self.services.may_schedule,
            auto_approve=auto_approve(settings),
            auto_approved_today=tables.reviews.approved_by_rule_today,
            background=settings.drafting.background,
            meeting_route=Route(settings.drafting.meeting_route),
            time_zone=zone_of(settings.calendar.time_zone),
            hours=working_hours(settings.calendar),
        )
        return self.profiles.dress(deps, models.vectors, settings, keys)


def provider_of(model: str) -> str:
    """The provider in a model's name."""
    return model.partition("/")[0]


def auto_approve(settings: Settings) -> AutoApprove:
    """What policy may approve by itself."""
    automation = settings.automation
    return AutoApprove(frozenset(Category(one) for one in automation.auto_approve_categories), automation.auto_approve_daily_cap)


def _gateway(tables: Tables, settings: Settings, key: str) -> "ModelGateway | None":
    """The gateway to the chosen model, None without a model."""
    model = settings.model
    if not model.name:
        return None
    from app.agent.llm.gateway import LiteLlmGateway
    from app.agent.llm.target import ModelTarget

    return LiteLlmGateway(ModelTarget.chosen(model, key), tables.runs, tables.clock)


def working_hours(calendar: CalendarSettings) -> "WorkingHours":
    """The owner's working hours for meetings, from the settings."""
    from app.agent.language.times import WorkingHours

    start, end = time.fromisoformat(calendar.start), time.fromisoformat(calendar.end)
    return WorkingHours(zone_of(calendar.time_zone), start, end, frozenset(calendar.weekdays))
