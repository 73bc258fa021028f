"""Node `llm_call`: one turn of the model, which must call a tool.

A turn without a call is asked again once. A second one is unusable, and the mail goes to the pipeline.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import cast

from app.agent.agents.pipeline.tools import check_calendar
from app.agent.agents.responder.tools import offered, zone_name
from app.agent.drafting.model_request import EARLIER_LIMIT, EARLIER_MAILS, calendar_text, note_about_sender, signature_rule
from app.agent.drafting.sources import message_text
from app.agent.llm.prompts import chat, fence
from app.agent.llm.turns import ChatMessage, UnusableAnswer
from app.agent.runtime.conversation import dump, load, log_of, required_turn, turns, with_turn, with_words
from app.agent.runtime.dependencies import Deps, Tier, owner_prompt
from app.agent.runtime.state import MailState, ToolOutcome, Update, message_id_of, run_id_of
from app.agent.tools.registry import spec_of
from app.domain.agents.runs import Route
from app.domain.drafting.meeting import CHECK_CALENDAR, SCHEDULE_MEETING
from app.domain.drafting.review import Action, request_of
from app.domain.error_texts import Cause
from app.domain.errors import CapReached, ExpectedError, ModelUnavailable, NotAllowed
from app.domain.ids import AccountId, ReviewId, ThreadId

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
