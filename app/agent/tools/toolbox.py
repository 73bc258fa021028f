"""The backends tools may use. Tools whose backend is None are not offered."""

from collections.abc import Callable, Sequence

from msgspec import field

from app.agent.tools.execution import RegisteredTool
from app.agent.tools.tool_calls import not_paused
from app.agent.tools.web import PageReader, SearxSearch
from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.agents.tools import AgentProfile
from app.domain.ids import AccountId
from app.domain.mail.message import Message
from app.domain.policy.policy import Budget
from app.domain.ports.services import MailSearch
from app.domain.record import Record
from app.mail.file_process import DocumentReader
from app.store.learning.preferences import Preferences
from app.store.pharmacy import DrugTable, ReservationTable
from app.store.requests.artifacts import ArtifactFolder
from app.store.runs.audit import AuditTable


def no_tools(_profile: AgentProfile) -> Sequence[RegisteredTool]:
    """Default of `served`: no MCP tools."""
    return ()


class LeavingSearch(Record):
    """A `MailSearch` without the mail that no language model gets."""

    search: MailSearch
    stays_here: Callable[[Message], bool]

    async def find(self, account_id: AccountId, words: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        return tuple(one for one in await self.search.find(account_id, words, limit, scope) if not self.stays_here(one))

    async def query(self, account_id: AccountId, query: str, limit: int, scope: MailScope = ALL_MAIL) -> tuple[Message, ...]:
        return tuple(one for one in await self.search.query(account_id, query, limit, scope) if not self.stays_here(one))


class Toolbox(Record):
    """Backends for the tools of agent profiles.

    `served` gives the tools of a profile's MCP servers; `hosts` are sites that may always be read; `paused` is the owner's switch
    for all agents.
    """

    book: AuditTable
    search: MailSearch | None = None
    drugs: DrugTable | None = None
    reservations: ReservationTable | None = None
    web: SearxSearch | None = None
    reader: PageReader | None = None
    artifacts: ArtifactFolder | None = None
    texts: DocumentReader | None = None
    memory: Preferences | None = None
    served: Callable[[AgentProfile], Sequence[RegisteredTool]] = no_tools
    hosts: frozenset[str] = frozenset()
    paused: Callable[[], bool] = not_paused
    budget: Budget = field(default_factory=Budget)
