"""What the Gmail agent is given and what it comes back with, the same whether it runs here or as a service.

It never sends: it proposes, and whoever called it puts the proposal up for review. Files have handles, never
paths.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from app.domain.artifacts import Handle
from app.domain.draft import Source
from app.domain.ids import AccountId, MessageId, RunId


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
    documents: tuple[Handle, ...] = ()
    feedback: str = ""
    before: MailProposal | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """The step was to find something: `data` goes into the contract (action, result, subject, from, content), written by code
    from the mail that was found; `answer` is what the user reads."""

    data: Mapping[str, Any]
    answer: str
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposed:
    """The step is to send this, once the owner agrees; `sources` are the mails it was written from."""

    mail: MailProposal
    sources: tuple[Source, ...] = ()


class GmailAgent(Protocol):
    """The agent, wherever it runs."""

    async def work(self, task: GmailTask) -> Searched | Proposed:
        """Do the task, or find what it came to before. Raises `ModelUnavailable`, `CapReached`, `UnusableAnswer`, `Refused`,
        `Offline` (the service)."""

    async def settle(self, task: GmailTask, outcome: Mapping[str, Any]) -> None:
        """Tell the agent's graph what became of its proposal (`{"status": "sent" | "draft" | "rejected"}`), so that its thread
        ends. Nothing depends on it: a graph that is gone or a service that does not answer is left alone."""
