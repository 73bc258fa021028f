"""Node `decide`: selects the tools that prepare the reply. The category decides, except for `other`, where a model may choose.

Without a model, the calendar is read wherever a mail asks for a time.

A tool without its service is not available.
"""

from contextlib import suppress

from app.agent.drafting.sources import message_text
from app.agent.drafting.templates import asked_of_owner, asks_for_time
from app.agent.llm.prompts import chat, fence, prompt
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import MailState, Update, message_id_of, run_id_of
from app.domain.errors import CapReached, ModelUnavailable
from app.domain.mail.message import Message
from app.domain.mail.triage import Category
from app.domain.policy.policy import Effect

CHECK_CALENDAR = "check_calendar"
GET_CONTACT = "get_contact"
CREATE_DRAFT = "create_draft"

PIPELINE_TOOLS = {CHECK_CALENDAR: Effect.READ, GET_CONTACT: Effect.READ, CREATE_DRAFT: Effect.LOCAL_WRITE}
"""All tools of the pipeline."""

PURPOSES = {
    CHECK_CALENDAR: "read when the owner is busy in the next four weeks and on the days the mail names",
    GET_CONTACT: "read how often and when the owner wrote with the sender",
}
"""The tools a model may choose. `create_draft` always runs."""

BY_CATEGORY: dict[Category, tuple[str, ...]] = {
    Category.MEETING_REQUEST: (CHECK_CALENDAR, GET_CONTACT, CREATE_DRAFT),
    Category.COMPLAINT: (GET_CONTACT, CREATE_DRAFT),
    Category.INQUIRY: (GET_CONTACT, CREATE_DRAFT),
    Category.FOLLOW_UP: (GET_CONTACT, CREATE_DRAFT),
    Category.SPAM: (),
}

ONLY_IF_KNOWN = frozenset({Category.INQUIRY, Category.OTHER})
"""Categories where `get_contact` runs for known senders only."""


async def decide(state: MailState, deps: Deps) -> Update:
    """Selects the tools in the order they run."""
    message = deps.corpus.message(message_id_of(state))
    category = Category(state["classification"])
    known = deps.corpus.contact(message.account_id, message.sender.email) is not None
    offered = available(category, known, deps)
    # a category that is still open is not worth a call
    by_rule = deps.gateway is None or bool(state.get("without_model") or state.get("verdict_open"))
    if by_rule and category is not Category.SPAM and _asks_for_time(message, deps):
        return {"selected_tools": [tool for tool in (CHECK_CALENDAR, GET_CONTACT, CREATE_DRAFT) if tool in offered]}
    if category in BY_CATEGORY:
        return {"selected_tools": [tool for tool in BY_CATEGORY[category] if tool in offered]}
    if not by_rule:
        with suppress(ModelUnavailable, CapReached):  # the choice by rule does as well; `generate` notes what is missing
            return {"selected_tools": [*await _chosen(state, message, offered, deps), CREATE_DRAFT]}
    return {"selected_tools": [tool for tool in (GET_CONTACT, CREATE_DRAFT) if tool in offered]}


def _asks_for_time(message: Message, deps: Deps) -> bool:
    wanted = asked_of_owner(message, deps.corpus.account(message.account_id))
    return any(map(asks_for_time, wanted))


def available(category: Category, known: bool, deps: Deps) -> frozenset[str]:
    """The tools whose services are available."""
    missing = set() if deps.calendar else {CHECK_CALENDAR}
    if not known and category in ONLY_IF_KNOWN:
        missing.add(GET_CONTACT)
    return frozenset(PIPELINE_TOOLS) - missing


async def _chosen(state: MailState, message: Message, offered: frozenset[str], deps: Deps) -> list[str]:
    """The model's choice, from one structured call. No call when there is nothing to choose."""
    assert deps.gateway is not None
    deps.check_leaving(message.thread_id)
    choices = [tool for tool in PURPOSES if tool in offered]
    if not choices:
        return []
    schema = {
        "type": "object",
        "properties": {"tools": {"type": "array", "items": {"type": "string", "enum": choices}, "uniqueItems": True}},
        "required": ["tools"],
        "additionalProperties": False,
    }
    listed = "\n".join(f"- {tool}: {PURPOSES[tool]}" for tool in choices)
    system = prompt(deps.prompts, "decide", tools=listed, category=state["classification"])
    answer = await deps.gateway.structured(
        run_id_of(state), "plan", chat(system, fence(message_text(message), "mail", message)), schema
    )
    return [tool for tool in choices if tool in answer["tools"]]
