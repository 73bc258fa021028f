"""What the response agent reads from its conversation: the calls of the last turn, their results, and what the owner typed.

`agent.runtime.conversation` writes it. It holds no mail: that is read from the store for each request.
"""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from app.agent.llm.turns import ChatMessage, ToolCall
from app.agent.runtime.conversation import OWNER_SAYS, call_of

DONE = "Done"

Result = Mapping[str, Any]


class CallStatus(StrEnum):
    """What became of a call, as the model gets it."""

    QUEUED = "queued"
    FEEDBACK = "feedback"
    ANSWER = "answer"
    IGNORED = "ignored"
    READ = "read"
    ERROR = "error"


def last_calls(talk: Sequence[ChatMessage]) -> tuple[ToolCall, ...]:
    """The calls of the model's last turn in order, with `Done` last."""
    spoken = next((one for one in reversed(talk) if one.get("tool_calls")), None)
    calls = [call_of(one) for one in spoken["tool_calls"]] if spoken else []
    return tuple(sorted(calls, key=lambda one: one.name == DONE))


def next_call(talk: Sequence[ChatMessage]) -> ToolCall | None:
    """The first call of the last turn without a result."""
    known = results(talk)
    return next((one for one in last_calls(talk) if one.id not in known), None)


def results(talk: Sequence[ChatMessage]) -> dict[str, Result]:
    """Results by call id."""
    return {one["tool_call_id"]: json.loads(one["content"]) for one in talk if one["role"] == "tool"}


def settled(talk: Sequence[ChatMessage]) -> bool:
    """Whether the model may be done: all other calls of the last turn are queued."""
    known = results(talk)
    others = [known.get(one.id) for one in last_calls(talk) if one.name != DONE]
    return all(one is not None and one["status"] == CallStatus.QUEUED for one in others)


def owner_words(talk: Sequence[ChatMessage]) -> str:
    """Everything the owner typed in this conversation."""
    said = [one["content"].removeprefix(OWNER_SAYS) for one in talk if one["role"] == "user"]
    heard = [str(one.get("feedback") or one.get("answer") or "") for one in results(talk).values()]
    return "\n".join(filter(None, said + heard))
