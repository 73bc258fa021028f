"""The response agent's tools, and how its run is restored from a review.

Its calls have no effects: the owner's decision on a review queues the mail or meeting. The node `llm_call` takes one turn of the
model, which must call a tool: a turn without a call is asked again once, a second one hands the mail to the pipeline.
"""

import asyncio
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

from app.agent.agents.calls import QUESTION, AgentCase, CallStatus
from app.agent.agents.pipeline.tools import check_calendar
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
    zone_name,
)
from app.agent.drafting.model_request import (
    EARLIER_LIMIT,
    EARLIER_MAILS,
    calendar_text,
    draft_check,
    note_about_sender,
    signature_rule,
)
from app.agent.drafting.sources import message_text, tool_sources
from app.agent.llm.prompts import chat, fence
from app.agent.llm.turns import ChatMessage, ToolCall, UnusableAnswer
from app.agent.runtime.conversation import dump, load, log_of, next_call, required_turn, turns, with_result, with_turn, with_words
from app.agent.runtime.dependencies import Deps, Tier, owner_prompt
from app.agent.runtime.proposals import flags_of, plain_proposal, reply_proposal
from app.agent.runtime.state import DraftPayload, MailState, ToolOutcome, Update, message_id_of, run_id_of
from app.agent.tools.registry import Handler, Proposes, RegisteredTool, Registry, spec_of
from app.agent.tools.tool_calls import Approvals, CallContext, no_approvals
from app.domain.agents.runs import Route
from app.domain.agents.tools import Json
from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import CHECK_CALENDAR, SCHEDULE_MEETING
from app.domain.drafting.review import Action, Proposal, RedFlag, Review, ReviewKind, request_of
from app.domain.error_texts import Cause
from app.domain.errors import CapReached, ExpectedError, ModelUnavailable, NotAllowed
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


MOST_TURNS = 12
TURNS_ALONE = 4
"""Turns before the owner sees anything of a mail."""
MOST_CALLS = 4
"""Most calls kept of one turn. The model does not see the dropped ones in its history."""
MOST_ERRORS = 4
"""Turns in a row with wrong calls only after which a model is not asked again."""
PROPOSES = "You cannot enter meetings into the calendar; propose times in a reply."
ENTERS = "Enter a meeting with schedule_meeting only at a time that everybody has agreed to; else propose times in a reply."
CALL_A_TOOL = "You did not call a tool. Call one; if nothing is left to do, call Done."


async def llm_call(state: MailState, deps: Deps) -> Update:
    """Adds the model's next turn to the conversation.

    A model that cannot do this hands the mail to the pipeline, unless the owner already decided something here.
    """
    try:
        return await _spoken(state, deps)
    except (ModelUnavailable, CapReached) as error:
        if state.get("review_id") or (state.get("feedback") and not isinstance(error, UnusableAnswer)):
            raise
        return {"route": Route.PIPELINE.value}


async def _spoken(state: MailState, deps: Deps) -> Update:
    """The model's next turn. Raises `UnusableAnswer` for one that comes to no end or only makes wrong calls."""
    gateway = deps.model_for(Tier.AGENT)
    if gateway is None:
        raise NotAllowed("The response agent needs a language model, and none is configured.")
    deps.check_leaving(ThreadId(state["thread_id"]))
    talk, sends = _with_remarks(state, deps)
    most = MOST_TURNS if state.get("review_id") else TURNS_ALONE
    since = turns(talk) - MOST_ERRORS
    last = [one.result for one in log_of(talk) if one.iteration > since]
    only_errors = since >= 0 and bool(last) and all(isinstance(one, Mapping) and one.get("error") for one in last)
    if turns(talk) >= most or only_errors:
        raise UnusableAnswer(Cause.AGENT_WITHOUT_END, gateway.model, turns(talk))
    specs = [spec_of(one) for one in offered(deps, AccountId(state["account_id"])).values()]
    seen: Update = {}
    before = state.get("tool_results", {})
    if deps.calendar is not None and CHECK_CALENDAR not in before:  # read once, so that most mails need no turn for it
        message = deps.corpus.message(message_id_of(state))
        with suppress(ExpectedError):  # the tool is there, and tells the model why it cannot be read
            arguments, result = await check_calendar(message, deps.corpus.account(message.account_id), deps)
            outcome = ToolOutcome(arguments=arguments, result=result, error="", latency_ms=0.0)
            seen = {"tool_results": {**before, CHECK_CALENDAR: outcome}}
    asked = [*request(cast(MailState, {**state, **seen}), deps), *talk]
    turn = await required_turn(gateway, run_id_of(state), asked, specs, CALL_A_TOOL, rationed=True)
    if not turn.calls:
        raise UnusableAnswer(Cause.NO_TOOL_CALLED, gateway.model)
    talk = with_turn(talk, turn.text, turn.calls[:MOST_CALLS], state.get("stretch", ""))
    return {**seen, "messages": dump(talk), "sends": sends}


def request(state: MailState, deps: Deps) -> list[ChatMessage]:
    """The messages before the conversation: system prompt and the fenced conversation of the mail."""
    message = deps.corpus.message(message_id_of(state))
    account = deps.corpus.account(message.account_id)
    thread = deps.corpus.thread(message.thread_id)
    place = next((at for at, one in enumerate(thread) if one.id == message.id), len(thread))
    earlier = thread[:place][-EARLIER_MAILS:]
    blocks = [fence(message_text(one, EARLIER_LIMIT), f"mail {one.id}", one) for one in earlier]
    if calendar := calendar_text(state, message, deps):
        blocks.append(fence(calendar, "calendar"))
    task = f"Respond to mail {message.id}. It was sorted as {state['classification']}."
    if note := note_about_sender(message, deps):
        task = f"{task} {note}"
    available = offered(deps, message.account_id)
    names = ("response_preferences", "cal_preferences")
    system = owner_prompt(
        deps,
        account,
        "responder",
        now=f"{deps.clock().astimezone(deps.time_zone):%A %d-%m-%Y %H:%M %Z} ({zone_name(deps.time_zone, deps.clock())})",
        meetings=ENTERS if SCHEDULE_MEETING in available else PROPOSES,
        tools="\n".join(f"- {name}: {one.description}" for name, one in available.items()),
        signature=signature_rule(account),
        **{name: deps.memory.read(message.account_id, name) if deps.memory else "" for name in names},
    )
    return chat(system, *blocks, fence(message_text(message), f"mail {message.id}", message), task)


def _with_remarks(state: MailState, deps: Deps) -> tuple[list[ChatMessage], list[int]]:
    """Adds the owner's remarks: before the first turn, or with an approval that was taken back.

    Also returns the reviews of the replies that were not taken back.
    """
    talk = load(state)
    if not talk and state.get("feedback"):
        talk = with_words(talk, state["feedback"])
    standing = []
    for review_id in state.get("sends", []):
        decided = deps.desk.decision(ReviewId(review_id))
        if decided is not None and decided.action == Action.RESPOND:
            booked = request_of(deps.desk.review(ReviewId(review_id)).proposal.request_json)[0] == SCHEDULE_MEETING
            what = "meeting back that you proposed" if booked else "reply back that you wrote"
            talk = with_words(talk, f"I took the {what}. {decided.text}")
        else:
            standing.append(review_id)
    return talk, standing
