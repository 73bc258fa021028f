"""From a mail that the Gmail agent proposes to the review of it: a draft with marks on what nobody said, and red flags.

Raises `Refused`, in words, for what is no address, files that no step of the request has made, and mails of another mailbox.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.agent.drafting.claims import Evidence, from_sources, unsupported
from app.agent.drafting.slots import with_slots
from app.agent.gmail.outcome import MailProposal
from app.agent.supervisor.flagging import Held, flags_on
from app.agent.supervisor.reading import mails_read, whole_text
from app.agent.supervisor.state import Job
from app.domain.artifacts import Handle
from app.domain.assistant import own_thread
from app.domain.call_flags import plain_address
from app.domain.draft import Draft, Source
from app.domain.errors import NotFound, Refused
from app.domain.mail import Address, Message
from app.domain.recipients import distinct, mailbox_key, reply_subject
from app.domain.review import Proposal, ReviewKind

LONGEST_SUBJECT = 300
LONGEST_BODY = 20_000
MOST_RECIPIENTS = 50


@dataclass(frozen=True, slots=True)
class _Basis:
    """What a mail may build on: the mail it answers with its conversation, and every mail that was read."""

    answered: Message | None
    thread: tuple[Message, ...]
    read: tuple[Message, ...]


def proposal_of(job: Job, mail: MailProposal, cited: Sequence[Source], feedback: str, elapsed_ms: float) -> Proposal:
    """The review of a proposed mail. `cited` are the mails it was written from, `feedback` what the owner said of one before."""
    basis = _basis(job, mail, cited)
    sources = tuple({one.message_id: one for one in (*_earlier(job), *cited)}.values())
    draft = _marked(_draft(job, mail, basis), job, basis, sources, feedback)
    held = Held(draft, basis.answered, basis.thread, cited, feedback)
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
        flags=flags_on(job, held),
        sources=sources,
        elapsed_ms=elapsed_ms,
    )


def _basis(job: Job, mail: MailProposal, cited: Sequence[Source]) -> _Basis:
    read = mails_read(job.results.values(), job.deps, cited)
    if not mail.reply_to:
        return _Basis(None, (), read)
    try:
        answered = job.deps.corpus.message(mail.reply_to)
    except NotFound:
        answered = None
    if answered is None or answered.account_id != job.account.id:
        raise Refused("The mail that was to be answered is not in this mailbox.", "Try the step again.")
    thread = job.deps.corpus.thread(answered.thread_id)
    return _Basis(answered, thread, tuple({one.id: one for one in (*thread, *read)}.values()))


def _draft(job: Job, mail: MailProposal, basis: _Basis) -> Draft:
    """The mail as a draft, each address once."""
    to = distinct(_people(mail.to, job, basis), frozenset())
    keys = frozenset(mailbox_key(one.email) for one in to)
    cc = distinct(_people(mail.cc, job, basis), keys)
    bcc = distinct(_people(mail.bcc, job, basis), keys | {mailbox_key(one.email) for one in cc})
    if not to:
        raise Refused("The mail has no recipient.", "Say in the request to whom it is to go, and try the step again.")
    if len((*to, *cc, *bcc)) > MOST_RECIPIENTS:
        raise Refused(f"A mail has at most {MOST_RECIPIENTS} recipients.")
    if len(mail.body) > LONGEST_BODY:
        raise Refused(f"A mail has at most {LONGEST_BODY} characters.", "Ask for a document instead.")
    subject = " ".join(mail.subject.split())[:LONGEST_SUBJECT]
    if basis.answered is not None and (not subject or reply_subject(subject) == reply_subject(basis.answered.subject)):
        subject = reply_subject(basis.answered.subject)
    files = tuple(_file(one, job) for one in dict.fromkeys(mail.attachments))
    answers = basis.answered.id if basis.answered else mail.reply_to
    return with_slots(Draft(to, cc, bcc, subject, "", mail.model, answers, attachments=files), mail.body.strip())


def _people(emails: Iterable[str], job: Job, basis: _Basis) -> list[Address]:
    """Addresses with the names they are known by."""
    thread = {
        one.email.lower(): one for mail in basis.thread for one in (*mail.bcc, *mail.cc, *mail.to, *mail.reply_to, mail.sender)
    }
    found = []
    for email in emails:
        address = plain_address(email)
        if address is None:
            raise Refused("The mail was to go to something that is not exactly one mail address.", "Try the step again.")
        card = job.deps.corpus.contact(job.account.id, address)
        found.append(thread.get(address) or Address(address, card.address.name if card else ""))
    return found


def _file(handle: str, job: Job) -> Handle:
    """A file of this request by its handle."""
    made = next((one for one in job.request.documents if one.id == handle), None)
    if made is None:
        raise Refused(
            "The mail was to have a file attached that no step of this request has made. Nothing was attached or sent.",
            "Try the step again.",
        )
    return made


def _marked(draft: Draft, job: Job, basis: _Basis, sources: Sequence[Source], feedback: str) -> Draft:
    """The draft with marks on what a source says in the same words, and on what nobody said."""
    taken = from_sources(draft.body, sources)
    missing = unsupported(draft.body, _evidence(job, basis, feedback))
    return replace(draft, spans=(*draft.spans, *taken, *missing))


def _evidence(job: Job, basis: _Basis, feedback: str) -> Evidence:
    """The owner's words: the request, remarks, own mail. Everybody else's: mail that was read, and what steps came to."""
    deps, account = job.deps, job.account
    own = [one.body_text for one in basis.read if one.outgoing]
    owner = [job.request.text, feedback, deps.background, account.name, account.email, *own]
    others = [whole_text(one) for one in basis.read if not one.outgoing]
    others += [one.answer for one in job.results.values()]
    others += [one.name for one in job.request.documents]
    others.append(f"{deps.clock().astimezone(deps.time_zone):%A %Y-%m-%d}")
    return Evidence(tuple(filter(None, owner)), tuple(filter(None, others)))


def _earlier(job: Job) -> tuple[Source, ...]:
    """What the steps before cite."""
    return tuple(one for result in job.results.values() for one in result.sources)
