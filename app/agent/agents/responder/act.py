"""Runs one tool call or applies the owner's decision on it, one row per run and call; also `mark_as_read_node`.

Nothing is sent here. An approved reply is queued in the outbox by the decision's own commit, so the model gets `queued`, never
`sent`. `mark_as_read` only notes the intent once per run; the engine marks the mail through the outbox after the replies were
sent.
"""

import asyncio
import time
from collections.abc import Mapping
from typing import Any

from app.agent.agents.responder.calendar import look_up, merged
from app.agent.agents.responder.proposals import answered_mail, arguments_of, letter, meeting_of, same_letter, starts
from app.agent.agents.responder.tools import (
    CHECK_CALENDAR,
    DONE,
    QUESTION,
    SEND_EMAIL,
    CallStatus,
    check_call,
    last_calls,
    offered,
)
from app.agent.llm.answers import AnswerFormatError
from app.agent.llm.turns import ChatMessage, ToolCall
from app.agent.runtime.conversation import (
    MARK_AS_READ,
    dump,
    execution_of,
    final_message,
    load,
    read_mark,
    with_arguments,
    with_result,
)
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.proposals import plain_proposal
from app.agent.runtime.state import MailState, ToolOutcome, Update, message_id_of
from app.agent.runtime.steps import ProposalOpened
from app.domain.agents.runs import RunStatus
from app.domain.agents.tools import plan_hash
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import SCHEDULE_MEETING
from app.domain.drafting.review import Action, Review, ReviewKind, request_of
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.ids import AccountId, ReviewId
from app.domain.mail.triage import Decision, ReasonCode
from app.domain.policy.policy import Verdict, judge_tool

Result = Mapping[str, Any]

APPROVED = frozenset({Action.ACCEPT.value, Action.EDIT.value})
EARLY = "Not done yet: read the results of your other calls first."
STOP = "The owner ignored this. Do nothing further about this mail: end the workflow."
CHANGED = "The owner changed it before approving; these are its words now."
WAITS = "The owner approved it. It waits to be sent."
BOOKED = "The owner approved it. It waits to be put into the calendar; its guests are invited then."
CHANGED_MEETING = "The owner changed it before approving; these are its arguments now."


async def act(state: MailState, deps: Deps) -> Update:
    """Adds the result of the current call to the conversation."""
    started = time.perf_counter()
    talk = load(state)
    call = next(one for one in last_calls(talk) if one.id == state["call_id"])
    if plan_hash(call.name, call.arguments) != state["plan_hash"]:
        raise NotAllowed(f"Call {call.id} is not the one that was planned.")
    if state["requires_approval"]:
        talk, call, result = await asyncio.to_thread(_apply_decision, state, talk, call, deps)
        update: Update = {}
        if result["status"] == CallStatus.QUEUED:
            update["sends"] = [*(one for one in state.get("sends", []) if one != state["review_id"]), state["review_id"]]
    else:
        result, update = await _run_call(state, call, deps)
    seen: ToolOutcome | None = update.get("tool_results", {}).get(CHECK_CALENDAR)
    stored = {**result, "busy": seen["result"]["busy"]} if seen else dict(result)  # the model does not get the busy times
    execution = execution_of(state, call, stored, (time.perf_counter() - started) * 1000, deps.clock())
    await asyncio.to_thread(deps.journal.tool, execution)
    return {**update, "messages": dump(with_result(talk, call, result))}


async def _run_call(state: MailState, call: ToolCall, deps: Deps) -> tuple[Result, Update]:
    """Runs a call that needs no approval: its result or its error."""
    try:
        _check(call, state, deps)
        looked = await look_up(call.arguments["dates"], deps)
    except AnswerFormatError as problem:
        return {"status": CallStatus.ERROR, "error": str(problem)}, {}
    except ExpectedError as error:
        return {"status": CallStatus.ERROR, "error": f"{error.code}: {error}"}, {}
    before = state.get("tool_results", {})
    outcome = merged(before.get(CHECK_CALENDAR), call.arguments, looked)
    return {"status": CallStatus.READ, "summary": looked.summary}, {"tool_results": {**before, CHECK_CALENDAR: outcome}}


