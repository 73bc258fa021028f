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
from app.agent.tools.execution import LONGEST_NAME, error_words, note
from app.agent.tools.registry import Registry
from app.agent.tools.tool_calls import Approvals, CallContext, NeedsApproval, OwnerDecision, PendingCall, Result, no_approvals
from app.domain.agents.runs import AgentStatus
from app.domain.agents.tools import plan_hash
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import SCHEDULE_MEETING
from app.domain.drafting.review import Action, Proposal, RedFlag, Review, ReviewKind, request_of
from app.domain.errors import AgentsPaused, ExpectedError, NotAllowed
from app.domain.ids import ReviewId
from app.domain.policy.policy import Verdict
from app.domain.record import Record, replace


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
        """The available tools, bound to one call."""

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


class CallDecision(Record):
    """The owner's decision on the current call.

    `call` is the call as approved, `changed` whether the owner changed it, `body` the approved mail, `text` the owner's remark.
    """

    call: ToolCall
    changed: bool
    word: OwnerDecision
    verdict: str
    text: str
    body: str


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
    try:
        shown = await _proposal(call, work.registry(call.id, judged.flags), work, judged.flags)
    except ExpectedError:
        return update
    waiting = NeedsApproval(judged.plan_hash, judged.flags, judged.ruling.why)
    await note(call, ctx, registry.definition(call.name), judged, waiting)
    asked = {**update, "requires_approval": True, "final_response": ""}
    return ProposalOpened(replace(shown, flags=tuple(dict.fromkeys((*shown.flags, *judged.flags)))), f"call:{call.id}", asked)


async def _proposal(call: ToolCall, registry: Registry, work: AgentCase, flags: tuple[RedFlag, ...]) -> Proposal:
    """The review of a call. Raises `ExpectedError` when the call cannot succeed."""
    tool = registry.tool(call.name)
    if tool is not None and tool.propose is not None:
        made = await asyncio.wait_for(tool.propose(**call.arguments), tool.timeout_s)
    else:
        plain = plain_proposal(work.state, ReviewKind.TOOL_CALL, "", work.deps)
        made = replace(plain, maker=work.maker, tools=tool_steps(load(work.state)), flags=flags)
    return replace(made, request_json=as_request(call.name, call.arguments), plan_hash=plan_hash(call.name, call.arguments))


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
    decided = await asyncio.to_thread(_decision, work, call) if state["requires_approval"] else None
    carried = decided.call if decided is not None else call
    before = None if work.reruns else await asyncio.to_thread(deps.journal.tool_result, run_id_of(state), call.id)
    result = json.loads(before.result) if before else await _result(work, carried, decided)
    row, changed = work.left(result)
    if before is None:
        execution = execution_of(state, carried, row, (time.perf_counter() - started) * 1000, deps.clock())
        await asyncio.to_thread(deps.journal.tool, execution)
    if carried is not call:
        talk = with_arguments(talk, carried.id, carried.arguments)
    return {**changed, "messages": dump(with_result(talk, carried, result)), **_after(work, carried, result)}


def _after(work: AgentCase, call: ToolCall, result: Any) -> Update:
    """The state fields that change after a call.

    A queued reply adds its review to `sends`. An ignored call ends the run.
    """
    state = work.state
    update: Update = {"call_outcome": _short(result)}
    if state["requires_approval"] and call.name in work.sent and result.get("status") == CallStatus.QUEUED:
        update["sends"] = [*(one for one in state.get("sends", []) if one != state["review_id"]), state["review_id"]]
    if state.get("verdict") == Action.IGNORE:
        update["finish"] = AgentStatus.COMPLETED.value
    return update


def _short(result: Any) -> str:
    """The status or error of a call for the log, never what it returned."""
    known = result if isinstance(result, dict) else {}
    return str(known.get("error") or known.get("status") or "done")[:LONGEST_SHOWN]


