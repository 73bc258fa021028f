"""A run's conversation with its model, as both kinds of agents keep it: one JSON text in the state, in OpenAI's forms.

Pure: every change makes a new conversation. Refuses to know tools and what calls are for.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from app.agent.deps import ChatMessage
from app.agent.state import MailState
from app.agent.turns import ToolCall

OWNER_SAYS = "The owner says: "


def load(state: MailState) -> list[ChatMessage]:
    """The conversation so far."""
    messages: list[ChatMessage] = json.loads(state.get("messages") or "[]")
    return messages


def dump(talk: Sequence[ChatMessage]) -> str:
    """For the state."""
    return json.dumps(list(talk), ensure_ascii=False)


def turns(talk: Sequence[ChatMessage]) -> int:
    """How often the model has spoken."""
    return sum(1 for one in talk if one["role"] == "assistant")


def with_words(talk: Sequence[ChatMessage], words: str) -> list[ChatMessage]:
    """Something the owner said apart from any call."""
    return [*talk, {"role": "user", "content": f"{OWNER_SAYS}{words}"}]


def made_call(call_id: str, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """A call in OpenAI's form."""
    text = whole(json.dumps(dict(arguments), ensure_ascii=False))
    return {"id": call_id, "type": "function", "function": {"name": whole(name)[:200], "arguments": text}}


def call_of(made: Mapping[str, Any]) -> ToolCall:
    """A call in OpenAI's form as ours."""
    return ToolCall(made["id"], made["function"]["name"], json.loads(made["function"]["arguments"]))


def with_arguments(talk: Sequence[ChatMessage], call_id: str, arguments: Mapping[str, Any]) -> list[ChatMessage]:
    """The same conversation, in which one call was made with the arguments that the owner approved."""
    return [
        {**one, "tool_calls": [_with(made, call_id, arguments) for made in one["tool_calls"]]} if one.get("tool_calls") else one
        for one in talk
    ]


def whole(text: str) -> str:
    """Text without halves of characters, which JSON can carry and nothing else takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _with(made: dict[str, Any], call_id: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return made_call(call_id, made["function"]["name"], arguments) if made["id"] == call_id else made
