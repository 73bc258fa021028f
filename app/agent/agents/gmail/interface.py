"""What the Gmail agent is given and what it comes back with, the same whether it runs here or as a service.

It never sends: it proposes, and whoever called it puts the proposal up for review. Files have handles, never
paths.

What the Gmail agent is given of all that agents may be given: so little that a process beside the engine can bring it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import Any, Protocol

from app.agent.llm.turns import ModelGateway
from app.agent.runtime.dependencies import MemoryReader
from app.agent.tools.toolbox import Toolbox
from app.domain.drafting.draft import Source
from app.domain.ids import AccountId, MessageId, RunId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Account, Message
from app.domain.policy.red_flags import Skeleton
from app.domain.ports.agents import Clock, Contact


@dataclass(frozen=True, slots=True)
class MailProposal:
    """A mail as the agent wants it sent: plain addresses, plain text (in it `[[...]]` for what the owner has to fill in), handles
    of files; `reply_to` the mail it answers, or 0; `model` the litellm id of who wrote it."""

    to: tuple[str, ...]
    subject: str
    body: str
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    reply_to: MessageId = MessageId(0)
    model: str = ""


@dataclass(frozen=True, slots=True)
class GmailTask:
    """`thread` is a uuid that depends on run, step, attempt and round alone, so that the same task is done once; `messages` the
    conversation in 003's form (role `human` or `ai`, text): the request, each earlier step's contract, the instruction last.
    `request` is what the owner typed, for provenance; `documents` all that may be attached. `feedback` with `before`: what the
    owner wants changed of an earlier proposal."""

    thread: str
    run_id: RunId
    account_id: AccountId
    request: str
    messages: tuple[tuple[str, str], ...]
    documents: tuple[ArtifactHandle, ...] = ()
    feedback: str = ""
    before: MailProposal | None = None


@dataclass(frozen=True, slots=True)
class GmailFound:
    """The step was to find something: `data` goes into the contract (action, result, subject, from, content), written by code
    from the mail that was found; `answer` is what the user reads."""

    data: Mapping[str, Any]
    answer: str
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class GmailProposed:
    """The step is to send this, once the owner agrees; `sources` are the mails it was written from."""

    mail: MailProposal
    sources: tuple[Source, ...] = ()


class GmailAgent(Protocol):
    """The agent, wherever it runs."""

    async def work(self, task: GmailTask) -> GmailFound | GmailProposed:
        """Do the task, or find what it came to before. Raises `ModelUnavailable`, `CapReached`, `UnusableAnswer`, `NotAllowed`,
        `Offline` (the service)."""

    async def settle(self, task: GmailTask, outcome: Mapping[str, Any]) -> None:
        """Tell the agent's graph what became of its proposal (`{"status": "sent" | "draft" | "rejected"}`), so that its thread
        ends. Nothing depends on it: a graph that is gone or a service that does not answer is left alone."""


class MailboxLookup(Protocol):
    """The mailbox as the agent looks it up. Synchronous: call it off the loop."""

    def account(self, account_id: AccountId) -> Account:
        """The account. Raises `NotFound`."""

    def message(self, message_id: MessageId) -> Message:
        """One message with its body. Raises `NotFound`."""

    def contact(self, account_id: AccountId, email: str) -> Contact | None:
        """The correspondent's card, if the mailbox knows the address."""


class GmailDeps(Protocol):
    """A part of `Deps`, which says what each is."""

    @property
    def corpus(self) -> MailboxLookup:
        """The mailbox."""

    @property
    def clock(self) -> Clock:
        """Now, aware, UTC."""

    @property
    def prompts(self) -> Path:
        """The folder of prompt files."""

    @property
    def gateway(self) -> ModelGateway | None:
        """The language model, None where none is configured."""

    @property
    def toolbox(self) -> Toolbox | None:
        """What the tools work with."""

    @property
    def memory(self) -> MemoryReader | None:
        """The owner's preferences."""

    @property
    def background(self) -> str:
        """What the owner says of themselves."""

    @property
    def time_zone(self) -> tzinfo:
        """Where the owner is."""

    @property
    def skeleton(self) -> Skeleton:
        """By what look-alikes are compared."""
