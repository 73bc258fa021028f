"""What agent profiles work with: profiles from the rules file, their models with keys, and the tools that have a backend.

Rebuilt with the current settings, keys and profiles.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.config.paths import DataFolder
from app.config.settings import Settings
from app.domain.agents.memory import Namespace
from app.domain.agents.tools import AgentProfile
from app.domain.ids import ReviewId
from app.domain.ports.agents import Embedder
from app.engine.runtime.tables import Tables
from app.engine.search.mail_search import HybridSearch
from app.store.learning.preferences import Preferences
from app.store.pharmacy.drugs import DrugTable
from app.store.pharmacy.reservations import ReservationTable
from app.store.requests.artifacts import ArtifactFolder
from app.store.runs.audit import AuditTable
from app.store.search.vectors import Vectors

if TYPE_CHECKING:
    from app.agent.llm.turns import ModelGateway
    from app.agent.runtime.dependencies import Deps
    from app.agent.tools.execution import RegisteredTool
    from app.agent.tools.toolbox import Toolbox

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
        self._folder = folder
        self._tables = tables
        self._profiles = profiles
        self._paused = paused
        self._served = served
        self._hybrid_search: HybridSearch | None = None

    def close(self) -> None:
        if self._hybrid_search is not None:
            self._hybrid_search.close()

    def models(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.model for one in self._profiles()))

    def dress(self, deps: "Deps", vectors: Vectors, settings: Settings, keys: Keys) -> "Deps":
        """Adds to `deps` what agent profiles need."""

        def gateway(profile: AgentProfile) -> "ModelGateway | None":
            return profile_gateway(profile, self._tables, settings, keys)

        return replace(
            deps, profile=self._profile, profile_gateway=gateway, toolbox=self._toolbox(deps.embedder, vectors, settings)
        )

    def _profile(self, name: str) -> AgentProfile | None:
        return next((one for one in self._profiles() if one.name == name), None)

    def _toolbox(self, embedder: Embedder, vectors: Vectors, settings: Settings) -> "Toolbox":
        from app.agent.tools.toolbox import Toolbox
        from app.agent.tools.web import PageReader, SearxSearch

        db, clock = self._tables.db, self._tables.clock
        if self._hybrid_search is None:
            self._hybrid_search = HybridSearch(self._tables, embedder, vectors)
        return Toolbox(
            book=AuditTable(db, clock),
            search=self._hybrid_search,
            drugs=DrugTable(db, clock),
            reservations=ReservationTable(db, clock),
            web=SearxSearch(settings.web.searxng) if settings.web.searxng else None,
            reader=PageReader() if settings.web.sites else None,
            artifacts=ArtifactFolder(self._folder.artifacts),
            memory=StoredPreferenceProposals(self._tables.preferences),
            served=self._served,
            hosts=frozenset(settings.web.sites),
            paused=self._paused,
        )


class StoredPreferenceProposals:
    """Implements `Remembering`: stores preferences that the owner approved, each once."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences

    def remember(self, namespace: Namespace, text: str) -> int:
        """Stores a preference and returns its id. The same text returns the same preference. Raises `NotAllowed`."""
        existing = next((one for one in self._preferences.active(namespace) if one.text == text.strip()), None)
        return existing.id if existing is not None else self._preferences.add(namespace, text, ReviewId(0))


def profile_gateway(profile: AgentProfile, tables: Tables, settings: Settings, keys: Keys) -> "ModelGateway | None":
    """The gateway to the profile's own model, None if its provider has no key.

    The user's model address applies to profile models of the same provider. The caps are the user's.
    """
    from app.agent.llm.gateway import LiteLlmGateway
    from app.agent.llm.target import KEYLESS, ModelTarget

    provider = profile.model.partition("/")[0]
    base = settings.model.api_base if settings.model.name.partition("/")[0] == provider else ""
    key = keys.get(provider, "")
    if not key and not base and provider not in KEYLESS:
        return None
    model = settings.model
    target = ModelTarget(
        profile.model,
        base,
        key,
        float(model.timeout_s),
        model.daily_calls,
        model.daily_usd,
        model.monthly_calls,
        model.monthly_usd,
        max_tokens=profile.max_tokens,
        temperature=profile.temperature,
    )
    return LiteLlmGateway(target, tables.runs, tables.clock)
