"""Nodes `plan` and `act`: take an agent's next call, open its review, and run it or apply the owner's decision on it.

The response agent and agent profiles share them; `AgentCase` is what differs. One call at a time, one row per run and call.
Opening the review is the only write of `plan`, once per call. All calls go through the registry, with the approval from the
review. Nothing is sent here: an approved mail or meeting is queued in the outbox by the decision's own commit, so the model gets
`queued`, never `sent`.
"""

import asyncio
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import StrEnum
from typing import Any, ClassVar

from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import dump, execution_of, load, next_call, tool_steps, with_arguments, with_result
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.proposals import as_request, plain_proposal
from app.agent.runtime.state import MailState, Update, run_id_of
from app.agent.runtime.steps import ProposalOpened
from app.agent.tools.registry import LONGEST_NAME, Registry, error_words, note
from app.agent.tools.tool_calls import Approvals, CallContext, NeedsApproval, OwnerDecision, Result, no_approvals
from app.domain.agents.runs import AgentStatus
from app.domain.agents.tools import plan_hash
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import SCHEDULE_MEETING
from app.domain.drafting.review import Action, RedFlag, ReviewKind, request_of
from app.domain.errors import AgentsPaused, ExpectedError, NotAllowed
from app.domain.ids import ReviewId
from app.domain.policy.policy import Verdict
from app.domain.record import replace


class CallStatus(StrEnum):
    """What became of a call, as the model gets it."""

    QUEUED = "queued"
    SAVED = "saved_as_draft"
    FEEDBACK = "feedback"
    ANSWER = "answer"
    IGNORED = "ignored"
    READ = "read"
    ERROR = "error"


QUESTION = "Question"
APPROVED = {
    Action.ACCEPT.value: CallStatus.QUEUED,
    Action.EDIT.value: CallStatus.QUEUED,
    Action.SAVE_DRAFT.value: CallStatus.SAVED,
}

WAITS = "The owner approved it. It waits to be sent."
CHANGED = "The owner changed it before approving; these are its words now."
BOOKED = "The owner approved it. It waits to be put into the calendar; its guests are invited then."
CHANGED_MEETING = "The owner changed it before approving; these are its arguments now."
STOP = "The owner ignored this. Do nothing further about it."
LATER = "This needs the owner's word and could not be put before them; try once more."
LONGEST_SHOWN = 100

NOTHING_LEFT: Update = {"call_id": "", "plan_hash": "", "requires_approval": False, "verdict": ""}


class AgentCase(ABC):
    """An agent's work on a mail, built anew from state and store by each node, so that a run continues after a crash.

    `maker` is its model. `letter` is its tool for a mail: the commit of the decision queues that, or a meeting. `sent` are the
    calls whose approved reviews the state keeps in `sends`, `last` is a tool that comes after all other calls of a turn.
    `reruns`: its calls have no effects and may run again after a crash.
    """

    state: MailState
    deps: Deps
    maker: str
    letter: ClassVar[str]
    sent: ClassVar[tuple[str, ...]]
    last = ""
    reruns = False

    @abstractmethod
    def registry(self, call_id: str = "", flags: tuple[RedFlag, ...] = ()) -> Registry:
        """The available tools, bound to one call and policy's flags on it."""

    @abstractmethod
    async def context(self, registry: Registry, approvals: Approvals = no_approvals) -> CallContext:
        """What the run's calls are judged by."""

    @abstractmethod
    def arguments(self, draft: Draft) -> dict[str, Any]:
        """The arguments of the call that would make this draft."""

    def ends(self, call: ToolCall) -> bool:
        """Whether the call ends the run."""
        return False

    def told(self, value: Any) -> Any:
        return value

    def left(self, result: Any) -> tuple[Any, Update]:
        """A result as its row holds it, and the fields that the call changed."""
        return result, {}


OpenCase = Callable[[MailState, Deps], AgentCase]


async def plan(state: MailState, deps: Deps, open_case: OpenCase) -> Update | ProposalOpened:
    """The next call with its hash, and its review when it needs one. Without a call the model goes on."""
    work = open_case(state, deps)
    call = next_call(load(state), work.last)
    if call is None:
        return NOTHING_LEFT
    registry = work.registry(call.id)
    ctx = await work.context(registry)
    judged = registry.judge(call, ctx)
    update = {**NOTHING_LEFT, "call": call.name[:LONGEST_NAME], "call_id": call.id, "plan_hash": judged.plan_hash}
    if registry.argument_error(call):
        return update
    if work.ends(call):
        return {**update, "done": True}
    if judged.ruling.verdict is not Verdict.ASK:
        return update
    tool = registry.tool(call.name)
    try:
        if tool is not None and tool.propose is not None:
            bound = work.registry(call.id, judged.flags).tool(call.name)
            assert bound is not None and bound.propose is not None
            shown = await asyncio.wait_for(bound.propose(**call.arguments), bound.timeout_s)
        else:
            shown = plain_proposal(state, ReviewKind.TOOL_CALL, "", deps)
            shown = replace(shown, maker=work.maker, tools=tool_steps(load(state)))
    except ExpectedError:
        return update  # the call cannot succeed, and `act` tells the model why
    waiting = NeedsApproval(call, judged.plan_hash, judged.flags, judged.ruling.why)
    await note(call, ctx, registry.definition(call.name), judged, waiting)
    shown = replace(
        shown,
        flags=tuple(dict.fromkeys((*shown.flags, *judged.flags))),
        request_json=as_request(call.name, call.arguments),
        plan_hash=judged.plan_hash,
    )
    return ProposalOpened(shown, f"call:{call.id}", {**update, "requires_approval": True, "final_response": ""})