def _check(call: ToolCall, state: MailState, deps: Deps) -> None:
    """Raises `AnswerFormatError` or `NotAllowed` when the call cannot run."""
    account_id = AccountId(state["account_id"])
    check_call(call, offered(deps, account_id))
    if call.name == DONE:
        raise AnswerFormatError(EARLY)
    if call.name == SEND_EMAIL and not starts(call):
        answered_mail(call, deps.corpus.thread(deps.corpus.message(message_id_of(state)).thread_id))
    if call.name == SCHEDULE_MEETING:
        meeting_of(call, deps.corpus.account(account_id))
    if call.name != CHECK_CALENDAR:
        raise NotAllowed(f"The tool {call.name} never runs without the owner's word.")


def _apply_decision(
    state: MailState, talk: list[ChatMessage], call: ToolCall, deps: Deps
) -> tuple[list[ChatMessage], ToolCall, Result]:
    """Applies the decision: the conversation, the call as approved and its result."""
    review = deps.desk.review(ReviewId(state["review_id"]))
    if review.proposal.plan_hash != state["plan_hash"]:
        raise NotAllowed(f"Review {review.id} is about another call.")
    verdict, words = state["verdict"], state.get("feedback", "")
    if verdict in APPROVED:
        return _approved(state, review, talk, call, deps)
    if verdict == Action.IGNORE:
        return talk, call, {"status": CallStatus.IGNORED, "note": STOP}
    if call.name == QUESTION:
        return talk, call, {"status": CallStatus.ANSWER, "answer": words}
    return talk, call, {"status": CallStatus.FEEDBACK, "feedback": words}


def _approved(
    state: MailState, review: Review, talk: list[ChatMessage], call: ToolCall, deps: Deps
) -> tuple[list[ChatMessage], ToolCall, Result]:
    """The result of an approved reply or meeting. A changed one replaces the model's own call."""
    draft = review.proposal.draft
    if not state.get("final_response"):
        raise NotAllowed(f"Review {review.id} was approved, and nothing stands in the outbox for it.")
    if draft is None:
        return _approved_meeting(review, talk, call)
    if same_letter(draft, _proposed(review, call, deps)):
        return talk, call, {"status": CallStatus.QUEUED, "note": WAITS}
    changed = ToolCall(call.id, call.name, arguments_of(draft))
    result = {"status": CallStatus.QUEUED, "note": f"{WAITS} {CHANGED}", "response_text": draft.body}
    return with_arguments(talk, call.id, changed.arguments), changed, result


def _approved_meeting(review: Review, talk: list[ChatMessage], call: ToolCall) -> tuple[list[ChatMessage], ToolCall, Result]:
    """The result of an approved meeting, whose arguments the owner may have changed."""
    name, arguments = request_of(review.proposal.request_json)
    if name != call.name:
        raise NotAllowed(f"Review {review.id} is about another tool.")
    if arguments == call.arguments:
        return talk, call, {"status": CallStatus.QUEUED, "note": BOOKED}
    changed = ToolCall(call.id, call.name, arguments)
    result = {"status": CallStatus.QUEUED, "note": f"{BOOKED} {CHANGED_MEETING}", "arguments": arguments}
    return with_arguments(talk, call.id, arguments), changed, result


def _proposed(review: Review, call: ToolCall, deps: Deps) -> Draft:
    """The draft that the call's own arguments make."""
    account = deps.corpus.account(review.proposal.account_id)
    return letter(call, deps.corpus.thread(review.proposal.thread_id), account, "")


NOTICE_KEY = "nothing_done"
LONGEST_NOTICE = 2000


async def mark_as_read(state: MailState, deps: Deps) -> Update | ProposalOpened:
    """Notes that the mail is to be marked as read, and ends the run.

    A mail that wanted an answer and got nothing stays unread, and the owner gets a notice.
    """
    if judge_tool(MARK_AS_READ, (MARK_AS_READ,), done=state["done"]).verdict is not Verdict.ALLOW:
        raise NotAllowed("Mail is marked read only after the work is done.")
    done: Update = {"outcome": RunStatus.DONE.value}
    if state.get("decision") == Decision.RESPOND and not state.get("review_id"):
        words = final_message(load(state))[:LONGEST_NOTICE] or ReasonCode.NOTHING_TO_DO.value
        return ProposalOpened(plain_proposal(state, ReviewKind.NOTIFY, words, deps), NOTICE_KEY, done, waits=False)
    await asyncio.to_thread(deps.journal.tool, read_mark(state, deps, "when_sent"))
    return done
