"""The response agent's tools: their schemas, which are available now, and the calls of its conversation.

`check_calendar` needs a readable calendar, `schedule_meeting` a writable one of the mail's account. `agent.runtime.conversation`
writes the conversation: the calls of the last turn, their results, and what the owner typed. It holds no mail, which is read from
the store for each request.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from app.agent.agents.calls import QUESTION, CallStatus
from app.agent.llm.turns import ChatMessage, JsonSchema
from app.agent.runtime.conversation import OWNER_SAYS, last_calls
from app.agent.runtime.dependencies import Deps
from app.agent.tools.registry import an_object
from app.domain.agents.tools import ToolDefinition, always
from app.domain.drafting.meeting import LONGEST_TITLE, MOST_GUESTS, SCHEDULE_MEETING
from app.domain.ids import AccountId
from app.domain.policy.policy import Effect

DONE = "Done"

Result = Mapping[str, Any]


def results(talk: Sequence[ChatMessage]) -> dict[str, Result]:
    return {one["tool_call_id"]: json.loads(one["content"]) for one in talk if one["role"] == "tool"}


def settled(talk: Sequence[ChatMessage]) -> bool:
    """Whether the model may be done: all other calls of the last turn are queued."""
    known = results(talk)
    others = [known.get(one.id) for one in last_calls(talk, DONE) if one.name != DONE]
    return all(one is not None and one["status"] == CallStatus.QUEUED for one in others)


def owner_words(talk: Sequence[ChatMessage]) -> str:
    """Everything the owner typed in this conversation."""
    said = [one["content"].removeprefix(OWNER_SAYS) for one in talk if one["role"] == "user"]
    heard = [str(one.get("feedback") or one.get("answer") or "") for one in results(talk).values()]
    return "\n".join(filter(None, said + heard))


SEND_EMAIL = "send_email"
CHECK_CALENDAR = "check_calendar"

LONGEST_TEXT = 12000
LONGEST_SUBJECT = 300
MOST_DATES = 14
MOST_RECIPIENTS = 10
ADDRESS = r'^[^\x00-\x20\x7f@,;:<>()"]+@[^\x00-\x20\x7f@,;:<>()"]+$'
DATE = r"^\d{2}-\d{2}-\d{4}$"
LOCAL_TIME = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$"


def _text(description: str, **more: object) -> JsonSchema:
    return {"type": "string", "description": description, **more}


_DEFINITIONS = (
    ToolDefinition(
        SEND_EMAIL,
        "Propose a reply, or with an empty email_id and a subject a new mail. The owner sees it first and may change it; "
        "it leaves later.",
        an_object(
            ("email_id", "response_text", "email_address"),
            email_id=_text("The number of the mail that is answered, as its block names it; empty for a new mail."),
            response_text=_text("The words of the reply.", minLength=1, maxLength=LONGEST_TEXT),
            email_address=_text("The address the reply goes to.", pattern=ADDRESS),
            subject=_text("The subject of a new mail; a reply keeps that of its conversation.", maxLength=LONGEST_SUBJECT),
            additional_recipients={
                "type": "array",
                "items": {"type": "string", "pattern": ADDRESS},
                "maxItems": MOST_RECIPIENTS,
                "description": "Addresses that get a copy; none unless the mail calls for it.",
            },
        ),
        Effect.SEND,
    ),
    ToolDefinition(
        CHECK_CALENDAR,
        "Read when the owner is busy on some days.",
        an_object(
            ("dates",),
            dates={
                "type": "array",
                "items": {"type": "string", "pattern": DATE},
                "minItems": 1,
                "maxItems": MOST_DATES,
                "description": "The days, each as DD-MM-YYYY.",
            },
        ),
        Effect.READ,
    ),
    ToolDefinition(
        SCHEDULE_MEETING,
        "Propose a meeting in the owner's calendar. The owner sees it first and may change it; then the guests are invited.",
        an_object(
            ("attendees", "title", "start_time", "end_time", "organizer_email", "timezone"),
            attendees={
                "type": "array",
                "items": {"type": "string", "pattern": ADDRESS},
                "minItems": 1,
                "maxItems": MOST_GUESTS,
                "description": "Addresses of the guests, without the owner's.",
            },
            title=_text("What the meeting is called.", minLength=1, maxLength=LONGEST_TITLE),
            start_time=_text("When it begins, wall-clock time in the time zone.", pattern=LOCAL_TIME),
            end_time=_text("When it ends, in the same form.", pattern=LOCAL_TIME),
            organizer_email=_text("The owner's address.", pattern=ADDRESS),
            timezone=_text("The time zone's IANA name, such as Europe/Prague.", minLength=1, maxLength=60),
        ),
        Effect.CALENDAR,
        ("attendees",),
        ("title",),
    ),
    ToolDefinition(
        QUESTION,
        "Ask the owner for what only the owner knows.",
        an_object(("content",), content=_text("The question.", minLength=1, maxLength=2000)),
        Effect.LOCAL_WRITE,
        asks_when=always,
    ),
    ToolDefinition(DONE, "Say that everything is done.", an_object((), done={"type": "boolean"}), Effect.READ),
)
TOOLS = {one.name: one for one in _DEFINITIONS}


def offered(deps: Deps, account_id: AccountId) -> dict[str, ToolDefinition]:
    """The tools whose services are available."""
    missing = set() if deps.calendar is not None else {CHECK_CALENDAR}
    if not deps.may_schedule(account_id):
        missing.add(SCHEDULE_MEETING)
    return {name: tool for name, tool in TOOLS.items() if name not in missing}