async def act(state: MailState, deps: Deps, open_case: OpenCase) -> Update:
    """Adds the result of the current call to the conversation."""
    started = time.perf_counter()
    talk = load(state)
    work = open_case(state, deps)
    call = next_call(talk, work.last)
    if call is None or call.id != state["call_id"] or plan_hash(call.name, call.arguments) != state["plan_hash"]:
        raise NotAllowed(f"Call {state['call_id']} is not the one that was planned.")
    if deps.toolbox is not None and deps.toolbox.paused():
        raise AgentsPaused("The agents are paused.")
    carried, word, body = await asyncio.to_thread(_decision, work, call) if state["requires_approval"] else (call, None, "")
    before = None if work.reruns else await asyncio.to_thread(deps.journal.tool_result, run_id_of(state), call.id)
    if before:
        result = json.loads(before.result)
    else:
        result = await _result(work, carried, word)
        if word is not None:
            result = _with_decision(result, work, carried, body if carried is not call else None)
        result = work.told(result)
    row, update = work.left(result)
    if before is None:
        execution = execution_of(state, carried, row, (time.perf_counter() - started) * 1000, deps.clock())
        await asyncio.to_thread(deps.journal.tool, execution)
    if carried is not call:
        talk = with_arguments(talk, carried.id, carried.arguments)
    known = result if isinstance(result, dict) else {}
    shown = str(known.get("error") or known.get("status") or "done")[:LONGEST_SHOWN]  # never what it returned
    update = {**update, "messages": dump(with_result(talk, carried, result)), "call_outcome": shown}
    if state["requires_approval"] and carried.name in work.sent and known.get("status") == CallStatus.QUEUED:
        update["sends"] = [*(one for one in state.get("sends", []) if one != state["review_id"]), state["review_id"]]
    if state.get("verdict") == Action.IGNORE:
        update["finish"] = AgentStatus.COMPLETED.value
    return update


async def _result(work: AgentCase, call: ToolCall, word: OwnerDecision | None) -> Any:
    """Runs the call and returns its result. Without a review the result says why none was opened."""
    first = work.registry(call.id)
    ctx = await work.context(first, lambda _asked: word)
    flags = first.judge(call, ctx).flags if not first.argument_error(call) else ()
    registry = work.registry(call.id, flags)
    outcome = await registry.execute(call, ctx)
    if not isinstance(outcome, NeedsApproval):
        return outcome.value
    why, tool = LATER, registry.tool(call.name)
    if tool is not None and tool.propose is not None:
        try:
            await tool.propose(**call.arguments)
        except ExpectedError as error:
            why = error_words(error)
    failed = Result({"error": why}, failed=True)
    await note(call, ctx, registry.definition(call.name), registry.judge(call, ctx), failed)
    return failed.value


def _with_decision(value: Any, work: AgentCase, call: ToolCall, changed: str | None) -> Any:
    """The result for the model after the owner's decision. What was approved stands in the outbox.

    `changed` is the text of a mail that the owner changed, None where call and mail are as proposed.
    """
    verdict = work.state["verdict"]
    if verdict == Action.IGNORE:
        return {"status": CallStatus.IGNORED, "note": STOP}
    if verdict == Action.RESPOND:
        kind = CallStatus.ANSWER if call.name == QUESTION else CallStatus.FEEDBACK
        return {"status": kind, kind: work.state.get("feedback", "")}
    if call.name not in (work.letter, SCHEDULE_MEETING):
        return value
    meeting = call.name == SCHEDULE_MEETING
    result: dict[str, Any] = {"status": APPROVED[verdict], "note": BOOKED if meeting else WAITS}
    if changed is None:
        return result
    if meeting:
        return {**result, "note": f"{BOOKED} {CHANGED_MEETING}", "arguments": call.arguments}
    return {**result, "note": f"{WAITS} {CHANGED}", "response_text": changed}


def _decision(work: AgentCase, call: ToolCall) -> tuple[ToolCall, OwnerDecision | None, str]:
    """The call with the owner's changes, the decision and the approved mail. Raises `NotAllowed` for a review of another call."""
    state = work.state
    review = work.deps.desk.review(ReviewId(state["review_id"]))
    if review.proposal.plan_hash != state["plan_hash"]:
        raise NotAllowed(f"Review {review.id} is about another call.")
    approved = state["verdict"] in APPROVED
    if approved and call.name in (work.letter, SCHEDULE_MEETING) and not state.get("final_response"):
        raise NotAllowed(f"Review {review.id} was approved, and nothing stands in the outbox for it.")
    draft, before = review.proposal.draft, review.proposed
    action, arguments = request_of(review.proposal.request_json)
    if approved and call.name == work.letter:
        if draft is not None and before is not None and _letter(draft) != _letter(before):
            call = replace(call, arguments=work.arguments(draft))
    elif approved and action == call.name and arguments != call.arguments:
        call = replace(call, arguments=arguments)
    at = review.decided_at or work.deps.clock()
    word = OwnerDecision(plan_hash(call.name, call.arguments), approved, "user", at, state.get("feedback", ""))
    return call, word, draft.body if draft else ""


def _letter(draft: Draft) -> tuple[object, ...]:
    """What a call of the agent can make of a draft."""
    return draft.to, draft.cc, draft.bcc, draft.subject, draft.body
