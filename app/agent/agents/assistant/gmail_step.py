"""The Gmail step: passes the step to the Gmail agent and returns its result or its mail for review. Never sends.

A mail becomes a draft with marks on unsupported claims, and red flags from the mail, what the owner typed and what was read.
"""

import asyncio
import time
from collections.abc import Iterable, Sequence
from uuid import NAMESPACE_URL, uuid5

from app.agent.agents.assistant.state import LocalizedText, StepJob, mail_sources, mails_read, say, texts_read, whole_text
from app.agent.agents.builtin_tools.services import chunk_of
from app.agent.agents.gmail.interface import GmailAgent, GmailProposed, GmailTask, MailProposal
from app.agent.drafting.claims import DraftEvidence, from_sources, unsupported
from app.agent.drafting.model_text import plain_subject, plain_text, with_slots
from app.agent.runtime.dependencies import about_owner, owner_scope
from app.agent.tools.registry import an_object
from app.domain.agents.call_flags import call_flags, plain_address, quoted
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


LONGEST_SUBJECT = 300
LONGEST_BODY = 20_000
MOST_RECIPIENTS = 50


class _Basis(Record):
    """The answered message, its conversation, all messages that were read, the sources, and the owner's word on the proposal
    before.
    """

    answered: Message | None
    thread: tuple[Message, ...]
    read: tuple[Message, ...]
    cited: Sequence[Source]
    feedback: str


def flags_on(job: StepJob, draft: Draft, basis: _Basis) -> tuple[RedFlag, ...]:
    """All red flags, each once. A new mail has no conversation that somebody could be outside of."""
    scope = replace(
        owner_scope(job.deps, job.deps.corpus.contact, job.account, participants(basis.read)),
        request=f"{job.request.text}\n{basis.feedback}",
        participants=participants(basis.thread),
    )
    read = (*texts_read(job.results.values(), job.deps, basis.cited), *map(chunk_of, basis.thread))
    people = {name: [one.email for one in getattr(draft, name)] for name in ("to", "cc", "bcc")}
    mails = [one for one in job.request.steps[: job.step.index] if one.capability is Capability.GMAIL and one.review_id]
    before = sum(one.status is not StepStatus.DECLINED for one in mails)
    found = [
        one
        for one in call_flags(SEND, {**people, "subject": draft.subject, "body": draft.body}, scope, read, before)
        if one.kind is not FlagKind.NOT_FROM_USER and (basis.answered or one.kind is not FlagKind.RECIPIENT_OUTSIDE_THREAD)
    ]
    recipients = tuple(one.email.lower() for one in draft.recipients)
    known = scope.own | scope.participants
    strange = (one for one in recipients if one not in known and not said_in(one, scope.request))
    found += [RedFlag(FlagKind.NOT_FROM_USER, one) for one in strange]
    found += [RedFlag(FlagKind.ATTACHMENT, one.name) for one in draft.attachments]
    for file in draft.attachments:
        text = job.texts[file.id].text[:LONGEST_READ] if file.id in job.texts else ""
        found += [RedFlag(FlagKind.CREDENTIAL, code) for code in credentials(text)]
        found += [RedFlag(FlagKind.QUOTES_PRIVATE_SOURCE, one) for one in quoted(text, frozenset(recipients) - scope.own, read)]
    elsewhere = {one.lower() for one in diverted(basis.answered)} if basis.answered else set()
    found += [RedFlag(FlagKind.REPLY_TO_DIFFERS, one) for one in recipients if one in elsewhere]
    return tuple(dict.fromkeys(found))


def proposal_of(job: StepJob, mail: MailProposal, cited: Sequence[Source], feedback: str, elapsed_ms: float) -> Proposal:
    """The review of a proposed mail. `cited` are its sources, `feedback` what the owner said of the previous proposal."""
    basis = _basis(job, mail, cited, feedback)
    before = (one for result in job.results.values() for one in result.sources)
    sources = tuple({(one.message_id, one.title): one for one in (*before, *cited)}.values())
    draft = _draft(job, mail, basis)
    taken = from_sources(draft.body, sources)
    missing = unsupported(draft.body, _evidence(job, basis), files=bool(draft.attachments))
    draft = replace(draft, spans=(*draft.spans, *taken, *missing))
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
        flags=flags_on(job, draft, basis),
        sources=sources,
        elapsed_ms=elapsed_ms,
    )


def _basis(job: StepJob, mail: MailProposal, cited: Sequence[Source], feedback: str) -> _Basis:
    read = mails_read(job.results.values(), job.deps, cited)
    if not mail.reply_to:
        return _Basis(None, (), read, cited, feedback)
    try:
        answered = job.deps.corpus.message(mail.reply_to)
    except NotFound:
        answered = None
    if answered is None or answered.account_id != job.account.id:
        raise NotAllowed(Cause.ANSWERED_MAIL_GONE)
    thread = job.deps.corpus.thread(answered.thread_id)
    return _Basis(answered, thread, tuple({one.id: one for one in (*thread, *read)}.values()), cited, feedback)


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
    made = {one.id: one for one in reversed(job.request.documents)}
    if not made.keys() >= set(mail.attachments):
        raise NotAllowed(Cause.FILE_NOT_MADE)
    files = tuple(made[one] for one in dict.fromkeys(mail.attachments))
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


def _evidence(job: StepJob, basis: _Basis) -> DraftEvidence:
    """What the mail may build on. Owner: request, feedback, own mail. Others: received mail, results of steps, file names, the
    date.
    """
    deps, account = job.deps, job.account
    own = [one.body_text for one in basis.read if one.outgoing]
    owner = [job.request.text, basis.feedback, about_owner(deps, account.id), account.name, account.email, *own]
    others = [whole_text(one) for one in basis.read if not one.outgoing]
    others += [one.answer for one in job.results.values()]
    others += [one.name for one in job.request.documents]
    others.append(f"{deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d}")
    return DraftEvidence(tuple(filter(None, owner)), tuple(filter(None, others)))


FOUND = ("result", "subject", "from", "content")
"""Fields of a search in its contract."""


async def mail(job: StepJob, gmail: GmailAgent) -> StepResult | Proposal:
    """Runs the step. Raises `NotAllowed` for an invalid proposal, and the agent's errors."""
    task = await asyncio.to_thread(gmail_task, job)
    words = LocalizedText.CHANGING_MAIL if task.feedback else LocalizedText.AT_THE_MAIL
    job.told(say(words, job.request.text))
    started = time.perf_counter()
    outcome = await gmail.work(task)
    elapsed_ms = (time.perf_counter() - started) * 1000
    cited = await asyncio.to_thread(mail_sources, [one.message_id for one in outcome.sources], job)
    if isinstance(outcome, GmailProposed):
        return await asyncio.to_thread(proposal_of, job, outcome.mail, cited, task.feedback, elapsed_ms)
    data = {"action": "search", **{name: str(outcome.data.get(name, "")) for name in FOUND}, "tool_used": True}
    return StepResult(completion_contract(Capability.GMAIL, data), outcome.answer.strip()[:LONGEST_ANSWER], cited)


def gmail_task(job: StepJob) -> GmailTask:
    """The step as a task. One attempt and round always gives the same task, also after a crash."""
    feedback, before, turn = "", None, 0
    request, step = job.request, job.step
    if step.review_id:
        decided, review = job.deps.desk.decision(step.review_id), job.deps.desk.review(step.review_id)
        draft = review.proposal.draft
        if decided is not None and decided.action == Action.RESPOND and draft is not None:
            feedback, before, turn = decided.text, _as_proposed(draft), review.revision
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
