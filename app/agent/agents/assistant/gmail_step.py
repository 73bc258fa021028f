"""The Gmail step: passes the step to the Gmail agent and returns its result or its mail for review. Never sends.

A mail becomes a draft with marks on unsupported claims, and red flags from the mail, what the owner typed and what was read.
"""

import asyncio
import time
from collections.abc import Iterable, Sequence
from uuid import NAMESPACE_URL, uuid5

from app.agent.agents.assistant.sources import mail_sources, mails_read, texts_read, whole_text
from app.agent.agents.assistant.state import LocalizedText, StepJob, say
from app.agent.agents.builtin_tools.mail import chunk_of
from app.agent.agents.gmail.interface import GmailAgent, GmailFound, GmailProposed, GmailTask, MailProposal
from app.agent.drafting.claims import DraftEvidence, from_sources, unsupported
from app.agent.drafting.model_text import plain_subject, plain_text, with_slots
from app.agent.runtime.dependencies import about_owner, owner_scope
from app.agent.tools.registry import an_object
from app.domain.agents.call_flags import CallScope, ReadText, call_flags, plain_address, quoted
from app.domain.agents.provenance import said_in
from app.domain.agents.requests import (
    LONGEST_ANSWER,
    Capability,
    Request,
    RequestStep,
    StepResult,
    StepStatus,
    completion_contract,
    own_thread,
)
from app.domain.agents.tools import ToolDefinition
from app.domain.drafting.draft import Draft, Source, fill_slots
from app.domain.drafting.review import Action, FlagKind, Proposal, RedFlag, ReviewKind
from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed, NotFound
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Address, Message
from app.domain.mail.recipients import distinct, mailbox_key, reply_subject
from app.domain.policy.policy import Effect
from app.domain.policy.red_flags import credentials, diverted, participants
from app.domain.record import Record, replace

SEND = ToolDefinition(
    "gmail_send",
    "Propose a mail.",
    an_object((), to={}, cc={}, bcc={}, subject={}, body={}),
    Effect.SEND,
    ("to", "cc", "bcc"),
    ("subject", "body"),
)
"""Tells policy which arguments to check."""

LONGEST_READ = 200_000
"""Characters of an attached file that are checked."""


class DraftedMail(Record):
    """A drafted mail for the red flags.

    `answered` is the message it answers, `thread` its conversation, `cited` the sources, `feedback` what the owner said of the
    previous proposal.
    """

    draft: Draft
    answered: Message | None
    thread: Sequence[Message]
    cited: Sequence[Source]
    feedback: str


def flags_on(job: StepJob, drafted: DraftedMail) -> tuple[RedFlag, ...]:
    """All red flags, each once."""
    draft = drafted.draft
    recipients = tuple(one.email.lower() for one in draft.recipients)
    scope = _scope(job, drafted)
    read = (*texts_read(job.results.values(), job.deps, drafted.cited), *map(chunk_of, drafted.thread))
    arguments = {
        "to": [one.email for one in draft.to],
        "cc": [one.email for one in draft.cc],
        "bcc": [one.email for one in draft.bcc],
        "subject": draft.subject,
        "body": draft.body,
    }
    found = [one for one in call_flags(SEND, arguments, scope, read, _sends_before(job)) if _applies(one, drafted)]
    others = frozenset(recipients) - scope.own
    found += [RedFlag(FlagKind.NOT_FROM_USER, one) for one in recipients if one in others and not _named(one, scope)]
    found += _file_flags(draft, others, read, job)
    elsewhere = {one.lower() for one in diverted(drafted.answered)} if drafted.answered else set()
    found += [RedFlag(FlagKind.REPLY_TO_DIFFERS, one) for one in recipients if one in elsewhere]
    return tuple(dict.fromkeys(found))


def _applies(flag: RedFlag, drafted: DraftedMail) -> bool:
    """Whether a flag applies. A new mail has no conversation, and `NOT_FROM_USER` is computed separately."""
    outside = flag.kind is FlagKind.RECIPIENT_OUTSIDE_THREAD and drafted.answered is None
    return not outside and flag.kind is not FlagKind.NOT_FROM_USER


def _named(address: str, scope: CallScope) -> bool:
    """Whether the owner typed the address or it is on the answered conversation."""
    return said_in(address, scope.request) or address in scope.participants


def _scope(job: StepJob, drafted: DraftedMail) -> CallScope:
    met = participants((*mails_read(job.results.values(), job.deps, drafted.cited), *drafted.thread))
    request = f"{job.request.text}\n{drafted.feedback}"
    scope = owner_scope(job.deps, job.deps.corpus.contact, job.account, met)
    return replace(scope, request=request, participants=participants(drafted.thread))


