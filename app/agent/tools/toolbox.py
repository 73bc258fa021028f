"""The backends tools may use. Tools whose backend is None are not offered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.agent.tools.context import not_paused
from app.agent.tools.execution import RegisteredTool
from app.domain.agents.tools import AgentProfile
from app.domain.policy.policy import Budget
from app.domain.ports.services import (
    AgentBook,
    Artifacts,
    Drugs,
    MailSearch,
    PreferenceProposer,
    Reservations,
    WebReader,
    WebSearch,
)


def no_tools(_profile: AgentProfile) -> Sequence[RegisteredTool]:
    """Default of `served`: no MCP tools."""
    return ()


@dataclass(frozen=True, slots=True)
class Toolbox:
    """Backends for the tools of agent profiles.

    `served` gives the tools of a profile's MCP servers; `hosts` are sites that may always be read; `paused` is the owner's switch
    for all agents.
    """

    book: AgentBook
    search: MailSearch | None = None
    drugs: Drugs | None = None
    reservations: Reservations | None = None
    web: WebSearch | None = None
    reader: WebReader | None = None
    artifacts: Artifacts | None = None
    memory: PreferenceProposer | None = None
    served: Callable[[AgentProfile], Sequence[RegisteredTool]] = no_tools
    hosts: frozenset[str] = frozenset()
    paused: Callable[[], bool] = not_paused
    budget: Budget = field(default_factory=Budget)
