"""A mailbox for agent tests: the real store in a temporary folder.

Only similar mail, verdicts and the calendar are scripted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from app.agent.language.times import WorkingHours
from app.agent.runtime.dependencies import Deps
from app.domain.agents.runs import Route, Run, RunStatus
from app.domain.drafting.draft import Draft, Source, Span, SpanKind
from app.domain.drafting.meeting import BusyTime
from app.domain.drafting.review import Action, Review, ReviewStatus
from app.domain.errors import ExpectedError
from app.domain.ids import AccountId, GmailThreadId, MessageId, ReviewId, RunId, ThreadId
from app.domain.mail.message import Account, Address, Message, RemoteMessage, SystemLabel
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.ports.agents import Contact, OwnReply
from app.domain.protocol.commands import Decide
from app.store.accounts import Accounts
from app.store.contacts import Contacts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.reviews.reviews import Reviews
from app.store.runs.runs import Runs
from fakes.engine.store.empty import prepared
from fakes.engine.store.rows import start_run
from fakes.gmail.messages import remote_message

PROMPTS = Path(__file__).resolve().parents[3] / "resources" / "prompts"
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
OWNER = Address("me@example.com", "Mia Example")
CRISP = Address("session_1@crisp.email", "Crisp")
ANN = Address("ann@partner.org", "Ann Berg")

STATUS_OF = {
    Action.ACCEPT: ReviewStatus.APPROVED,
    Action.EDIT: ReviewStatus.APPROVED,
    Action.SAVE_DRAFT: ReviewStatus.SAVED_AS_DRAFT,
    Action.RESPOND: ReviewStatus.ANSWERED,
    Action.IGNORE: ReviewStatus.DISMISSED,
}


def mail(text: str, *, key: str = "m1", thread: str = "t1", at: datetime = NOON, **fields: Any) -> RemoteMessage:
    """A remote message from Ann to the owner; `fields` as in `RemoteMessage`."""
    defaults = {"subject": "Question", "to": (OWNER,), "sender": ANN, "snippet": text[:80]}
    return remote_message(key, text, gmail_thread_id=GmailThreadId(thread), date=at, **{**defaults, **fields})


SENT = frozenset({SystemLabel.SENT.value})


class FixedTriage:
    """Returns the verdict set by the test and counts its calls."""

    def __init__(self, verdict: Triage | Exception) -> None:
        self.verdict = verdict
        self.calls = 0

    def judge(
        self, message: Message, thread: Sequence[Message], account: Account, vector: Sequence[float], contact: Contact | None
    ) -> Triage:
        """Returns the verdict or raises it when it is an exception."""
        self.calls += 1
        if isinstance(self.verdict, Exception):
            raise self.verdict
        return self.verdict


def verdict(
    decision: Decision = Decision.RESPOND, category: Category = Category.INQUIRY, confidence: float = 0.7, maker: str = "local:83"
) -> Triage:
    return Triage(decision, category, confidence, "Asks two questions.", maker)


def slotted_draft(
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
    """A drafter whose draft shows its input and has one open slot."""
    lines = ["Hello,", f"busy {len(busy)}" if busy is not None else "no calendar", f"replies {len(own_replies)}", ""]
    body = "\n".join(lines)
    slot = Span(len(body), len(body), SpanKind.OPEN_SLOT, "your answer")
    return Draft((message.sender,), (), (), f"Re: {message.subject}", body, "template", message.id, (slot,)), ()


class LetterEmbedder:
    """Vectors of letter counts: quick, and the same text always has the same vector."""

    model_id = "letters"
    dimension = 26

    def __init__(self) -> None:
        self.calls = 0

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text."""
        self.calls += 1
        counted = [[1.0 + text.lower().count(chr(97 + at)) for at in range(26)] for text in texts]
        return [[one / sum(one_text) for one in one_text] for one_text in counted]


class ScriptedCalendar:
    """A calendar with fixed busy times, or one that fails."""

    def __init__(self, busy: tuple[BusyTime, ...] = (), trouble: ExpectedError | None = None) -> None:
        self.times = busy
        self.trouble = trouble

    async def busy(self, start: datetime, end: datetime) -> tuple[BusyTime, ...]:
        """The busy times within the window."""
        if self.trouble:
            raise self.trouble
        return tuple(one for one in self.times if one.start < end and one.end > start)


