"""What the window asks of the engine. Commands return nothing; what happened comes back as events. Queries are awaited."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.domain.agents.memory import Namespace, RejectionReason
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action
from app.domain.ids import AccountId, MessageId, OutboxId, ReviewId, ThreadId
from app.domain.mail.files import Invitation, ReadInvitation
from app.domain.protocol.account_commands import AccountCommand, CheckClientFile, ClientFileChecked
from app.domain.protocol.agent_commands import (
    AllowServer,
    AllowTool,
    ForbidServer,
    ProfilesAnswer,
    ProfileTried,
    ReadProfiles,
    ReadRules,
    RulesAnswer,
    RulesTried,
    SaveRules,
    TryProfile,
    TryRules,
)
from app.domain.protocol.archive_commands import FileCommand
from app.domain.protocol.assistant_commands import AssistantCommand
from app.domain.protocol.changes import Change
from app.domain.protocol.letter_commands import WritingCommand
from app.domain.protocol.queries import (
    CheckSpelling,
    FindMail,
    FindSimilar,
    FoundMails,
    Misspelled,
    SimilarMails,
    Suggestions,
    SuggestSpelling,
)


@dataclass(frozen=True, slots=True)
class Decide:
    """The user's word on one revision of a review. `draft` for accept (as shown), edit and save_draft; `text` is the
    feedback, answer, or the reason of a rejection; `reason` is that reason where code understands it; `arguments` are the
    edited arguments of a tool call as a JSON object, empty as proposed; `send_at_ms` is when an approved letter leaves instead of
    after the undo delay (Unix milliseconds; 0: after the delay)."""

    review_id: ReviewId
    revision: int
    action: Action
    draft: Draft | None = None
    text: str = ""
    reason: RejectionReason = RejectionReason.NONE
    arguments: str = ""
    send_at_ms: int = 0


@dataclass(frozen=True, slots=True)
class Undo:
    """Take a decision back while nothing has left: the outbox row is cancelled and the review is pending again."""

    review_id: ReviewId


@dataclass(frozen=True, slots=True)
class CancelSend:
    """Cancel an outbox item that is queued or held; its review comes back."""

    outbox_id: OutboxId


@dataclass(frozen=True, slots=True)
class SendNow:
    """Do not wait for the rest of the undo window; for a held item: send anyway."""

    outbox_id: OutboxId


@dataclass(frozen=True, slots=True)
class DraftReply:
    """Draft an answer to this mail whatever triage says."""

    message_id: MessageId


@dataclass(frozen=True, slots=True)
class StartDrafting:
    """The user's consent: triage the unread inbox mail of the last `days` (0: all of it), and new mail from now on."""

    account_id: AccountId
    days: int


@dataclass(frozen=True, slots=True)
class PauseAgents:
    """Stop starting runs, or start again. Nothing running is lost."""

    paused: bool


@dataclass(frozen=True, slots=True)
class SyncNow:
    """Poll the server at once."""


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """Write settings: pairs of dotted key and JSON value, checked against the table in `config.settings`."""

    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class StoreKey:
    """Put a model provider's key into the keyring (`provider` such as openai), or, where the user chose so because no keyring
    works, only into this session's memory; an empty key removes it."""

    provider: str
    key: str
    session_only: bool = False


@dataclass(frozen=True, slots=True)
class ConnectGmail:
    """Sign in with the user's own OAuth client file (a JSON of an installed app)."""

    client_file: Path


class Service(StrEnum):
    """What of Google's may be connected besides Gmail."""

    CALENDAR = "calendar"
    CONTACTS = "contacts"


@dataclass(frozen=True, slots=True)
class NoteContact:
    """The user's own note on a correspondent; an empty text removes it."""

    account_id: AccountId
    email: str
    text: str


@dataclass(frozen=True, slots=True)
class ConnectService:
    """Turn a service on: accounts whose sign-in does not cover it ask in the browser first. Turning it off is a setting."""

    service: Service


@dataclass(frozen=True, slots=True)
class WipeAccount:
    """Forget an account on this machine: its mail, drafts, decisions, embeddings, sign-in, logs and backups. The mailbox at
    Google stays as it is. It cannot be undone; the window asks first."""

    account_id: AccountId


@dataclass(frozen=True, slots=True)
class AddPreference:
    """Remember the user's own words; the background text is a setting and not added here."""

    namespace: Namespace
    text: str


@dataclass(frozen=True, slots=True)
class EditPreference:
    """Other words for a preference; for a greeting or a sign-off the words themselves."""

    preference_id: int
    text: str


@dataclass(frozen=True, slots=True)
class DeletePreference:
    """Follow it no longer."""

    preference_id: int


@dataclass(frozen=True, slots=True)
class RestorePreference:
    """Undo a deletion."""

    preference_id: int


@dataclass(frozen=True, slots=True)
class Shutdown:
    """Finish the step at hand, close the files and end."""


Command = (
    Decide
    | Undo
    | CancelSend
    | SendNow
    | DraftReply
    | Change
    | FileCommand
    | StartDrafting
    | PauseAgents
    | SyncNow
    | ChangeSettings
    | StoreKey
    | ConnectGmail
    | ConnectService
    | NoteContact
    | WipeAccount
    | AddPreference
    | EditPreference
    | DeletePreference
    | RestorePreference
    | SaveRules
    | AllowServer
    | ForbidServer
    | AllowTool
    | WritingCommand
    | AccountCommand
    | AssistantCommand
    | Shutdown
)


@dataclass(frozen=True, slots=True)
class SearchMail:
    """Gmail operators and free text; answered by `ThreadIds`, the newest `limit` of them. 20,000 are 140 kB and
    take 0.16 to 0.19 s of the engine's search thread in a store of 100,000 mails, where 500 take 0.09."""

    text: str
    limit: int = 20_000


@dataclass(frozen=True, slots=True)
class ThreadIds:
    """Local thread ids, best or newest first."""

    ids: tuple[ThreadId, ...]


@dataclass(frozen=True, slots=True)
class PreviewDrafting:
    """What `StartDrafting` would do; answered by `DraftingPreview`."""

    account_id: AccountId
    days: int


@dataclass(frozen=True, slots=True)
class DraftingPreview:
    """`mails` would be looked at; `drafts` and `cost_usd` are estimates (cost 0 without a model, negative if unknown)."""

    mails: int
    drafts: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class TestModel:
    """Call the configured (or given) model once; answered by `ModelTest`."""

    model: str
    api_base: str


@dataclass(frozen=True, slots=True)
class ModelTest:
    """Whether the model answered, how fast, and its words or the reason of failure."""

    ok: bool
    latency_ms: float
    detail: str


Query = (
    SearchMail
    | PreviewDrafting
    | TestModel
    | ReadRules
    | TryRules
    | ReadProfiles
    | TryProfile
    | CheckClientFile
    | ReadInvitation
    | FindMail
    | FindSimilar
    | CheckSpelling
    | SuggestSpelling
)
Answer = (
    ThreadIds
    | DraftingPreview
    | ModelTest
    | RulesAnswer
    | RulesTried
    | ProfilesAnswer
    | ProfileTried
    | ClientFileChecked
    | Invitation
    | FoundMails
    | SimilarMails
    | Misspelled
    | Suggestions
)
