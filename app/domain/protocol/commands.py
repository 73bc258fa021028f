"""Commands and queries of the window to the engine. Commands return nothing; events report the result. Queries are awaited."""

from enum import StrEnum
from pathlib import Path

from app.domain.agents.memory import Namespace, RejectionReason
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Action
from app.domain.ids import AccountId, MessageId, OutboxId, ReviewId, ThreadId
from app.domain.record import Record
from app.domain.wire import Answer, Command, Query


class Decide(Command):
    """The user's decision on one revision of a review.

    `draft` is for accept (as shown), edit and save_draft. `text` is the feedback, the answer, or the reason of a rejection;
    `reason` is that reason as code understands it. `arguments` are the edited arguments of a tool call as a JSON object, empty if
    unchanged. `send_at_ms` is when to send instead of after the undo delay (Unix milliseconds; 0: after the delay). `archive`
    also takes the conversation out of the inbox; undoing the decision brings it back.
    """

    review_id: ReviewId
    revision: int
    action: Action
    draft: Draft | None = None
    text: str = ""
    reason: RejectionReason = RejectionReason.NONE
    arguments: str = ""
    send_at_ms: int = 0
    archive: bool = False


class Undo(Command):
    """Undoes a decision while nothing was sent. The outbox row is cancelled and the review is pending again."""

    review_id: ReviewId


class CancelSend(Command):
    """Cancels a queued or held outbox item; its review comes back."""

    outbox_id: OutboxId


class SendNow(Command):
    """Skips the rest of the undo delay; sends a held item anyway."""

    outbox_id: OutboxId


class DraftReply(Command):
    """Drafts a reply to this message whatever triage says, if wanted without the model."""

    message_id: MessageId
    by_model: bool = True


class StartDrafting(Command):
    """The user's consent to triage and drafting.

    For the unread inbox mail of the last `days` (0: all of it) and for new mail from now on.
    """

    account_id: AccountId
    days: int


class PauseAgents(Command):
    """Stops or resumes starting runs. Running ones are not lost."""

    paused: bool


class SyncNow(Command):
    """Polls the server now."""


class ChangeSettings(Command):
    """Writes settings: pairs of dotted key and JSON value. They are checked against the table in `config.settings`."""

    values: tuple[tuple[str, str], ...]


class StoreKey(Command):
    """Stores a model provider's key in the keyring; an empty key removes it.

    `provider` is for example openai. `session_only` keeps it only in memory, which the user may choose if no keyring works.
    """

    provider: str
    key: str
    session_only: bool = False


class ConnectGmail(Command):
    """Signs in with the user's OAuth client file (JSON of an installed app)."""

    client_file: Path


class Service(StrEnum):
    """Google services that can be connected besides Gmail."""

    CALENDAR = "calendar"
    CONTACTS = "contacts"
    MAIL_SETTINGS = "mail_settings"
    """Signatures and the vacation responder: asked for with the first change."""


class NoteContact(Command):
    """Sets the user's note on a correspondent; an empty text removes it."""

    account_id: AccountId
    email: str
    text: str


class ConnectService(Command):
    """Turns a service on. Accounts whose sign-in does not cover it ask in the browser first. Turning it off is a setting."""

    service: Service


class WipeAccount(Command):
    """Deletes an account from this machine.

    Its mail, drafts, decisions, embeddings, sign-in, logs and backups; the mailbox at Google stays. Cannot be undone; the window
    asks first.
    """

    account_id: AccountId


class AddPreference(Command):
    """Adds a preference in the user's words. The background text is a setting and not added here."""

    namespace: Namespace
    text: str


class EditPreference(Command):
    """Changes the text of a preference; for a greeting or sign-off the text itself."""

    preference_id: int
    text: str


class DeletePreference(Command):
    preference_id: int


class RestorePreference(Command):
    """Undoes a deletion."""

    preference_id: int


class Shutdown(Command):
    """Finishes the current step, closes the files and ends the engine."""


class SearchMail(Query):
    """Searches by Gmail operators and free text; answered by `ThreadIds`, the newest `limit`.

    20,000 ids are 140 kB and take the engine's search thread 0.16 to 0.19 s in a store of 100,000 messages; 500 take 0.09 s.
    """

    text: str
    limit: int = 20_000


class ThreadIds(Answer):
    """Local thread ids, best or newest first."""

    ids: tuple[ThreadId, ...]


class PreviewDrafting(Query):
    """Estimates what `StartDrafting` would do; answered by `DraftingPreview`."""

    account_id: AccountId
    days: int


class DraftingPreview(Answer):
    """`mails` would be looked at; `drafts` and `cost_usd` are estimates.

    The cost is 0 without a model and negative if unknown.
    """

    mails: int
    drafts: int
    cost_usd: float


class TestModel(Query):
    """Asks a model for what the program needs; answered by `ModelTest`."""

    model: str
    api_base: str


class ModelTest(Answer):
    """How fast the model answered. `sorts`: it gives verdicts in the right form; `calls_tools`: it can use tools.

    It sorted `right` of `asked` made-up mails as expected.
    """

    latency_ms: float
    sorts: bool
    calls_tools: bool
    right: int = 0
    asked: int = 0


class TrialMail(Query):
    """Picks past mail to try a model on: half of it answered by the owner; answered by `TrialMails`."""

    most: int


class TrialMails(Answer):
    """Messages, newest first."""

    ids: tuple[MessageId, ...]


class TryModel(Query):
    """Asks a model about one past message, without any effect; answered by `ModelTried`."""

    model: str
    api_base: str
    message_id: MessageId


class DraftFault(StrEnum):
    """What code finds wrong with a draft."""

    UNANSWERED = "unanswered"
    UNSUPPORTED = "unsupported"
    LANGUAGE = "language"
    LENGTH = "length"
    RECIPIENTS = "recipients"
    PREAMBLE = "preamble"


class ModelTried(Answer):
    """What a model would have said of a message, and what the owner did. `error` is stored text, empty if it answered.

    `local` is the decision without a model, which counts where the model's is `unusable` or `overruled`.
    """

    message_id: MessageId
    sender: str
    subject: str
    answered: bool
    owner_text: str
    decision: str = ""
    reason: str = ""
    body: str = ""
    open_slots: int = 0
    faults: tuple[DraftFault, ...] = ()
    seconds: float = 0.0
    tokens: int = 0
    usd: float = 0.0
    error: str = ""
    local: str = ""
    unusable: bool = False
    overruled: bool = False

    def agrees(self, decision: str) -> bool:
        """Whether a decision is for an answer where the owner gave one."""
        return bool(decision) and (decision == "respond") == self.answered


class ListModels(Query):
    """Asks a provider (an id of `PROVIDERS`) which models it serves; answered by `ModelList`."""

    provider: str
    api_base: str = ""


class ModelList(Answer):
    """The models, the recommended first; empty if the server has no list. `address` is complete."""

    address: str
    models: tuple[str, ...]


class FindModelServers(Query):
    """Looks for model servers on this computer; answered by `ModelServers`."""


class ModelServer(Record):
    """A server that answers on this computer, with its models."""

    provider: str
    address: str
    models: tuple[str, ...]


class ModelServers(Answer):
    """The servers found, in the order in which providers are offered."""

    found: tuple[ModelServer, ...]
