"""The Gmail agent's interface: tasks, results and dependencies, the same in process and as a service.

The agent never sends. It proposes, and its caller puts the proposal up for review. Files are named by handle, never by path. The
dependencies are few enough for a process beside the engine to provide them.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Protocol, TypedDict, TypeVar

import msgspec
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph.message import add_messages

from app.agent.llm.turns import UnusableAnswer
from app.agent.runtime.dependencies import GmailDeps
from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.drafting.draft import Source
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, RunId
from app.domain.mail.files import ArtifactHandle
from app.domain.record import Record


class MailProposal(Record):
    """A proposed mail: plain addresses, plain text, handles of files.

    `[[...]]` in `body` is an open slot. `reply_to` is the answered message, or 0. `model` is the litellm id of its author.
    """

    to: tuple[str, ...]
    subject: str
    body: str
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    reply_to: MessageId = MessageId(0)
    model: str = ""


class GmailTask(Record):
    """One task for the agent.

    `thread` is a UUID made from run, step, attempt and round, so a repeated task finds its result. `messages` are pairs of role
    (`human` or `ai`) and text: the request, the contract of each earlier step, the instruction last. `request` is what the owner
    typed, for provenance. `documents` may be attached. `feedback` is what the owner wants changed of `before`, an earlier
    proposal. `scope` is the mail that may be searched.
    """

    thread: str
    run_id: RunId
    account_id: AccountId
    request: str
    messages: tuple[tuple[str, str], ...]
    documents: tuple[ArtifactHandle, ...] = ()
    feedback: str = ""
    before: MailProposal | None = None
    scope: MailScope = ALL_MAIL


class GmailFound(Record):
    """The result of a search.

    `data` goes into the contract (action, result, subject, from, content); code takes it from the found message. `answer` is the
    text for the user.
    """

    data: Mapping[str, Any]
    answer: str
    sources: tuple[Source, ...] = ()


class GmailProposed(Record):
    """A mail to send once the owner approves it. `sources` are the messages it was written from."""

    mail: MailProposal
    sources: tuple[Source, ...] = ()


class GmailAgent(Protocol):
    """The agent, in this process or as a service."""

    async def work(self, task: GmailTask) -> GmailFound | GmailProposed:
        """Runs the task or returns its stored result. Raises `ModelUnavailable`, `CapReached`, `UnusableAnswer`, `NotAllowed`,
        and `Offline` (service only).
        """

    async def settle(self, task: GmailTask, outcome: Mapping[str, Any]) -> None:
        """Ends the thread with what became of its proposal: `{"status": "sent" | "draft" | "rejected"}`.

        Nothing depends on it: a missing thread or an unreachable service is ignored.
        """

    def with_deps(self, deps: GmailDeps, /) -> "GmailAgent":
        """The agent with new dependencies."""

    async def close(self) -> None: ...


GMAIL_SEND = "gmail_send"
RESULTS = "results"
"""Key of the result in the context of an ended graph."""

CHOSEN = "account_chosen"
"""Key of a sentence in the context, and then in the contract, where the account was chosen for the caller."""

VERSION_NAME = "graph_version"
"""Key of `VERSION` in a checkpoint's metadata."""

VERSION = 2
"""Version of the graph's nodes and state. Checkpoints of other versions are not continued."""

OUTCOMES = frozenset({"sent", "draft", "rejected"})
"""Values of `status` in the value that resumes the graph."""

FileText = tuple[str, bool]
"""The text of a file, and whether it is only the beginning."""
NO_TEXT: FileText = ("", False)
NO_TEXTS: Mapping[str, FileText] = {}

Form = TypeVar("Form")


class GmailState(TypedDict, total=False):
    """State outside the node.

    `messages` is the conversation, the instruction last. The graph adds one message, the completion contract as JSON;
    `context["results"]` holds the same data. `next` belongs to the caller. `context` is a `TaskContext`.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    next: str
    context: dict[str, Any]


class GmailNodeState(TypedDict, total=False):
    """Input and output of the node `gmail`. The output's `messages` are the contract alone."""

    messages: list[AnyMessage]
    context: dict[str, Any]


