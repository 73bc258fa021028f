"""State of the Gmail agent's graph, and how tasks, proposals and results are stored in it: JSON and messages only.

The state is the same in process and over HTTP. All values that come from outside are validated here.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, TypedDict, TypeVar

import msgspec
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph.message import add_messages

from app.agent.agents.gmail.interface import GmailFound, GmailProposed, GmailTask, MailProposal
from app.agent.llm.turns import UnusableAnswer
from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.drafting.draft import Source
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, RunId
from app.domain.record import Record

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
    """The checked arguments of `gmail_send`."""

    to: tuple[str, ...]
    subject: str
    body: str
    attachments: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    reply_to_message_id: int = 0


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
    messages: list[AnyMessage] = [_message(role, text) for role, text in task.messages]
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
    args = pending.args
    answered = MessageId(args.reply_to_message_id)
    mail = MailProposal(args.to, args.subject, args.body, args.cc, args.bcc, args.attachments, answered, pending.model)
    return GmailProposed(mail, pending.sources)


def searched_of(context: Mapping[str, Any]) -> GmailFound | None:
    """The result in the context of an ended graph, None when there is none. Raises `UnusableAnswer`."""
    left = context.get(RESULTS)
    return None if left is None else _read(left, GmailFound)


def _read(value: object, form: type[Form]) -> Form:
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise UnusableAnswer(f"The Gmail agent answered in a form that cannot be used: {error}.") from None


def _message(role: str, text: str) -> AnyMessage:
    return AIMessage(text) if role == "ai" else HumanMessage(text)


def said_by(messages: Sequence[AnyMessage], kind: type[AnyMessage]) -> tuple[str, ...]:
    """Texts of the messages of one kind, in order."""
    return tuple(one.text for one in messages if isinstance(one, kind))
