"""Node `profile_act`: runs one call or applies the owner's decision on it, one row per run and call.

All calls go through the registry, with the approval from the review. A call that ran before a crash does not run again.
"""

import asyncio
import json
import time
from dataclasses import dataclass, replace
from typing import Any

from app.agent.agents.profiles.casework import ProfileCase, context_of, open_case
from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import dump, execution_of, load, next_call, with_arguments, with_result
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import MailState, Update, run_id_of
from app.agent.tools.execution import note
from app.agent.tools.registry import Registry
from app.agent.tools.tool_calls import NeedsApproval, Outcome, OwnerDecision, PendingCall, Result
from app.domain.agents.runs import AgentStatus
from app.domain.agents.tools import plan_hash
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import SCHEDULE_MEETING
from app.domain.drafting.review import Action, Review, request_of
from app.domain.errors import AgentsPaused, ExpectedError, NotAllowed
from app.domain.ids import ReviewId

APPROVED = {Action.ACCEPT.value: "queued", Action.EDIT.value: "queued", Action.SAVE_DRAFT.value: "saved_as_draft"}
LETTERS = frozenset({"send_reply"})
LEAVING = LETTERS | {SCHEDULE_MEETING}
"""Calls whose approval adds an outbox item in the decision's own commit."""
WAITS = "The owner approved it. It waits to be sent."
CHANGED = "The owner changed it before approving; these are its words now."
STOP = "The owner ignored this. Do nothing further about it."
LONGEST_SHOWN = 100
LATER = "This needs the owner's word and could not be put before them; try once more."


@dataclass(frozen=True, slots=True)
class CallDecision:
    """The owner's decision on the current call.

    `call` is the call as approved, `text` the owner's remark, `draft` the mail if the owner changed it.
    """

    call: ToolCall
    word: OwnerDecision
    verdict: str
    text: str
    draft: Draft | None


async def act(state: MailState, deps: Deps) -> Update:
    """Adds the result of the current call to the conversation."""
    started = time.perf_counter()
    talk = load(state)
    call = next_call(talk)
    if call is None or call.id != state["call_id"] or plan_hash(call.name, call.arguments) != state["plan_hash"]:
        raise NotAllowed(f"Call {state['call_id']} is not the one that was planned.")
    work = open_case(state, deps)
    if work.case.toolbox.paused():
        raise AgentsPaused("The agents are paused.")
    decided = await asyncio.to_thread(_decision, state, call, deps) if state["requires_approval"] else None
    carried = decided.call if decided is not None else call
    before = await asyncio.to_thread(work.case.toolbox.book.earlier, run_id_of(state), call.id)
    result = json.loads(before.result) if before else await _result(work, carried, decided)
    if before is None:
        execution = execution_of(state, carried, result, (time.perf_counter() - started) * 1000, deps.clock())
        await asyncio.to_thread(deps.journal.tool, execution)
    if carried is not call:
        talk = with_arguments(talk, carried.id, carried.arguments)
    return {"messages": dump(with_result(talk, carried, result)), **_after(state, carried, result)}


def _after(state: MailState, call: ToolCall, result: Any) -> Update:
    """The state fields that change after a call.

    A queued reply adds its review to `sends`. An ignored call ends the run.
    """
    update: Update = {"call_outcome": _short(result)}
    if state["requires_approval"] and call.name in LETTERS and result.get("status") == "queued":
        update["sends"] = [*state.get("sends", []), state["review_id"]]
    if state.get("verdict") == Action.IGNORE:
        update["finish"] = AgentStatus.COMPLETED.value
    return update


def _short(result: Any) -> str:
    """The status or error of a call for the log, never what it returned."""
    known = result if isinstance(result, dict) else {}
    return str(known.get("error") or known.get("status") or "done")[:LONGEST_SHOWN]


async def _result(work: ProfileCase, call: ToolCall, decided: CallDecision | None) -> Any:
    """Runs the call and returns its result for the model."""
    first = work.registry(call.id)
    ctx = await context_of(work, first, _approvals(decided))
    flags = first.judge(call, ctx).flags if not first.misfit(call) else ()
    registry = work.registry(call.id, flags)
    outcome = await registry.execute(call, ctx)
    if isinstance(outcome, NeedsApproval):
        failed = Result({"error": await _why_no_review(registry, call)}, failed=True)
        await note(call, ctx, registry.definition(call.name), registry.judge(call, ctx), failed)
        return failed.value
    return _with_decision(outcome, call, decided)


def _approvals(decided: CallDecision | None) -> Any:

    def approvals(asked: PendingCall) -> OwnerDecision | None:
        return decided.word if decided is not None else None

    return approvals


async def _why_no_review(registry: Registry, call: ToolCall) -> str:
    """Why no review was opened: the call cannot succeed."""
    tool = registry.tool(call.name)
    if tool is not None and tool.propose is not None:
        try:
            await tool.propose(**call.arguments)
        except ExpectedError as error:
            return f"{error.code}: {error}"
    return LATER


def _with_decision(outcome: Outcome, call: ToolCall, decided: CallDecision | None) -> Any:
    """The result for the model, with the owner's decision."""
    assert not isinstance(outcome, NeedsApproval)
    if decided is None:
        return outcome.value
    if decided.verdict == Action.IGNORE:
        return {"status": "ignored", "note": STOP}
    if decided.verdict == Action.RESPOND:
        return {"status": "feedback", "feedback": decided.text}
    if call.name in LEAVING and isinstance(outcome.value, dict) and "error" not in outcome.value:
        said = {"response_text": decided.draft.body, "note": f"{WAITS} {CHANGED}"} if decided.draft else {"note": WAITS}
        return {**outcome.value, "status": APPROVED[decided.verdict], **said}
    return outcome.value


def _decision(state: MailState, call: ToolCall, deps: Deps) -> CallDecision:
    """The decision on this call. Raises `NotAllowed` when the review is about another call."""
    review = deps.desk.review(ReviewId(state["review_id"]))
    if review.proposal.plan_hash != state["plan_hash"]:
        raise NotAllowed(f"Review {review.id} is about another call.")
    verdict = state["verdict"]
    if verdict in APPROVED and call.name in LEAVING and not state.get("final_response"):
        raise NotAllowed(f"Review {review.id} was approved, and nothing stands in the outbox for it.")
    action, arguments = request_of(review.proposal.request_json)
    carried = call if action != call.name or arguments == call.arguments else replace(call, arguments=arguments)
    changed = _changed(review)
    if changed is not None and call.name in LETTERS:
        carried = replace(call, arguments={**call.arguments, **_arguments(changed)})
    at = review.decided_at or deps.clock()
    word = OwnerDecision(plan_hash(carried.name, carried.arguments), verdict in APPROVED, "user", at, state.get("feedback", ""))
    return CallDecision(carried, word, verdict, state.get("feedback", ""), changed)


def _changed(review: Review) -> Draft | None:
    """The draft, if the owner changed it."""
    draft, before = review.proposal.draft, review.proposed
    if (
        draft is None
        or before is None
        or (draft.recipients, draft.subject, draft.body) == (before.recipients, before.subject, before.body)
    ):
        return None
    return draft


def _arguments(draft: Draft) -> dict[str, Any]:
    """The arguments that would make this draft."""
    to = draft.recipients[0].email if draft.recipients else ""
    return {"to": to, "subject": draft.subject, "body": draft.body}
