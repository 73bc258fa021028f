"""`Deps`: everything a run of the mail graph may use (ports, clock, settings), and the protocols of its replaceable parts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from app.agent.language.times import WorkingHours
from app.agent.llm.prompts import prompt
from app.agent.llm.turns import ModelGateway, UnusableAnswer
from app.agent.preprocess import preprocess
from app.agent.runtime.run_recorder import RunRecorder
from app.agent.tools.registry import Toolbox
from app.domain.agents.call_flags import CallScope
from app.domain.agents.memory import Namespace
from app.domain.agents.runs import Route
from app.domain.agents.tools import AgentProfile, Preprocessed
from app.domain.drafting.draft import Draft, Source
from app.domain.error_texts import Cause
from app.domain.ids import AccountId, MessageId, ReviewId, ThreadId
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.recipients import own_addresses
from app.domain.mail.triage import Decision, Triage
from app.domain.policy.policy import AutoApprove
from app.domain.policy.private_words import Letter
from app.domain.policy.red_flags import readers
from app.domain.ports.agents import CalendarReader, Clock, Contact, Embedder
from app.store.reviews.reviews import Reviews
from app.store.runs.runs import Runs
from app.store.search.corpus import StoreCorpus

OWN_MAIL_READ = 150
"""Newest mails of the owner that are looked at."""

Ready = tuple[Account, tuple[Message, ...], tuple[Letter, ...]]


class OwnLetters:
    """Caches the owner's newest mail per account. Thread-safe: two threads may compute the same entry."""

    def __init__(self, corpus: StoreCorpus) -> None:
        self._corpus = corpus
        self._ready: dict[AccountId, Ready] = {}

    def of(self, account: Account) -> tuple[Letter, ...]:
        """For each of the newest mails, its readers without the owner and its newest part."""
        mails = self._corpus.own_mail(account.id, OWN_MAIL_READ)
        known = self._ready.get(account.id)
        if known is None or known[0] != account or known[1] is not mails:
            own = own_addresses(account)
            known = (account, mails, tuple((readers(one) - own, newest_part(one.body_text)) for one in mails))
            self._ready[account.id] = known
        return known[2]


ContactOf = Callable[[AccountId, str], Contact | None]


class Triager(Protocol):
    """Triage without a language model."""

    def judge(
        self, message: Message, thread: Sequence[Message], account: Account, vector: Sequence[float], contact: Contact | None
    ) -> Triage:
        """The verdict on a mail. Its `maker` starts with `rule:` where header rules decided."""


Drafter = Callable[..., tuple[Draft, tuple[Source, ...]]]
"""Drafting without a language model: a draft without recipients and subject, and its sources."""


class Approver(Protocol):
    """Writes the decision on an auto-approved reply. Implemented by the engine, in a transaction of its own."""

    async def approve(self, review_id: ReviewId) -> bool:
        """Approves the pending revision as a Gmail draft. Returns whether the review is now decided.

        Leaves it to the user where the day's cap is used up or auto-approval was switched off. Keeps an earlier decision.
        """


class MemoryReader(Protocol):
    """The user's preferences for prompts."""

    def read(self, account_id: AccountId, namespace: str) -> str:
        """The rendered preferences of a `Namespace`; may be empty. In `background` are the facts found in sent mail."""