async def _result(work: AgentCase, call: ToolCall, decided: CallDecision | None) -> Any:
    """Runs the call and returns its result for the model."""

    def approvals(asked: PendingCall) -> OwnerDecision | None:
        return decided.word if decided is not None else None

    first = work.registry(call.id)
    ctx = await work.context(first, approvals)
    flags = first.judge(call, ctx).flags if not first.argument_error(call) else ()
    registry = work.registry(call.id, flags)
    outcome = await registry.execute(call, ctx)
    if isinstance(outcome, NeedsApproval):
        failed = Result({"error": await _why_no_review(registry, call)}, failed=True)
        await note(call, ctx, registry.definition(call.name), registry.judge(call, ctx), failed)
        return work.told(failed.value)
    return work.told(outcome.value if decided is None else _with_decision(outcome.value, work, decided))


async def _why_no_review(registry: Registry, call: ToolCall) -> str:
    """Why no review was opened: the call cannot succeed."""
    tool = registry.tool(call.name)
    if tool is not None and tool.propose is not None:
        try:
            await tool.propose(**call.arguments)
        except ExpectedError as error:
            return error_words(error)
    return LATER


def _with_decision(value: Any, work: AgentCase, decided: CallDecision) -> Any:
    """The result for the model after the owner's decision. What was approved stands in the outbox, changed or not."""
    call = decided.call
    if decided.verdict == Action.IGNORE:
        return {"status": CallStatus.IGNORED, "note": STOP}
    if decided.verdict == Action.RESPOND:
        kind = CallStatus.ANSWER if call.name == QUESTION else CallStatus.FEEDBACK
        return {"status": kind, kind: decided.text}
    if call.name not in (work.letter, SCHEDULE_MEETING):
        return value
    meeting = call.name == SCHEDULE_MEETING
    result: dict[str, Any] = {"status": APPROVED[decided.verdict], "note": BOOKED if meeting else WAITS}
    if not decided.changed:
        return result
    if meeting:
        return {**result, "note": f"{BOOKED} {CHANGED_MEETING}", "arguments": call.arguments}
    return {**result, "note": f"{WAITS} {CHANGED}", "response_text": decided.body}


def _decision(work: AgentCase, call: ToolCall) -> CallDecision:
    """The decision on this call. Raises `NotAllowed` when the review is about another call."""
    state, deps = work.state, work.deps
    review = deps.desk.review(ReviewId(state["review_id"]))
    if review.proposal.plan_hash != state["plan_hash"]:
        raise NotAllowed(f"Review {review.id} is about another call.")
    verdict, text = state["verdict"], state.get("feedback", "")
    if verdict in APPROVED and call.name in (work.letter, SCHEDULE_MEETING) and not state.get("final_response"):
        raise NotAllowed(f"Review {review.id} was approved, and nothing stands in the outbox for it.")
    carried = _approved(review, call, work) if verdict in APPROVED else call
    at = review.decided_at or deps.clock()
    word = OwnerDecision(plan_hash(carried.name, carried.arguments), verdict in APPROVED, "user", at, text)
    body = review.proposal.draft.body if review.proposal.draft else ""
    return CallDecision(carried, carried is not call, word, verdict, text, body)


def _approved(review: Review, call: ToolCall, work: AgentCase) -> ToolCall:
    """The call with the owner's changes."""
    draft, before = review.proposal.draft, review.proposed
    if call.name == work.letter:
        if draft is None or before is None or same_letter(draft, before):
            return call
        return replace(call, arguments=work.arguments(draft))
    action, arguments = request_of(review.proposal.request_json)
    return call if action != call.name or arguments == call.arguments else replace(call, arguments=arguments)


def same_letter(one: Draft, other: Draft) -> bool:
    """Whether two drafts have the same recipients, subject and body."""
    return (one.to, one.cc, one.bcc, one.subject, one.body) == (other.to, other.cc, other.bcc, other.subject, other.body)
