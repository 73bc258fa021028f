"""The Gmail step: passes the step to the Gmail agent and returns its result or its mail for review. Never sends."""

import asyncio
import time
from collections.abc import Iterable
from uuid import NAMESPACE_URL, uuid5

from app.agent.agents.assistant.propose_mail import proposal_of
from app.agent.agents.assistant.sources import mail_sources
from app.agent.agents.assistant.state import LocalizedText, StepJob, say
from app.agent.agents.gmail.interface import GmailAgent, GmailFound, GmailProposed, GmailTask, MailProposal
from app.domain.agents.requests import LONGEST_ANSWER, Capability, Request, RequestStep, StepResult, completion_contract
from app.domain.drafting.draft import Draft, fill_slots
from app.domain.drafting.review import Action, Proposal

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