class MailboxLookup(Protocol):
    """Reads the mailbox. Synchronous: call it off the loop."""

    def accounts(self) -> tuple[Account, ...]: ...

    def account(self, account_id: AccountId) -> Account:
        """Raises `NotFound`."""

    def message(self, message_id: MessageId) -> Message:
        """One message with its body. Raises `NotFound`."""

    def contact(self, account_id: AccountId, email: str) -> Contact | None:
        """The contact card of an address, None when unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GmailDeps:
    """What every agent may use, and all that the Gmail agent needs: few enough for a process beside the engine to provide.

    `gateway` is None where no language model is configured. `prompts` is the folder of prompt files, read at the start of each
    run. `toolbox` are the backends of tools; None: there are no agent profiles.
    """

    corpus: MailboxLookup
    clock: Clock
    prompts: Path
    gateway: ModelGateway | None = None
    memory: MemoryReader | None = None
    background: str = ""
    time_zone: tzinfo = UTC
    toolbox: Toolbox | None = None


def about_owner(deps: GmailDeps, account_id: AccountId) -> str:
    """What the owner wrote about themselves, and the facts found in their sent mail."""
    facts = deps.memory.read(account_id, Namespace.BACKGROUND) if deps.memory is not None else ""
    return "\n".join(filter(None, (deps.background, facts)))


def owner_prompt(deps: GmailDeps, account: Account, name: str, **more: str) -> str:
    """A prompt filled with who the owner is and what time it is. `more` are its other values, or another background."""
    if "background" not in more:
        more["background"] = about_owner(deps, account.id)
    now = f"{deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d %H:%M %Z}"
    about = {"owner": account.name or account.email, "address": account.email, "now": now}
    return prompt(deps.prompts, name, **(about | more))


def owner_scope(deps: GmailDeps, contact: ContactOf, account: Account, met: Iterable[str]) -> CallScope:
    """What an agent's calls are compared with of the owner: words, addresses, and who of the people met they know."""
    own = own_addresses(account)

    def written_to(address: str) -> bool:
        card = contact(account.id, address)
        return address in own or (card is not None and card.sent > 0)

    return CallScope(
        written_to=written_to,
        known_domains=frozenset(one.rpartition("@")[2] for one in met if written_to(one)),
        own=own,
        owner_words=f"{about_owner(deps, account.id)}\n{account.signature}",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Deps(GmailDeps):
    """Everything the mail graph may use. `calendar` is None where no calendar is connected."""

    corpus: StoreCorpus
    journal: Runs
    desk: Reviews
    embedder: Embedder
    triage: Triager
    drafter: Drafter
    tiers: Mapping["Tier", ModelGateway | None] = field(default_factory=dict)
    """Other models than `gateway` for some work; None: without a model."""

    calendar: CalendarReader | None = None
    approver: Approver | None = None
    corrections: Callable[[AccountId], Sequence[tuple[Message, Decision]]] = lambda _account_id: ()
    """The newest messages whose verdict the owner corrected, with the right decision."""

    verdict_written: Callable[[AccountId, ThreadId], None] | None = None
    """Called with the thread of a mail whose verdict was written, since lists show it."""

    mark_ignored_read: bool = False
    answer_route: Route = Route.PIPELINE
    meeting_route: Route = Route.PIPELINE
    """Route of meeting requests that match no rule, where there is a model."""

    auto_approve: AutoApprove = field(default_factory=AutoApprove)
    language: str = "English"
    """Language of reasons that a model writes for the owner."""

    hours: WorkingHours = field(default_factory=WorkingHours)
    backoff_s: tuple[float, ...] = (0.5, 1.0)
    """Waits in seconds between the attempts of a node; there is one attempt more than waits."""

    may_schedule: Callable[[AccountId], bool] = lambda _account_id: False
    """Whether approved meetings can be entered into the account's calendar."""

    auto_approved_today: Callable[[], int] = lambda: 0
    profile: Callable[[str], AgentProfile | None] = lambda _name: None
    profile_gateway: Callable[[AgentProfile], ModelGateway | None] = lambda _profile: None
    """The profile's own model, None where its key is missing."""

    stays_here: Callable[[Message], bool] = lambda _message: False
    """Whether no language model gets a message."""

    preprocess: Callable[[Message], Preprocessed] = preprocess
    book: RunRecorder = field(init=False)
    own_letters: OwnLetters = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "book", RunRecorder(self.journal, self.desk, self.verdict_written))
        object.__setattr__(self, "own_letters", OwnLetters(self.corpus))

    def model_for(self, tier: "Tier") -> ModelGateway | None:
        """The model that does this work, None where code does it."""
        return self.tiers.get(tier, self.gateway) if self.gateway is not None else None

    def check_leaving(self, thread_id: ThreadId) -> None:
        """Raises `UnusableAnswer` where a message of the conversation must not reach a language model."""
        if any(map(self.stays_here, self.corpus.thread(thread_id))):
            raise UnusableAnswer(Cause.STAYS_HERE)


class Tier(StrEnum):
    """Work on mail that may have a model of its own."""

    TRIAGE = "triage"
    DRAFT = "draft"
    AGENT = "agent"
