"""Nodes `review`, `gate`, `dispatch` and `triage_interrupt`: open a review, wait for the decision, record the outcome.

Only the rows of the review and its decision count. An interrupt just ends the run until it is resumed, and its resume value is
ignored. Nothing is sent here: the outbox row is written together with the decision, outside the graph.
"""

from langgraph.types import interrupt

from app.agent.runtime.dependencies import Deps
from app.agent.runtime.proposals import flags_of, plain_proposal, reply_proposal
from app.agent.runtime.state import MailState, Update, message_id_of, triage_of, unpack
from app.agent.runtime.steps import ProposalOpened, came_too_late
from app.domain.agents.runs import RunStatus
from app.domain.drafting.review import Action, Proposal, ReviewKind, ReviewStatus
from app.domain.errors import NotAllowed
from app.domain.ids import ReviewId
from app.domain.mail.message import Account, Message
from app.domain.mail.recipients import reply_recipients
from app.domain.policy.policy import PolicyReason, ReplyFacts, Ruling, Verdict, judge_reply

REVIEW_KEY = "reply"


async def review(state: MailState, deps: Deps) -> Update | ProposalOpened:
    """Opens the review, or adds a revision to the one the user sent back. Repeating the node changes nothing."""
    if came_too_late(state, deps):
        return {"draft_response": "", "requires_approval": False, "outcome": RunStatus.SUPERSEDED.value}
    message = deps.corpus.message(message_id_of(state))
    account = deps.corpus.account(message.account_id)
    drafted = unpack(state["draft_response"])
    flags = flags_of(drafted, message, account, state, deps)
    proposal = reply_proposal(state, drafted, flags, deps)
    ruling = _ruling(state, message, account, proposal, deps)
    waits = ruling.verdict is not Verdict.ALLOW
    update = {"draft_response": "", "requires_approval": waits, "why": ruling.why.value, "feedback": "", "unsupported": []}
    known = ReviewId(state.get("review_id", 0))
    if known and (standing := deps.desk.standing(known)[1]) > state.get("revision", 0):
        return {**update, "review_id": known, "revision": standing, "draft_response": f"review:{known}"}
    return ProposalOpened(proposal, REVIEW_KEY, update, again=known, waits=waits)


def _ruling(state: MailState, message: Message, account: Account, proposal: Proposal, deps: Deps) -> Ruling:
    """Policy's verdict on the draft. A draft the user sent back is never approved automatically."""
    (to, _) = reply_recipients(message, account, everybody=False)
    card = deps.corpus.contact(account.id, message.sender.email)
    seen = ReplyFacts(
        answers=to[0].email.lower() if len(to) == 1 else "",
        written_to=card is not None and card.sent > 0,
        approved_today=deps.auto_approved_today(),
    )
    assert proposal.draft is not None
    ruling = judge_reply(deps.auto_approve, triage_of(state), proposal.draft, proposal.flags, seen)
    if ruling.verdict is Verdict.ALLOW and (deps.approver is None or state.get("review_id") or state.get("answer")):
        return Ruling(Verdict.ASK, ruling.why)
    return ruling


async def gate(state: MailState, deps: Deps) -> Update:
    """Waits for the decision, and gives it as state fields. Interrupts while the review is pending, and does nothing else.

    A decision may be undone while it is read: then the review is pending again. Raises `NotAllowed` for a settled review without
    a decision.
    """
    review_id = ReviewId(state["review_id"])
    decided = None
    while decided is None:
        status, revision = deps.desk.standing(review_id)
        if status is ReviewStatus.PENDING:
            interrupt({"review_id": review_id})
            continue
        if status is ReviewStatus.SUPERSEDED:
            return {"verdict": Action.IGNORE.value, "outcome": RunStatus.SUPERSEDED.value}
        decided = deps.desk.decision(review_id)
        if decided is None and deps.desk.standing(review_id)[0] is status:
            raise NotAllowed(f"Review {review_id} is {status} without a decision.")
    return {
        "decided": decided.id,
        "verdict": decided.action,
        "feedback": decided.text if decided.action == Action.RESPOND else "",
        "revision": revision,
        "final_response": f"outbox:{decided.outbox_id}" if decided.outbox_id else "",
        "rounds": 0,
        "started_ms": int(deps.clock().timestamp() * 1000),
    }


async def dispatch(state: MailState, deps: Deps) -> Update:
    """Records the decision. For an automatic approval it first asks the approver, which approves once or leaves the review to the
    user.
    """
    review_id = ReviewId(state["review_id"])
    if not state["requires_approval"] and deps.approver is not None and not await deps.approver.approve(review_id):
        return {"requires_approval": True, "why": PolicyReason.DAILY_CAP.value}
    decided = deps.desk.decision(review_id)
    if decided is None and state["requires_approval"]:
        # Undone since the gate. The next decision is carried out from the row, so this run is done.
        return {"outcome": RunStatus.DONE.value}
    if decided is None:
        raise NotAllowed(f"Review {review_id} is not decided.")
    return {
        "verdict": decided.action,
        "final_response": f"outbox:{decided.outbox_id}" if decided.outbox_id else "",
        "outcome": RunStatus.DONE.value,
    }


NOTIFY_KEY = "notify"


async def open_notify(state: MailState, deps: Deps) -> Update | ProposalOpened:
    if came_too_late(state, deps):
        return {"outcome": RunStatus.SUPERSEDED.value}
    return ProposalOpened(plain_proposal(state, ReviewKind.NOTIFY, state["reason"], deps), NOTIFY_KEY, {})


async def notify_gate(state: MailState, deps: Deps) -> Update:
    """Waits for respond or ignore. A reply that follows gets its own review."""
    return {**await gate(state, deps), "review_id": 0, "revision": 0}