@dataclass
class RoomCorpus:
    """The real store's mail; the test sets similar mail and own replies."""

    owners: Accounts
    messages: Messages
    contacts: Contacts
    rows: Callable[[str], list[Any]]
    near: list[tuple[MessageId, float]] = field(default_factory=list)
    replies: list[tuple[MessageId, MessageId, float]] = field(default_factory=list)

    def accounts(self) -> tuple[Account, ...]:
        return self.owners.all()

    def account(self, account_id: AccountId) -> Account:
        return self.owners.get(account_id)

    def message(self, message_id: MessageId) -> Message:
        return self.messages.get(message_id)

    def thread(self, thread_id: ThreadId) -> tuple[Message, ...]:
        return self.messages.thread(thread_id)

    def card(self, account_id: AccountId, email: str, now: datetime) -> Contact | None:
        return self.contacts.full_card(account_id, email, now)

    def contact(self, account_id: AccountId, email: str) -> Contact | None:
        return self.contacts.card(account_id, email)

    def known_domains(self, account_id: AccountId) -> frozenset[str]:
        return self.contacts.written_domains(account_id)

    def own_mail(self, account_id: AccountId, limit: int) -> tuple[Message, ...]:
        threads = dict.fromkeys(row[0] for row in self.rows("SELECT thread_id FROM messages WHERE outgoing ORDER BY id DESC"))
        return tuple(one for thread in threads for one in self.messages.thread(thread) if one.outgoing)[:limit]

    def similar(
        self, account_id: AccountId, vector: Sequence[float], limit: int, exclude_thread: ThreadId
    ) -> tuple[tuple[Message, float], ...]:
        """The messages in `near`."""
        found = [(self.messages.get(one), score) for one, score in self.near]
        return tuple((one, score) for one, score in found if one.thread_id != exclude_thread)[:limit]

    def own_replies(
        self, account_id: AccountId, vector: Sequence[float], limit: int, exclude_thread: ThreadId
    ) -> tuple[OwnReply, ...]:
        """The pairs in `replies`."""
        found = [OwnReply(self.messages.get(asked), self.messages.get(said), score) for asked, said, score in self.replies]
        return tuple(found)[:limit]


class Room:
    """A store with one account, and the dependencies of a graph over it."""

    def __init__(self, folder: Path, signature: str = "") -> None:
        self.folder = folder
        self.now = NOON + timedelta(minutes=5)
        self.db = Database.open(prepared(folder / "mail.db"))
        accounts = Accounts(self.db)
        self.account_id = accounts.add(OWNER.email, OWNER.name, (OWNER.email,), signature, "#336699")
        self.messages = Messages(self.db)
        self.corpus = RoomCorpus(accounts, self.messages, Contacts(self.db), self.db.read)
        self.runs = Runs(self.db, self.clock)
        self.reviews = Reviews(self.db, self.clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.db.close()

    def clock(self) -> datetime:
        return self.now

    def put(self, *mails: RemoteMessage) -> list[Message]:
        """Stores messages and returns them as stored."""
        self.messages.apply(self.account_id, SyncPage(messages=mails))
        found = [self.messages.by_gmail_id(self.account_id, one.gmail_id) for one in mails]
        return [one for one in found if one is not None]

    def one(self, text: str, **rest: Any) -> Message:
        """Stores a message with this text; `rest` as in `mail`."""
        (message,) = self.put(mail(text, **rest))
        return message

    def start(self, message: Message, run_id: str = "run-1", **changes: Any) -> Run:
        """Stores a run of a message."""
        values: dict[str, Any] = {
            "id": RunId(run_id),
            "account_id": message.account_id,
            "message_id": message.id,
            "thread_id": message.thread_id,
            "route": Route.PIPELINE,
            "rule": "",
            "profile": "",
            "status": RunStatus.QUEUED,
            "graph_version": 1,
            "created_at": self.now,
            **changes,
        }
        run = Run(**values)
        start_run(self.runs, run)
        return run

    def deps(self, triage: Any, **changes: Any) -> Deps:
        """Dependencies without a model."""
        values: dict[str, Any] = {
            "corpus": self.corpus,
            "journal": self.runs,
            "desk": self.reviews,
            "embedder": LetterEmbedder(),
            "triage": triage,
            "drafter": slotted_draft,
            "clock": self.clock,
            "prompts": PROMPTS,
            "backoff_s": (0.0, 0.0),
            **changes,
        }
        return Deps(**values)

    def decide(self, review_id: ReviewId, action: Action, text: str = "", draft: Draft | None = None) -> None:
        """Decides on a review as the engine does, but without an outbox row."""
        review = self.reviews.review(review_id)
        self.reviews.decide(Decide(review_id, review.revision, action, draft, text), None, STATUS_OF[action], None)

    def all_reviews(self) -> list[Review]:
        """All reviews, oldest first."""
        rows = self.db.read("SELECT id FROM reviews ORDER BY id")
        return [self.reviews.review(ReviewId(row[0])) for row in rows]

    def steps(self, run_id: str = "run-1") -> list[str]:
        """The names of the run's nodes in order."""
        rows = self.db.read("SELECT step_name FROM run_steps WHERE run_id = ? ORDER BY seq", (run_id,))
        return [row[0] for row in rows]
