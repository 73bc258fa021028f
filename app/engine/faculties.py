"""What a run of the mail graph is given by the engine: the store behind the agents' ports, put together in one place."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from app.config.paths import resource
from app.config.settings import Settings
from app.domain.events import Initiator
from app.domain.ids import AccountId, MessageId, ThreadId
from app.domain.ports.agents import Embedder
from app.domain.triage import Triage
from app.engine.announcer import Announcer
from app.engine.reviewer import Reviewer
from app.engine.tables import Tables
from app.store.corpus import StoreCorpus
from app.store.preferences import Preferences
from app.store.vectors import Vectors

if TYPE_CHECKING:
    from app.agent.deps import Deps, Gateway
    from app.agent.local.classifier import LocalTriage


@dataclass(frozen=True, slots=True)
class Mind:
    """What stays while settings change. `embedder` remembers its last texts for runs; `model` is the plain one, for indexing."""

    model: Embedder
    embedder: Embedder
    vectors: Vectors
    triage: "LocalTriage"


class ToldVerdicts:
    """Keeps verdicts, and tells the window which thread looks different now. Called from any thread."""

    def __init__(self, tables: Tables, announcer: Announcer, loop: asyncio.AbstractEventLoop) -> None:
        self._tables = tables
        self._announcer = announcer
        self._loop = loop

    def set_triage(self, message_id: MessageId, triage: Triage) -> ThreadId:
        """Keep it, in place of an older one; the mail's thread. Raises `NotFound`."""
        thread_id = self._tables.messages.set_triage(message_id, triage)
        account_id = self._tables.messages.get(message_id).account_id
        self._loop.call_soon_threadsafe(self._announcer.mail, account_id, (thread_id,), Initiator.AGENT)
        return thread_id


class StoredMemory:
    """The user's preferences as lines for a prompt, newest last, and their use counted."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences

    def read(self, account_id: AccountId, namespace: str) -> str:
        """The rendered preferences of a namespace; may be empty. They hold for all accounts."""
        active = self._preferences.active(namespace)
        if active:
            self._preferences.used([one.id for one in active])
        return "\n".join(f"- {one.text}" for one in active)


def build_deps(mind: Mind, tables: Tables, settings: Settings, key: str, reviewer: Reviewer, verdicts: ToldVerdicts) -> "Deps":
    """Everything a run may touch, with the settings of now. Imports the agents: call it off the loop."""
    from app.agent.deps import Deps
    from app.agent.local.drafting import draft_without_model

    return Deps(
        corpus=StoreCorpus(tables.db, mind.vectors),
        journal=tables.runs,
        desk=tables.reviews,
        embedder=mind.embedder,
        triage=mind.triage,
        drafter=draft_without_model,
        clock=tables.clock,
        prompts=resource("prompts"),
        gateway=_gateway(tables, settings, key),
        approver=reviewer,
        memory=StoredMemory(Preferences(tables.db, tables.clock)),
        verdicts=verdicts,
        background=settings.drafting.background,
        time_zone=_zone(settings.calendar.time_zone),
    )


def _gateway(tables: Tables, settings: Settings, key: str) -> "Gateway | None":
    """The configured model; None when there is none."""
    model = settings.model
    if not model.name:
        return None
    from app.agent.models.gateway import LiteLlmGateway
    from app.agent.models.target import Target

    target = Target(
        model=model.name,
        api_base=model.api_base,
        api_key=key,
        timeout_s=float(model.timeout_s),
        daily_calls=model.daily_calls,
        daily_usd=model.daily_usd,
    )
    return LiteLlmGateway(target, tables.runs, tables.clock)


def _zone(name: str) -> tzinfo:
    """The named time zone, or the machine's."""
    return ZoneInfo(name) if name else datetime.now(UTC).astimezone().tzinfo or UTC
