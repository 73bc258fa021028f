"""The response agent's tools, and how its run is restored from a review.

Its calls have no effects: the owner's decision on a review queues the mail or meeting.
"""

import asyncio
import zlib
from dataclasses import dataclass, field
from typing import Any, cast

from app.agent.agents.calls import QUESTION, AgentCase, CallStatus
from app.agent.agents.responder.tools import (
    DONE,
    SEND_EMAIL,
    CalendarLookup,
    answered_mail,
    arguments_of,
    letter,
    look_up,
    marked,
    meeting_proposal,
    merged,
    offered,
    owner_words,
    settled,
)
from app.agent.drafting.model_request import draft_check
from app.agent.drafting.sources import tool_sources
from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import dump, load, next_call, with_result, with_turn
from app.agent.runtime.dependencies import Deps, Tier
from app.agent.runtime.proposals import flags_of, plain_proposal, reply_proposal
from app.agent.runtime.state import DraftPayload, MailState, Update, message_id_of, run_id_of
from app.agent.tools.registry import Handler, Proposes, RegisteredTool, Registry
from app.agent.tools.tool_calls import Approvals, CallContext, no_approvals
from app.domain.agents.runs import Route
from app.domain.agents.tools import Json
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import CHECK_CALENDAR, SCHEDULE_MEETING
from app.domain.drafting.review import Proposal, RedFlag, Review, ReviewKind, request_of
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, ReviewId, ThreadId
from app.domain.record import replace

EARLY = "Not done yet: read the results of your other calls first."


@dataclass(frozen=True, slots=True)
class ResponseCase(AgentCase):
    """The tools of a run. `looked` are the days that its calls of `check_calendar` read."""

    state: MailState
    deps: Deps
    maker: str
    looked: list[tuple[list[str], CalendarLookup]] = field(default_factory=list)

    letter = SEND_EMAIL
    sent = (SEND_EMAIL, SCHEDULE_MEETING)
    last = DONE
    reruns = True

    def registry(self, call_id: str = "", flags: tuple[RedFlag, ...] = ()) -> Registry:
        async def check_days(dates: list[str]) -> Json:
            looked = await look_up(dates, self.deps)
            self.looked.append((dates, looked))
            return {"status": CallStatus.READ, "summary": looked.summary}

        async def reply(**arguments: Any) -> Proposal:
            return await asyncio.to_thread(_reply, ToolCall(call_id, SEND_EMAIL, arguments), self)

        async def meeting(**arguments: Any) -> Proposal:
            return await meeting_proposal(ToolCall(call_id, SCHEDULE_MEETING, arguments), self.state, self.deps)

        async def question(content: str) -> Proposal:
            return plain_proposal(self.state, ReviewKind.QUESTION, content, self.deps)

        async def queued(**_arguments: object) -> Json:
            return {"status": CallStatus.QUEUED}

        async def too_early(**_arguments: object) -> Json:
            return {"error": EARLY}

        made: dict[str, tuple[Handler, Proposes | None]] = {
            CHECK_CALENDAR: (check_days, None),
            SEND_EMAIL: (queued, reply),
            SCHEDULE_MEETING: (queued, meeting),
            QUESTION: (queued, question),
            DONE: (too_early, None),
        }
        return Registry(
            # The proposals have the flags of the mail pipeline: the call's own would stand beside them.
            RegisteredTool(replace(one, recipient_args=(), text_args=()), made[name][0], propose=made[name][1])
            for name, one in offered(self.deps, AccountId(self.state["account_id"])).items()
        )

    async def context(self, registry: Registry, approvals: Approvals = no_approvals) -> CallContext:
        return CallContext(run_id_of(self.state), registry.names, self.deps.clock, approvals=approvals)

    def arguments(self, draft: Draft) -> dict[str, Any]:
        return arguments_of(draft)

    def ends(self, call: ToolCall) -> bool:
        return call.name == DONE and settled(load(self.state))

    def told(self, value: Any) -> Any:
        return {"status": CallStatus.ERROR, **value} if "error" in value else value

    def left(self, result: Any) -> tuple[Any, Update]:
        """The row and the state hold the titles of busy times; the model does not get them."""
        before = self.state.get("tool_results", {})
        outcome = before.get(CHECK_CALENDAR)
        for dates, looked in self.looked:
            outcome = merged(outcome, dates, looked)
        if outcome is None or not self.looked:
            return result, {}
        return {**result, "busy": outcome["result"]["busy"]}, {"tool_results": {**before, CHECK_CALENDAR: outcome}}


def open_case(state: MailState, deps: Deps) -> ResponseCase:
    gateway = deps.model_for(Tier.AGENT) or deps.gateway
    return ResponseCase(state, deps, gateway.model if gateway is not None else "")


def _reply(call: ToolCall, work: ResponseCase) -> Proposal:
    """A reply with its red flags. Everything the owner typed so far counts as a source."""
    state, deps = work.state, work.deps
    message = deps.corpus.message(message_id_of(state))
    account = deps.corpus.account(message.account_id)
    thread = deps.corpus.thread(message.thread_id)
    state_with_words = MailState(**{**state, "feedback": owner_words(load(state))})
    draft = marked(letter(call, thread, account, work.maker), state_with_words, message, deps)
    drafted = DraftPayload(draft, tool_sources(state.get("tool_results", {}), account))
    answered = answered_mail(call, thread) if draft.reply_to else message
    check = draft_check(state_with_words, answered, deps, fewest=1)
    if draft.reply_to and (fault := check({"body": call.arguments["response_text"]})):
        raise NotAllowed(f"response_text: {fault}")
    reviews = (deps.desk.review(ReviewId(one)) for one in state.get("sends", []))
    letters = sum(request_of(one.proposal.request_json)[0] != SCHEDULE_MEETING for one in reviews)
    flags = flags_of(drafted, answered, account, state_with_words, deps, sends_before=letters)
    proposal = replace(reply_proposal(state, drafted, flags, deps), kind=ReviewKind.TOOL_CALL)
    if draft.reply_to:
        return proposal
    # A thread of its own for a new mail: negative, below those of requests, the same for a repeated call.
    thread_id = ThreadId(-(1 << 48) - zlib.crc32(f"{state['run_id']}:{call.id}".encode()))
    return replace(proposal, message_id=MessageId(0), thread_id=thread_id)


def is_call(review: Review) -> bool:
    return bool(review.proposal.request_json and review.proposal.plan_hash)


def after_word(state: MailState, review: Review, words: str) -> MailState:
    """The state of a new run after the owner's remark on a call: the conversation as far as the review knows it.

    New calls get their own ids.
    """
    action, arguments = request_of(review.proposal.request_json)
    stretch = f"r{review.id}_{review.revision}_"
    talk = with_turn([], "", [ToolCall("", action, arguments)], stretch)
    call = next_call(talk)
    assert call is not None
    kind = CallStatus.ANSWER if call.name == QUESTION else CallStatus.FEEDBACK
    talk = with_result(talk, call, {"status": kind, kind: words})
    more = {"route": Route.RESPONSE_AGENT.value, "feedback": "", "stretch": stretch, "messages": dump(talk)}
    return cast(MailState, {**state, **more})
