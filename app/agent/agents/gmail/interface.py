"""The Gmail agent's interface: tasks, results and dependencies, the same in process and as a service.

The agent never sends. It proposes, and its caller puts the proposal up for review. Files are named by handle, never by path. The
dependencies are few enough for a process beside the engine to provide them.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from app.agent.llm.turns import ModelGateway
from app.agent.runtime.dependencies import KnowsOwner
from app.agent.tools.toolbox import Toolbox
from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.drafting.draft import Source
from app.domain.ids import AccountId, MessageId, RunId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Account, Message
from app.domain.ports.agents import Contact
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

    def with_deps(self, deps: "GmailDeps", /) -> "GmailAgent":
        """The agent with new dependencies."""

    async def close(self) -> None: ...


class MailboxLookup(Protocol):
    """Reads the mailbox. Synchronous: call it off the loop."""

    def accounts(self) -> tuple[Account, ...]: ...

    def account(self, account_id: AccountId) -> Account:
        """Raises `NotFound`."""

    def message(self, message_id: MessageId) -> Message:
        """One message with its body. Raises `NotFound`."""

    def contact(self, account_id: AccountId, email: str) -> Contact | None:
        """The contact card of an address, None when unknown."""


class GmailDeps(KnowsOwner, Protocol):
    """The part of `agent.runtime.dependencies.Deps` that the Gmail agent needs."""

    @property
    def corpus(self) -> MailboxLookup: ...

    @property
    def gateway(self) -> ModelGateway | None: ...

    @property
    def toolbox(self) -> Toolbox | None: ...
