"""The state of the Gmail agent's graph, as 003 has it, and how tasks, proposals and results stand in it: JSON and messages only.

`build_gmail_graph(deps: GmailDeps) -> StateGraph[GmailState]` in `graph.py` takes and leaves it, in process and over HTTP alike.
What comes from outside is checked to its last field here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, TypedDict, TypeVar

import msgspec
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph.message import add_messages

from app.agent.agents.gmail.interface import GmailFound, GmailProposed, GmailTask, MailProposal
from app.agent.llm.turns import UnusableAnswer
from app.domain.drafting.draft import Source
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, RunId

GMAIL_SEND = "gmail_send"
RESULTS = "results"
"""Where in the context an ended graph leaves its result."""

VERSION_NAME = "graph_version"
"""Under which a checkpoint's metadata has `VERSION`."""

VERSION = 1
"""Of the graph's nodes and of what stands in its state: checkpoints of another version are not gone on from."""

OUTCOMES = frozenset({"sent", "draft", "rejected"})
"""What may have become of a proposal: the `status` of the value that resumes the graph."""

NO_TEXTS: Mapping[str, str] = {}

Form = TypeVar("Form")


class GmailState(TypedDict, total=False):
    """`messages`: the conversation so far, the instruction last; the graph adds one message, its completion contract as JSON,
    which nobody has to parse: `context["results"]` holds the same, written by code. `next` is the caller's and left alone.
    `context` is what `TaskContext` reads."""

    messages: Annotated[list[AnyMessage], add_messages]
    next: str
    context: dict[str, Any]


class GmailNodeState(TypedDict, total=False):
    """What the node `gmail` takes and leaves; `messages` are those of the conversation, and at the end the contract alone."""

    messages: list[AnyMessage]
    context: dict[str, Any]


class GmailTaskState(GmailNodeState, total=False):
    """The state within the node. `intent`: an `Intent`; `talk`: the turns with the model so far, in the forms of `agent.talk`;
    `pending`: the proposal as `Pending`, once there is one; `outcome`: what became of it; `found`: how a search ended, as
    `GmailFound`."""

    intent: str
    talk: str
    pending: dict[str, Any]
    outcome: dict[str, Any]
    found: dict[str, Any]


class Intent(StrEnum):
    """What a task asks for, decided before anything else is read."""

    SEARCH = "search_email"
    SEND = "send_email"


@dataclass(frozen=True, slots=True)
class TaskDocument:
    """A file that may be read and attached: its handle, its name, its size in bytes (0 where nobody said). `text` is the
    beginning of a text file, for an agent that has no folder to read it from."""

    handle: str
    name: str
    size: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class TaskContext:
    """The context of a task. `request` is what the owner typed, and `feedback` what they want changed of `before`; without a
    request nothing counts as typed."""

    account_id: AccountId
    run_id: RunId
    request: str = ""
    documents: tuple[TaskDocument, ...] = ()
    feedback: str = ""
    before: MailProposal | None = None


@dataclass(frozen=True, slots=True)
class SendArguments:
    """The arguments of `gmail_send`, checked."""

    to: tuple[str, ...]
    subject: str
    body: str
    attachments: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    reply_to_message_id: int = 0


@dataclass(frozen=True, slots=True)
class PendingSend:
    """The value of the graph's interrupt. `plan_hash` is the one of `domain.tools` over action and arguments; `model` the litellm
    id of who wrote it."""

    action: str
    args: SendArguments
    plan_hash: str
    model: str = ""
    sources: tuple[Source, ...] = ()


def state_of(task: GmailTask, texts: Mapping[str, str] = NO_TEXTS) -> GmailState:
    """What a task begins with; `texts` go along with its documents, by handle."""
    messages: list[AnyMessage] = [_message(role, text) for role, text in task.messages]
    documents = tuple(TaskDocument(one.id, one.name, one.size, texts.get(one.id, "")) for one in task.documents)
    given = TaskContext(task.account_id, task.run_id, task.request, documents, task.feedback, task.before)
    return {"messages": messages, "next": "Gmail", "context": msgspec.to_builtins(given)}


def given_of(context: Mapping[str, Any]) -> TaskContext:
    """The context as it was given. Raises `NotAllowed`."""
    try:
        return msgspec.convert(dict(context), TaskContext)
    except msgspec.ValidationError as error:
        raise NotAllowed(f"The context of this task cannot be read: {error}.") from None


def pending_of(interrupt: object) -> PendingSend:
    """An interrupt's value. Raises `UnusableAnswer`."""
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
    """What an ended search left in the context, None where there is nothing yet. Raises `UnusableAnswer`."""
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
    """The texts of one kind of messages, in order."""
    return tuple(one.text for one in messages if isinstance(one, kind))
