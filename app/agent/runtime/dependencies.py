"""What a run of the mail graph is given: ports, a clock and settings. Nothing here is looked up elsewhere.

What the owner wrote lately and to whom, made ready once for as long as the mailbox gives the same mails.

It tells which sentences are written to everybody; read only where a draft quotes at all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Protocol

from app.agent.language.times import WorkingHours
from app.agent.llm.turns import ModelGateway
from app.agent.preprocess import preprocess
from app.agent.runtime.run_recorder import RunRecorder
from app.agent.tools.toolbox import Toolbox
from app.agent.triage.phishing import domain_skeleton
from app.domain.agents.runs import Route
from app.domain.agents.tools import AgentProfile, Preprocessed
from app.domain.drafting.draft import Draft, Source
from app.domain.drafting.meeting import BusyTime
from app.domain.ids import AccountId, ReviewId, ThreadId
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses
from app.domain.mail.triage import Triage
from app.domain.policy.policy import AutoApprove
from app.domain.policy.private_words import Letter
from app.domain.policy.red_flags import Skeleton, readers
from app.domain.ports.agents import CalendarReader, Clock, Contact, Corpus, Embedder, OwnReply, ReviewQueue, RunJournal

OWN_MAIL_READ = 150
"""The owner's newest mails that are looked at."""

Ready = tuple[Account, tuple[Message, ...], tuple[Letter, ...]]


class OwnLetters:
    """Of each account. Thread-safe; two threads may make the same ones ready."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._ready: dict[AccountId, Ready] = {}

    def of(self, account: Account) -> tuple[Letter, ...]:
        """Who got each of the newest, the owner aside, and its newest part."""
        mails = self._corpus.own_mail(account.id, OWN_MAIL_READ)
        known = self._ready.get(account.id)
        if known is None or known[0] != account or known[1] is not mails:
            own = own_addresses(account)
            known = (account, mails, tuple((readers(one) - own, newest_part(one.body_text)) for one in mails))
            self._ready[account.id] = known
        return known[2]


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


class VerdictObserver(Protocol):
    """Who shows verdicts in lists."""

    def told(self, account_id: AccountId, thread_id: ThreadId) -> None:
        """The verdict on a mail of this thread was written."""


class MemoryReader(Protocol):
    """The user's preferences for prompts."""

    def read(self, account_id: AccountId, namespace: str) -> str:
        """The rendered preferences of `triage_preferences`, `response_preferences` or `cal_preferences`; may be empty."""


@dataclass(frozen=True, slots=True)
class Deps:
    """Everything the graph may touch. `gateway` None means that no language model is configured, `calendar` None that no
    calendar is connected. `prompts` is the folder of prompt files, read at the start of each run."""

    corpus: Corpus
    journal: RunJournal
    desk: ReviewQueue
    embedder: Embedder
    triage: Triager
    drafter: Drafter
    clock: Clock
    prompts: Path
    gateway: ModelGateway | None = None
    calendar: CalendarReader | None = None
    approver: Approver | None = None
    memory: MemoryReader | None = None
    verdicts: VerdictObserver | None = None
    meeting_route: Route = Route.PIPELINE
    """Who answers meeting requests that no rule routes, where there is a model."""

    auto_approve: AutoApprove = field(default_factory=AutoApprove)
    background: str = ""
    time_zone: tzinfo = UTC
    skeleton: Skeleton = domain_skeleton
    hours: WorkingHours = field(default_factory=WorkingHours)
    backoff_s: tuple[float, ...] = (0.5, 1.0)
    """Waits between the attempts of a node; one attempt more than waits."""

    may_schedule: Callable[[AccountId], bool] = lambda _account_id: False
    """Whether an approved meeting can be put into the account's calendar."""

    auto_approved_today: Callable[[], int] = lambda: 0
    profile: Callable[[str], AgentProfile | None] = lambda _name: None
    profile_gateway: Callable[[AgentProfile], ModelGateway | None] = lambda _profile: None
    """A profile's own model, None where it has no key."""

    preprocess: Callable[[Message], Preprocessed] = preprocess
    toolbox: Toolbox | None = None
    """What agent profiles work with; without it there are none."""

    book: RunRecorder = field(init=False)
    own_letters: OwnLetters = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "book", RunRecorder(self.journal, self.desk, self.verdicts.told if self.verdicts else None))
        object.__setattr__(self, "own_letters", OwnLetters(self.corpus))
