"""What a run of the mail graph is given: ports, a clock and settings. Nothing here is looked up elsewhere."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, Protocol

from app.agent.local.times import WorkingHours
from app.agent.lookalike import skeleton
from app.agent.own_letters import OwnLetters
from app.agent.preprocess.choosing import preprocess
from app.agent.step_book import StepBook
from app.agent.tools.toolbox import Toolbox
from app.agent.turns import ToolTurn
from app.domain.draft import Draft, Source
from app.domain.ids import AccountId, ReviewId, RunId, ThreadId
from app.domain.mail import Account, Message
from app.domain.policy import AutoApprove
from app.domain.ports.agents import BusyTime, Calendar, Clock, Contact, Corpus, Embedder, Journal, OwnReply, ReviewDesk
from app.domain.red_flags import Skeleton
from app.domain.runs import Route
from app.domain.tools import Preprocessed, Profile
from app.domain.triage import Triage

ChatMessage = dict[str, Any]
"""One message in OpenAI's chat format, as litellm takes it."""

JsonSchema = Mapping[str, Any]


class Triager(Protocol):
    """Triage without a language model."""

    def judge(
        self, message: Message, thread: Sequence[Message], account: Account, vector: Sequence[float], contact: Contact | None
    ) -> Triage:
        """The verdict on any mail; where headers settled it, its maker starts with `rule:`."""


class Drafter(Protocol):
    """Drafting without a language model."""

    def __call__(
        self,
        message: Message,
        thread: Sequence[Message],
        account: Account,
        contact: Contact | None,
        own_replies: Sequence[OwnReply],
        busy: Sequence[BusyTime] | None,
        triage: Triage,
        *,
        hours: WorkingHours | None = None,
        now: datetime | None = None,
    ) -> tuple[Draft, tuple[Source, ...]]:
        """A draft without recipients and subject, and where its pieces come from; `busy` None: no calendar was read."""


class Approver(Protocol):
    """Writes the decision of an auto-approved reply: the engine's own transaction, never the graph's."""

    async def approve(self, review_id: ReviewId) -> bool:
        """Approve the pending revision as a Gmail draft, or leave it to the user where the day's cap is used up or the user has
        switched it off; whether it is decided now. A review that is already decided stays as it is."""


class Verdicts(Protocol):
    """Who shows verdicts in lists."""

    def told(self, account_id: AccountId, thread_id: ThreadId) -> None:
        """The verdict on a mail of this thread was written."""


class MemoryReader(Protocol):
    """The user's preferences for prompts."""

    def read(self, account_id: AccountId, namespace: str) -> str:
        """The rendered preferences of `triage_preferences`, `response_preferences` or `cal_preferences`; may be empty."""


class Gateway(Protocol):
    """A configured language model. Every call raises `ModelUnavailable` or `CapReached`."""

    @property
    def model(self) -> str:
        """The litellm model id."""

    async def structured(
        self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage], schema: JsonSchema
    ) -> dict[str, Any]:
        """An object that fits `schema`, after at most one repair."""

    async def tools(
        self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage], tools: Sequence[JsonSchema], required: bool
    ) -> ToolTurn:
        """One turn with `tools` in OpenAI's function form; `required` asks for a call, and a model may still give none."""


@dataclass(frozen=True, slots=True)
class Deps:
    """Everything the graph may touch. `gateway` None means that no language model is configured, `calendar` None that no
    calendar is connected. `prompts` is the folder of prompt files, read at the start of each run."""

    corpus: Corpus
    journal: Journal
    desk: ReviewDesk
    embedder: Embedder
    triage: Triager
    drafter: Drafter
    clock: Clock
    prompts: Path
    gateway: Gateway | None = None
    calendar: Calendar | None = None
    approver: Approver | None = None
    memory: MemoryReader | None = None
    verdicts: Verdicts | None = None
    meeting_route: Route = Route.PIPELINE
    """Who answers meeting requests that no rule routes, where there is a model."""

    auto_approve: AutoApprove = field(default_factory=AutoApprove)
    background: str = ""
    time_zone: tzinfo = UTC
    skeleton: Skeleton = skeleton
    hours: WorkingHours = field(default_factory=WorkingHours)
    backoff_s: tuple[float, ...] = (0.5, 1.0)
    """Waits between the attempts of a node; one attempt more than waits."""

    may_schedule: Callable[[AccountId], bool] = lambda _account_id: False
    """Whether an approved meeting can be put into the account's calendar."""

    auto_approved_today: Callable[[], int] = lambda: 0
    profile: Callable[[str], Profile | None] = lambda _name: None
    profile_gateway: Callable[[Profile], Gateway | None] = lambda _profile: None
    """A profile's own model, None where it has no key."""

    preprocess: Callable[[Message], Preprocessed] = preprocess
    toolbox: Toolbox | None = None
    """What agent profiles work with; without it there are none."""

    book: StepBook = field(init=False)
    own_letters: OwnLetters = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "book", StepBook(self.journal, self.desk, self.verdicts.told if self.verdicts else None))
        object.__setattr__(self, "own_letters", OwnLetters(self.corpus))
