"""Red flags on a mail that a typed request led to: computed from the mail, what the owner typed and what was read on the way.

Refuses to excuse an address because a mail names it: whoever the owner did not type, and who takes no part in the conversation
that is answered, is flagged.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.agent.handlers.case import an_object
from app.agent.handlers.mail import chunk_of
from app.agent.supervisor.reading import mails_read, texts_read
from app.agent.supervisor.state import Job
from app.domain.assistant import Capability, StepStatus
from app.domain.call_flags import Chunk, Scope, flags, quoted
from app.domain.draft import Draft, Source
from app.domain.errors import ExpectedError
from app.domain.mail import Message
from app.domain.policy import Effect
from app.domain.provenance import said_in
from app.domain.recipients import own_addresses
from app.domain.red_flags import credentials, diverted, participants
from app.domain.review import FlagKind, RedFlag
from app.domain.tools import ToolDefinition

SEND = ToolDefinition(
    "gmail_send",
    "Propose a mail.",
    an_object((), to={}, cc={}, bcc={}, subject={}, body={}),
    Effect.SEND,
    ("to", "cc", "bcc"),
    ("subject", "body"),
)
"""Which arguments policy looks at."""

LONGEST_READ = 200_000
"""Characters of an attached file that are looked through."""


@dataclass(frozen=True, slots=True)
class Held:
    """A drafted mail, what it answers with its conversation, what it cites, and what the owner said of the one before."""

    draft: Draft
    answered: Message | None
    thread: Sequence[Message]
    cited: Sequence[Source]
    feedback: str


def flags_on(job: Job, held: Held) -> tuple[RedFlag, ...]:
    """Every flag, each once."""
    draft = held.draft
    recipients = tuple(one.email.lower() for one in draft.recipients)
    scope = _scope(job, held)
    read = (*texts_read(job.results.values(), job.deps, held.cited), *map(chunk_of, held.thread))
    arguments = {
        "to": [one.email for one in draft.to],
        "cc": [one.email for one in draft.cc],
        "bcc": [one.email for one in draft.bcc],
        "subject": draft.subject,
        "body": draft.body,
    }
    found = [one for one in flags(SEND, arguments, scope, read, _sends_before(job)) if _fits(one, held)]
    others = frozenset(recipients) - scope.own
    found += [RedFlag(FlagKind.NOT_FROM_USER, one) for one in recipients if one in others and not _named(one, scope)]
    found += _on_files(draft, others, read, job)
    found += [RedFlag(FlagKind.REPLY_TO_DIFFERS, one) for one in (diverted(held.answered) if held.answered else ())]
    return tuple(dict.fromkeys(found))


def _fits(flag: RedFlag, held: Held) -> bool:
    """A mail that answers nothing has no conversation to be outside of; who named a recipient is looked at apart."""
    outside = flag.kind is FlagKind.RECIPIENT_OUTSIDE_THREAD and held.answered is None
    return not outside and flag.kind is not FlagKind.NOT_FROM_USER


def _named(address: str, scope: Scope) -> bool:
    """Whether the owner typed an address, or answers a conversation that it stands on."""
    return said_in(address, scope.request) or address in scope.participants


def _scope(job: Job, held: Held) -> Scope:
    deps, account = job.deps, job.account
    own = own_addresses(account)

    def written_to(address: str) -> bool:
        card = deps.corpus.contact(account.id, address)
        return address in own or (card is not None and card.sent > 0)

    met = participants((*mails_read(job.results.values(), deps, held.cited), *held.thread))
    return Scope(
        request=f"{job.request.text}\n{held.feedback}",
        participants=participants(held.thread),
        written_to=written_to,
        known_domains=frozenset(one.rpartition("@")[2] for one in met if written_to(one)),
        own=own,
        owner_words=f"{deps.background}\n{account.signature}",
        skeleton=deps.skeleton,
    )


def _on_files(draft: Draft, recipients: frozenset[str], read: Sequence[Chunk], job: Job) -> list[RedFlag]:
    """That files go along, and what their words give away."""
    found = [RedFlag(FlagKind.ATTACHMENT, one.name) for one in draft.attachments]
    box = job.deps.toolbox
    if box is None or box.artifacts is None:
        return found
    for one in draft.attachments:
        try:
            _, content = box.artifacts.read(one.id)
        except ExpectedError:  # sending looks again, and holds the mail
            continue
        text = content.decode("utf-8", "replace")[:LONGEST_READ]
        found += [RedFlag(FlagKind.CREDENTIAL, code) for code in credentials(text)]
        found += [RedFlag(FlagKind.QUOTES_PRIVATE_SOURCE, words) for words in quoted(text, recipients, read)]
    return found


def _sends_before(job: Job) -> int:
    """How many mails the same request has put up already."""
    mails = (one for one in job.request.steps[: job.step.index] if one.capability is Capability.GMAIL and one.review_id)
    return sum(one.status is not StepStatus.DECLINED for one in mails)