class GmailTaskState(GmailNodeState, total=False):
    """State within the node.

    `intent` is an `Intent`, `talk` the turns with the model (see `agent.runtime.conversation`), `pending` the proposal as
    `PendingSend`, `outcome` what became of it, `found` the result of a search as `GmailFound`.
    """

    intent: str
    talk: str
    pending: dict[str, Any]
    outcome: dict[str, Any]
    found: dict[str, Any]


class Intent(StrEnum):
    """What a task is for, decided before any mail is read."""

    SEARCH = "search_email"
    SEND = "send_email"


class TaskDocument(Record):
    """A file that may be read and attached.

    `size` is in bytes, 0 when unknown. `text` is the text of the file for an agent without access to it, `cut` whether it is only
    the beginning.
    """

    handle: str
    name: str
    size: int = 0
    text: str = ""
    cut: bool = False


class TaskContext(Record):
    """The context of a task.

    `request` is what the owner typed, `feedback` what they want changed of `before`. `scope` is the mail that may be
    searched. Without a request nothing counts as typed.
    Without an account or a run the first node adds them.
    """

    account_id: AccountId = AccountId(0)
    run_id: RunId = RunId("")
    request: str = ""
    documents: tuple[TaskDocument, ...] = ()
    feedback: str = ""
    before: MailProposal | None = None
    scope: MailScope = ALL_MAIL


class SendArguments(Record):
    to: tuple[str, ...]
    subject: str
    body: str
    attachments: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    reply_to_message_id: int = 0

    def mail(self, reply_to: MessageId, model: str) -> MailProposal:
        return MailProposal(self.to, self.subject, self.body, self.cc, self.bcc, self.attachments, reply_to, model)


class PendingSend(Record):
    """The value of the graph's interrupt.

    `plan_hash` is `domain.agents.tools.plan_hash` of action and arguments. `model` is the litellm id of the author.
    """

    action: str
    args: SendArguments
    plan_hash: str
    model: str = ""
    sources: tuple[Source, ...] = ()


def state_of(task: GmailTask, texts: Mapping[str, FileText] = NO_TEXTS) -> GmailState:
    """The initial state of a task. `texts` are those of its documents by handle."""
    messages: list[AnyMessage] = [AIMessage(text) if role == "ai" else HumanMessage(text) for role, text in task.messages]
    documents = tuple(TaskDocument(one.id, one.name, one.size, *texts.get(one.id, NO_TEXT)) for one in task.documents)
    given = TaskContext(task.account_id, task.run_id, task.request, documents, task.feedback, task.before, task.scope)
    return {"messages": messages, "next": "Gmail", "context": msgspec.to_builtins(given)}


def given_of(context: Mapping[str, Any]) -> TaskContext:
    """Parses the context of a task. Raises `NotAllowed`."""
    try:
        return msgspec.convert(dict(context), TaskContext)
    except msgspec.ValidationError as error:
        raise NotAllowed(f"The context of this task cannot be read: {error}.") from None


def pending_of(interrupt: object) -> PendingSend:
    """Parses an interrupt's value. Raises `UnusableAnswer`."""
    pending = _read(interrupt, PendingSend)
    if pending.action != GMAIL_SEND:
        raise UnusableAnswer("The Gmail agent waits for something that it may not ask for.")
    return pending


def proposed_of(interrupt: object) -> GmailProposed:
    """The proposal in an interrupt's value. Raises `UnusableAnswer`."""
    pending = pending_of(interrupt)
    return GmailProposed(pending.args.mail(MessageId(pending.args.reply_to_message_id), pending.model), pending.sources)


def searched_of(context: Mapping[str, Any]) -> GmailFound | None:
    """The result in the context of an ended graph, None when there is none. Raises `UnusableAnswer`."""
    left = context.get(RESULTS)
    return None if left is None else _read(left, GmailFound)


def _read(value: object, form: type[Form]) -> Form:
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise UnusableAnswer(f"The Gmail agent answered in a form that cannot be used: {error}.") from None


def said_by(messages: Sequence[AnyMessage], kind: type[AnyMessage]) -> tuple[str, ...]:
    """Texts of the messages of one kind, in order."""
    return tuple(one.text for one in messages if isinstance(one, kind))