def _file_flags(draft: Draft, recipients: frozenset[str], read: Sequence[ReadText], job: StepJob) -> list[RedFlag]:
    found = [RedFlag(FlagKind.ATTACHMENT, one.name) for one in draft.attachments]
    for one in draft.attachments:
        text = job.texts[one.id].text[:LONGEST_READ] if one.id in job.texts else ""
        found += [RedFlag(FlagKind.CREDENTIAL, code) for code in credentials(text)]
        found += [RedFlag(FlagKind.QUOTES_PRIVATE_SOURCE, words) for words in quoted(text, recipients, read)]
    return found


def _sends_before(job: StepJob) -> int:
    """How many mails of the same request were proposed before."""
    mails = (one for one in job.request.steps[: job.step.index] if one.capability is Capability.GMAIL and one.review_id)
    return sum(one.status is not StepStatus.DECLINED for one in mails)


LONGEST_SUBJECT = 300
LONGEST_BODY = 20_000
MOST_RECIPIENTS = 50


class _Basis(Record):
    """The answered message, its conversation, and all messages that were read."""

    answered: Message | None
    thread: tuple[Message, ...]
    read: tuple[Message, ...]


def proposal_of(job: StepJob, mail: MailProposal, cited: Sequence[Source], feedback: str, elapsed_ms: float) -> Proposal:
    """The review of a proposed mail. `cited` are its sources, `feedback` what the owner said of the previous proposal."""
    basis = _basis(job, mail, cited)
    sources = tuple({(one.message_id, one.title): one for one in (*_earlier(job), *cited)}.values())
    draft = _marked(_draft(job, mail, basis), job, basis, sources, feedback)
    drafted = DraftedMail(draft, basis.answered, basis.thread, cited, feedback)
    return Proposal(
        account_id=job.account.id,
        run_id=job.request.run_id,
        message_id=draft.reply_to,
        thread_id=basis.answered.thread_id if basis.answered else own_thread(job.request.number, job.step.index),
        kind=ReviewKind.REPLY,
        decision="",
        category="",
        confidence=0.0,
        reason=job.step.instruction,
        maker=mail.model,
        draft=draft,
        flags=flags_on(job, drafted),
        sources=sources,
        elapsed_ms=elapsed_ms,
    )


def _basis(job: StepJob, mail: MailProposal, cited: Sequence[Source]) -> _Basis:
    read = mails_read(job.results.values(), job.deps, cited)
    if not mail.reply_to:
        return _Basis(None, (), read)
    try:
        answered = job.deps.corpus.message(mail.reply_to)
    except NotFound:
        answered = None
    if answered is None or answered.account_id != job.account.id:
        raise NotAllowed(Cause.ANSWERED_MAIL_GONE)
    thread = job.deps.corpus.thread(answered.thread_id)
    return _Basis(answered, thread, tuple({one.id: one for one in (*thread, *read)}.values()))


def _draft(job: StepJob, mail: MailProposal, basis: _Basis) -> Draft:
    """The mail as a draft, each address once."""
    to = distinct(_people(mail.to, job, basis), frozenset())
    keys = frozenset(mailbox_key(one.email) for one in to)
    cc = distinct(_people(mail.cc, job, basis), keys)
    bcc = distinct(_people(mail.bcc, job, basis), keys | {mailbox_key(one.email) for one in cc})
    if not to:
        raise NotAllowed(Cause.MAIL_WITHOUT_RECIPIENT)
    if len((*to, *cc, *bcc)) > MOST_RECIPIENTS:
        raise NotAllowed(Cause.TOO_MANY_RECIPIENTS, MOST_RECIPIENTS)
    if len(mail.body) > LONGEST_BODY:
        raise NotAllowed(Cause.MAIL_TOO_LONG, LONGEST_BODY)
    subject = plain_subject(mail.subject)[:LONGEST_SUBJECT]
    if basis.answered is not None and (not subject or reply_subject(subject) == reply_subject(basis.answered.subject)):
        subject = reply_subject(basis.answered.subject)
    files = tuple(_file(one, job) for one in dict.fromkeys(mail.attachments))
    answers = basis.answered.id if basis.answered else mail.reply_to
    empty = Draft(to, cc, bcc, subject, "", mail.model, answers, attachments=files)
    return with_slots(empty, plain_text(mail.body, job.account.signature))


def _people(emails: Iterable[str], job: StepJob, basis: _Basis) -> list[Address]:
    """The addresses with their known names."""
    thread = {
        one.email.lower(): one for mail in basis.thread for one in (*mail.bcc, *mail.cc, *mail.to, *mail.reply_to, mail.sender)
    }
    found = []
    for email in emails:
        address = plain_address(email)
        if address is None:
            raise NotAllowed(Cause.RECIPIENT_NO_ADDRESS)
        card = job.deps.corpus.contact(job.account.id, address)
        found.append(thread.get(address) or Address(address, card.address.name if card else ""))
    return found


def _file(handle: str, job: StepJob) -> ArtifactHandle:
    """A file of this request by its handle."""
    made = next((one for one in job.request.documents if one.id == handle), None)
    if made is None:
        raise NotAllowed(Cause.FILE_NOT_MADE)
    return made


