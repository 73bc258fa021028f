"""What the engine tells the window. Events carry changed ids and who caused it, never rows."""

from dataclasses import dataclass
from enum import StrEnum

from app.domain.errors import ExpectedError
from app.domain.ids import AccountId, MessageId, OutboxId, ReviewId, RunId, ThreadId
from app.domain.protocol.archive_commands import FileEvent
from app.domain.protocol.assistant_commands import AssistantEvent
from app.domain.protocol.letter_commands import WritingEvent


class Initiator(StrEnum):
    """Who caused a change: the window's user, the sync, an agent run or the sender."""

    USER = "user"
    SYNC = "sync"
    AGENT = "agent"
    SENDER = "sender"


@dataclass(frozen=True, slots=True)
class EngineReady:
    """The engine's files are open and it takes commands. `start_ms` since its process started."""

    start_ms: float
    model_label: str


@dataclass(frozen=True, slots=True)
class MailChanged:
    """Threads whose messages or labels changed; an empty tuple means: many, read again."""

    account_id: AccountId
    thread_ids: tuple[ThreadId, ...]
    initiator: Initiator


@dataclass(frozen=True, slots=True)
class RunChanged:
    """A run moved; `status` is a `RunStatus` value."""

    run_id: RunId
    message_id: MessageId
    status: str


@dataclass(frozen=True, slots=True)
class ReviewReady:
    """A review (or a new revision of it) waits for the user."""

    review_id: ReviewId
    kind: str


@dataclass(frozen=True, slots=True)
class ReviewDecided:
    """A review left the queue, or came back by undo (`status` pending)."""

    review_id: ReviewId
    status: str
    outbox_id: OutboxId
    undo_until_ms: int
    """Unix time in milliseconds until which undo is offered; 0 if there is nothing to undo."""


@dataclass(frozen=True, slots=True)
class OutboxChanged:
    """Outbox rows that changed."""

    ids: tuple[OutboxId, ...]


class SyncPhase(StrEnum):
    """Where an account's sync is."""

    LISTING = "listing"
    BACKFILL = "backfill"
    CURRENT = "current"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """Real counts of messages; `eta_s` is negative when no honest estimate exists yet."""

    account_id: AccountId
    phase: SyncPhase
    done: int
    total: int
    eta_s: float


class ConnectionState(StrEnum):
    """How the account's server answers."""

    ONLINE = "online"
    OFFLINE = "offline"
    LOGIN_NEEDED = "login_needed"
    QUOTA = "quota"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class ConnectionChanged:
    """`since_ms` is Unix time in milliseconds; `detail` names the host or reason, never mail."""

    account_id: AccountId
    state: ConnectionState
    since_ms: int
    detail: str


@dataclass(frozen=True, slots=True)
class WorkChanged:
    """The agents' workload and today's model use."""

    queued: int
    running: int
    paused: bool
    calls_today: int
    tokens_today: int
    cost_today_usd: float


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """Embedding of stored mail for retrieval."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """The settings file was written; read it again. `model_label` is empty when no model is configured."""

    model_label: str


@dataclass(frozen=True, slots=True)
class KeyStored:
    """A model provider's key was stored, or removed. The key itself crosses in one direction only."""

    provider: str


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The file of rules and profiles was read again, or found to be broken; ask `ReadRules` for what stands."""


@dataclass(frozen=True, slots=True)
class ProfilesChanged:
    """Profiles, or the states and tools of their servers, are others; ask `ReadProfiles`."""


@dataclass(frozen=True, slots=True)
class MemoryChanged:
    """Preferences were learned, edited, deleted or restored; their ids, none when something was taken back: read all again."""

    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ErrorReported:
    """An error outside a command: `code` of a `domain.errors` class, or "bug" for an error of the program itself."""

    code: str
    detail: str
    remedy: str

    @classmethod
    def of(cls, error: ExpectedError) -> "ErrorReported":
        """The event for an expected error."""
        return cls(error.code, error.detail, error.remedy)


@dataclass(frozen=True, slots=True)
class CommandFailed:
    """A command was refused or failed and changed nothing. `command` is its class name; `account_id` whose mail it was about, 0
    where it was nobody's, of several accounts, or is not known."""

    command: str
    code: str
    detail: str
    remedy: str
    account_id: AccountId = AccountId(0)


def refusal(command: object, code: str, detail: str, remedy: str) -> CommandFailed:
    """What is told of a command that failed; its account where it names one."""
    return CommandFailed(type(command).__name__, code, detail, remedy, getattr(command, "account_id", AccountId(0)))


Event = (
    EngineReady
    | MailChanged
    | RunChanged
    | ReviewReady
    | ReviewDecided
    | OutboxChanged
    | SyncProgress
    | ConnectionChanged
    | WorkChanged
    | IndexProgress
    | SettingsChanged
    | KeyStored
    | RulesChanged
    | ProfilesChanged
    | MemoryChanged
    | ErrorReported
    | CommandFailed
    | WritingEvent
    | FileEvent
    | AssistantEvent
)
