"""`interrupt_handler`, its first two parts: take the next call, put it before the user if it asks, and wait for the word.

The review row carries the call's hash; opening it is the only thing written here, once per call. The gate holds the interrupt and
nothing else, and reads the decision from the row, whatever it was woken with.
"""

import asyncio
import json
from dataclasses import replace

from app.agent.deps import Deps
from app.agent.drafting.sources import tool_sources
from app.agent.models.answers import NotFitting
from app.agent.pipeline.review import await_decision
from app.agent.proposals import flags_of, plain_proposal, reply_proposal
from app.agent.responder.conversation import DONE, next_call, owner_words, settled
from app.agent.responder.letters import answered_mail, letter, marked
from app.agent.responder.meetings import meeting_proposal
from app.agent.responder.tools import QUESTION, asks, check_call, offered, plan_hash
from app.agent.state import Drafted, MailState, Update, message_id_of
from app.agent.talk import load
from app.agent.turns import ToolCall
from app.domain.errors import Refused
from app.domain.ids import AccountId, ReviewId
from app.domain.meeting import SCHEDULE_MEETING
from app.domain.review import Proposal, ReviewKind, ReviewStatus

NOTHING_LEFT: Update = {"call_id": "", "plan_hash": "", "done": False, "requires_approval": False, "verdict": ""}


async def plan(state: MailState, deps: Deps) -> Update:
    """The call that is next, its hash, and its review where it asks. No call left: back to the model."""
    talk = load(state)
    call = next_call(talk)
    if call is None:
        return NOTHING_LEFT
    update = {**NOTHING_LEFT, "call_id": call.id, "plan_hash": plan_hash(call)}
    try:
        check_call(call, offered(deps, AccountId(state["account_id"])))
        if call.name == DONE:
            return {**update, "done": settled(talk)}
        if not asks(call):
            return update
        proposal = await _proposal(call, state, deps)
    except NotFitting:
        return update
    review_id = await asyncio.to_thread(_put_up, proposal, call, deps)
    return {**update, "requires_approval": True, "review_id": review_id, "final_response": ""}


async def gate(state: MailState, deps: Deps) -> Update:
    """Wait for the word on the call."""
    return await_decision(ReviewId(state["review_id"]), deps)


async def _proposal(call: ToolCall, state: MailState, deps: Deps) -> Proposal:
    """The review of a question, a meeting or a reply. Raises `NotFitting`."""
    if call.name == QUESTION:
        proposal = plain_proposal(state, ReviewKind.QUESTION, str(call.arguments["content"]), deps)
    elif call.name == SCHEDULE_MEETING:
        proposal = await meeting_proposal(call, state, deps)
    else:
        proposal = replace(_reply(call, state, deps), kind=ReviewKind.TOOL_CALL)
    request = json.dumps({"action": call.name, "args": call.arguments}, ensure_ascii=False)
    return replace(proposal, request_json=request, plan_hash=plan_hash(call))


def _reply(call: ToolCall, state: MailState, deps: Deps) -> Proposal:
    """A reply with its red flags, held against everything the owner said so far."""
    message = deps.corpus.message(message_id_of(state))
    account = deps.corpus.account(message.account_id)
    thread = deps.corpus.thread(message.thread_id)
    heard = MailState(**{**state, "feedback": owner_words(load(state))})
    assert deps.gateway is not None, "whoever made the call"
    draft = marked(letter(call, thread, account, deps.gateway.model), heard, message, deps)
    drafted = Drafted(draft, tool_sources(state.get("tool_results", {}), account))
    flags = flags_of(drafted, answered_mail(call, thread), account, heard, deps, sends_before=len(state.get("sends", [])))
    return reply_proposal(state, drafted, flags, deps)


def _put_up(proposal: Proposal, call: ToolCall, deps: Deps) -> ReviewId:
    """Open the review once. A call that was planned before in other words, and lost, gives way while nobody decided on it."""
    review_id = deps.desk.open(proposal, f"call:{call.id}")
    standing = deps.desk.review(review_id)
    if standing.proposal.plan_hash != proposal.plan_hash:
        if standing.status is not ReviewStatus.PENDING:
            raise Refused(f"Review {review_id} was decided for another call.")
        deps.desk.revise(review_id, proposal)
    return review_id