def _marked(draft: Draft, job: StepJob, basis: _Basis, sources: Sequence[Source], feedback: str) -> Draft:
    """The draft with spans for text taken from a source and for unsupported claims."""
    taken = from_sources(draft.body, sources)
    missing = unsupported(draft.body, _evidence(job, basis, feedback), files=bool(draft.attachments))
    return replace(draft, spans=(*draft.spans, *taken, *missing))


def _evidence(job: StepJob, basis: _Basis, feedback: str) -> DraftEvidence:
    """What the mail may build on. Owner: request, feedback, own mail. Others: received mail, results of steps, file names, the
    date.
    """
    deps, account = job.deps, job.account
    own = [one.body_text for one in basis.read if one.outgoing]
    owner = [job.request.text, feedback, about_owner(deps, account.id), account.name, account.email, *own]
    others = [whole_text(one) for one in basis.read if not one.outgoing]
    others += [one.answer for one in job.results.values()]
    others += [one.name for one in job.request.documents]
    others.append(f"{deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d}")
    return DraftEvidence(tuple(filter(None, owner)), tuple(filter(None, others)))


def _earlier(job: StepJob) -> tuple[Source, ...]:
    return tuple(one for result in job.results.values() for one in result.sources)


FOUND = ("result", "subject", "from", "content")
"""Fields of a search in its contract."""


async def mail(job: StepJob, gmail: GmailAgent) -> StepResult | Proposal:
    """Runs the step. Raises `NotAllowed` for an invalid proposal, and the agent's errors."""
    task = await asyncio.to_thread(gmail_task, job)
    words = LocalizedText.CHANGING_MAIL if task.feedback else LocalizedText.AT_THE_MAIL
    job.told(say(words, job.request.text))
    started = time.perf_counter()
    outcome = await gmail.work(task)
    if isinstance(outcome, GmailFound):
        return await asyncio.to_thread(_found, job, outcome)
    return await asyncio.to_thread(_proposed, job, task, outcome, (time.perf_counter() - started) * 1000)


def gmail_task(job: StepJob) -> GmailTask:
    """The step as a task. One attempt and round always gives the same task, also after a crash."""
    feedback, before, turn = _wanted(job)
    request, step = job.request, job.step
    return GmailTask(
        thread=thread_of(request, step, turn),
        run_id=request.run_id,
        account_id=job.account.id,
        request=request.text,
        messages=(*job.messages, ("human", step.instruction)),
        documents=request.documents,
        feedback=feedback,
        before=before,
        scope=request.scope,
    )


def thread_of(request: Request, step: RequestStep, turn: int) -> str:
    """The agent's thread id for one round of a step's attempt.

    `turn` is 0 for the first round, then the revision of the review that the owner answered.
    """
    return str(uuid5(NAMESPACE_URL, f"{request.run_id}/{step.index}/{step.attempt}/{turn}"))


async def settle(gmail: GmailAgent, request: Request, step: RequestStep, turns: Iterable[int], status: str) -> None:
    """Tells the agent the outcome of the mails it proposed in these rounds. Unknown threads are ignored."""
    for turn in turns:
        task = GmailTask(thread_of(request, step, turn), request.run_id, request.account_id, request.text, ())
        await gmail.settle(task, {"status": status})


def _wanted(job: StepJob) -> tuple[str, MailProposal | None, int]:
    """The requested change, the mail to change and the round. Empty, None and 0 for a first round."""
    if not job.step.review_id:
        return "", None, 0
    decided = job.deps.desk.decision(job.step.review_id)
    review = job.deps.desk.review(job.step.review_id)
    draft = review.proposal.draft
    if decided is None or decided.action != Action.RESPOND or draft is None:
        return "", None, 0
    return decided.text, _as_proposed(draft), review.revision


def _as_proposed(draft: Draft) -> MailProposal:
    """The draft as a proposal of the agent, with open slots as `[[...]]`."""
    return MailProposal(
        to=tuple(one.email for one in draft.to),
        subject=draft.subject,
        body=fill_slots(draft, tuple(f"[[{one}]]" for one in draft.open_slots)).body,
        cc=tuple(one.email for one in draft.cc),
        bcc=tuple(one.email for one in draft.bcc),
        attachments=tuple(one.id for one in draft.attachments),
        reply_to=draft.reply_to,
        model=draft.maker,
    )


def _found(job: StepJob, outcome: GmailFound) -> StepResult:
    data = {"action": "search", **{name: str(outcome.data.get(name, "")) for name in FOUND}, "tool_used": True}
    sources = mail_sources((one.message_id for one in outcome.sources), job)
    return StepResult(completion_contract(Capability.GMAIL, data), outcome.answer.strip()[:LONGEST_ANSWER], sources)


def _proposed(job: StepJob, task: GmailTask, outcome: GmailProposed, elapsed_ms: float) -> Proposal:
    cited = mail_sources((one.message_id for one in outcome.sources), job)
    return proposal_of(job, outcome.mail, cited, task.feedback, elapsed_ms)
