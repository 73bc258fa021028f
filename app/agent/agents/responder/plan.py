"""Takes the next call and opens its review if it needs one; restores a run from its review.

The review holds the call's hash. Opening it is the only write, once per call. A run without checkpoints continues with the call
and the decision in its review.
"""

import asyncio
import zlib
from dataclasses import replace

from app.agent.agents.responder.proposals import answered_mail, letter, marked, meeting_proposal
from app.agent.agents.responder.tools import (
    DONE,
    QUESTION,
    CallStatus,
    asks,
    check_call,
    last_calls,
    next_call,
    offered,
    owner_words,
    settled,
)
from app.agent.drafting.sources import tool_sources
from app.agent.llm.answers import AnswerFormatError
from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import dump, load, with_result, with_turn
from app.agent.runtime.dependencies import Deps, Tier
from app.agent.runtime.proposals import as_request, flags_of, plain_proposal, reply_proposal
from app.agent.runtime.state import DraftPayload, MailState, Update, message_id_of
from app.domain.agents.runs import Route
from app.domain.agents.tools import plan_hash
from app.domain.drafting.meeting import SCHEDULE_MEETING
from app.domain.drafting.review import Proposal, Review, ReviewKind, ReviewStatus, request_of
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, ReviewId, ThreadId

NOTHING_LEFT: Update = {"call_id": "", "plan_hash": "", "done": False, "requires_approval": False, "verdict": ""}


async def plan(state: MailState, deps: Deps) -> Update:
    """The next call with its hash, and its review when it needs one. Without a call the model goes on."""
    talk = load(state)
    call = next_call(talk)
    if call is None:
        return NOTHING_LEFT
    update = {**NOTHING_LEFT, "call_id": call.id, "plan_hash": plan_hash(call.name, call.arguments)}
    try:
        check_call(call, offered(deps, AccountId(state["account_id"])))
        if call.name == DONE:
            return {**update, "done": settled(talk)}
        if not asks(call):
            return update
        proposal = await _proposal(call, state, deps)
    except AnswerFormatError:
        return update
    review_id = await asyncio.to_thread(_open_review, proposal, call, deps)
    return {**update, "requires_approval": True, "review_id": review_id, "final_response": ""}


async def _proposal(call: ToolCall, state: MailState, deps: Deps) -> Proposal:
    """The review of a question, a meeting or a reply. Raises `AnswerFormatError`."""
    if call.name == QUESTION:
        proposal = plain_proposal(state, ReviewKind.QUESTION, str(call.arguments["content"]), deps)
    elif call.name == SCHEDULE_MEETING:
        proposal = await meeting_proposal(call, state, deps)
    else:
        proposal = replace(_reply(call, state, deps), kind=ReviewKind.TOOL_CALL)
    return replace(proposal, request_json=as_request(call.name, call.arguments), plan_hash=plan_hash(call.name, call.arguments))


def _reply(call: ToolCall, state: MailState, deps: Deps) -> Proposal:
    """A reply with its red flags. Everything the owner typed so far counts as a source."""
    message = deps.corpus.message(message_id_of(state))
    account = deps.corpus.account(message.account_id)
    thread = deps.corpus.thread(message.thread_id)
    state_with_words = MailState(**{**state, "feedback": owner_words(load(state))})
    gateway = deps.model_for(Tier.AGENT) or deps.gateway
    assert gateway is not None, "whoever made the call"
    draft = marked(letter(call, thread, account, gateway.model), state_with_words, message, deps)
    drafted = DraftPayload(draft, tool_sources(state.get("tool_results", {}), account))
    answered = answered_mail(call, thread) if draft.reply_to else message
    flags = flags_of(drafted, answered, account, state_with_words, deps, sends_before=_letters_before(state, deps))
    proposal = reply_proposal(state, drafted, flags, deps)
    if draft.reply_to:
        return proposal
    return replace(proposal, message_id=MessageId(0), thread_id=_own_thread(state, call))


def _own_thread(state: MailState, call: ToolCall) -> ThreadId:
    """A thread of its own for a new mail: negative, below those of requests, the same for a repeated call."""
    return ThreadId(-(1 << 48) - zlib.crc32(f"{state['run_id']}:{call.id}".encode()))


def _letters_before(state: MailState, deps: Deps) -> int:
    """How many replies of this run were approved. A meeting is no mail."""
    reviews = (deps.desk.review(ReviewId(one)) for one in state.get("sends", []))
    return sum(request_of(one.proposal.request_json)[0] != SCHEDULE_MEETING for one in reviews)


def _open_review(proposal: Proposal, call: ToolCall, deps: Deps) -> ReviewId:
    """Opens the review once. Revises a pending one that a lost run opened for another call."""
    review_id = deps.desk.open(proposal, f"call:{call.id}")
    existing = deps.desk.review(review_id)
    if existing.proposal.plan_hash != proposal.plan_hash:
        if existing.status is not ReviewStatus.PENDING:
            raise NotAllowed(f"Review {review_id} was decided for another call.")
        deps.desk.revise(review_id, proposal)
    return review_id


def is_call(review: Review) -> bool:
    """Whether the review is about a call of the response agent."""
    return bool(review.proposal.request_json and review.proposal.plan_hash)


def after_word(state: MailState, review: Review, words: str) -> MailState:
    """The state of a new run after the owner's remark on a call.

    Holds the conversation as far as the review knows it. New calls get their own ids.
    """
    action, arguments = request_of(review.proposal.request_json)
    stretch = f"r{review.id}_{review.revision}_"
    talk = with_turn([], "", [ToolCall("", action, arguments)], stretch)
    (call,) = last_calls(talk)
    result = (
        {"status": CallStatus.ANSWER, "answer": words}
        if call.name == QUESTION
        else {"status": CallStatus.FEEDBACK, "feedback": words}
    )
    changed = MailState(**{**state, "route": Route.RESPONSE_AGENT.value, "feedback": ""})
    changed["stretch"] = stretch
    changed["messages"] = dump(with_result(talk, call, result))
    return changed
