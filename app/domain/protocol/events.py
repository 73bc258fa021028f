"""Events of the engine for the window. They carry changed ids and who caused the change, never rows."""

from enum import StrEnum

from app.domain.error_texts import NO_TEXT, ErrorText
from app.domain.errors import ExpectedError
from app.domain.ids import AccountId, MessageId, OutboxId, ReviewId, RunId, ThreadId
from app.domain.wire import Event


class Initiator(StrEnum):
    USER = "user"
    SYNC = "sync"
    AGENT = "agent"
    SENDER = "sender"


class EngineReady(Event):
    """The engine has opened its files and accepts commands. `start_ms` counts from the start of its process."""

    start_ms: float
    model_label: str


class MailChanged(Event):
    """Threads whose messages or labels changed. An empty tuple means many: read everything again."""

    account_id: AccountId
    thread_ids: tuple[ThreadId, ...]
    initiator: Initiator


class RunChanged(Event):
    """A run's status changed; `status` is a `RunStatus` value."""

    run_id: RunId
    message_id: MessageId
    status: str


class ReviewReady(Event):
    """A review, or a new revision of it, waits for the user."""

    review_id: ReviewId
    kind: str


class ReviewDecided(Event):
    """A review left the queue, or came back by undo (`status` pending)."""

    review_id: ReviewId
    status: str
    outbox_id: OutboxId
    undo_until_ms: int
    """Unix time in milliseconds until which undo is offered; 0 if there is nothing to undo."""


class OutboxChanged(Event):
    ids: tuple[OutboxId, ...]


class SyncPhase(StrEnum):
    LISTING = "listing"
    BACKFILL = "backfill"
    CURRENT = "current"
    PAUSED = "paused"


class SyncProgress(Event):
    """Counts of messages; `eta_s` is negative while there is no reliable estimate."""

    account_id: AccountId
    phase: SyncPhase
    done: int
    total: int
    eta_s: float


class ConnectionState(StrEnum):
    ONLINE = "online"
    OFFLINE = "offline"
    LOGIN_NEEDED = "login_needed"
    QUOTA = "quota"
    PAUSED = "paused"


class ConnectionChanged(Event):
    """`since_ms` is Unix time in milliseconds; `detail` names the host or reason, never mail."""

    account_id: AccountId
    state: ConnectionState
    since_ms: int
    detail: str


class SignInOpened(Event):
    """A sign-in waits for the user at Google's page.

    `opened` is whether a browser took the address; `wait_s` is how long the sign-in waits from now on.
    """

    address: str
    opened: bool
    wait_s: float


class WorkChanged(Event):
    """The agents' workload and today's model use. `refusal` is why no call of the model succeeds until the settings change."""

    queued: int
    running: int
    paused: bool
    calls_today: int
    tokens_today: int
    cost_today_usd: float
    refusal: ErrorText = NO_TEXT


class IndexProgress(Event):
    """Progress of embedding stored mail for retrieval."""

    done: int
    total: int


class SettingsChanged(Event):
    """The settings file was written: read it again. `model_label` is empty if no model is configured."""

    model_label: str


class KeyStored(Event):
    """A model provider's key was stored or removed. Keys are never sent to the window."""

    provider: str


class RulesChanged(Event):
    """The file of rules and profiles was read again or has an error: ask `ReadRules`."""


class ProfilesChanged(Event):
    """Profiles or their servers changed: ask `ReadProfiles`."""


class MemoryChanged(Event):
    """The ids of changed preferences; empty means to read all again."""

    ids: tuple[int, ...]


class BacktestProgress(Event):
    """How many messages a trial of triage on past mail has read."""

    account_id: AccountId
    done: int
    total: int


class ErrorReported(Event):
    """An error outside a command. `code` is that of a `domain.errors` class, or "bug" for an error of the program itself."""

    code: str
    text: ErrorText = NO_TEXT

    @classmethod
    def of(cls, error: ExpectedError) -> "ErrorReported":
        return cls(error.code, error.text)


class CommandFailed(Event):
    """A command was rejected or failed and changed nothing.

    `command` is its class name. `account_id` is 0 if it concerns no account, several accounts or an unknown one.
    """

    command: str
    code: str
    text: ErrorText = NO_TEXT
    account_id: AccountId = AccountId(0)


def command_failed(command: object, code: str, text: ErrorText) -> CommandFailed:
    """Makes the event for a failed command, with its account if it names one."""
    return CommandFailed(type(command).__name__, code, text, getattr(command, "account_id", AccountId(0)))
