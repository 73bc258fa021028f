"""An agent's conversation with its model, kept in the state as one JSON text in OpenAI's message format.

Holds no mail but what tools returned. Call ids are ours, since a model may reuse its own. Pure: every change returns a new
conversation.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from app.agent.llm.turns import ChatMessage, ModelGateway, ToolCall, ToolTurn
from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import MailState, message_id_of, run_id_of
from app.domain.agents.runs import LoggedCall, ToolExecution
from app.domain.drafting.review import ToolStep
from app.domain.ids import RunId

log = logging.getLogger(__name__)

OWNER_SAYS = "The owner says: "


def load(state: MailState) -> list[ChatMessage]:
    messages: list[ChatMessage] = json.loads(state.get("messages") or "[]")
    return messages


def dump(talk: Sequence[ChatMessage]) -> str:
    return json.dumps(list(talk), ensure_ascii=False)


def with_words(talk: Sequence[ChatMessage], words: str) -> list[ChatMessage]:
    """Adds a text by the owner that is not about one call."""
    return [*talk, {"role": "user", "content": f"{OWNER_SAYS}{words}"}]


def turns(talk: Sequence[ChatMessage]) -> int:
    return sum(1 for one in talk if one["role"] == "assistant")


def made_call(call_id: str, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    text = whole(json.dumps(dict(arguments), ensure_ascii=False))
    return {"id": call_id, "type": "function", "function": {"name": whole(name)[:200], "arguments": text}}


def call_of(made: Mapping[str, Any]) -> ToolCall:
    return ToolCall(made["id"], made["function"]["name"], json.loads(made["function"]["arguments"]))


def with_arguments(talk: Sequence[ChatMessage], call_id: str, arguments: Mapping[str, Any]) -> list[ChatMessage]:
    """Replaces the arguments of one call by those the owner approved."""
    changed: list[ChatMessage] = []
    for one in talk:
        calls = [
            made_call(call_id, made["function"]["name"], arguments) if made["id"] == call_id else made
            for made in one.get("tool_calls", ())
        ]
        changed.append({**one, "tool_calls": calls} if calls else one)
    return changed


def whole(text: str) -> str:
    """Replaces lone surrogates, which JSON can carry but UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")


MOST_CALLS = 16
"""Calls of one turn that run, one after another. The model is told that the rest did not run."""

CHARACTERS_A_TOKEN = 3.5


def with_turn(talk: Sequence[ChatMessage], text: str, calls: Sequence[ToolCall], stretch: str = "") -> list[ChatMessage]:
    """Adds the model's turn with our own call ids. `stretch` is their prefix for a run that continues from a row."""
    number = turns(talk) + 1
    said: ChatMessage = {"role": "assistant", "content": whole(text)}
    if len(calls) > MOST_CALLS:
        log.warning("turn %d of a model has %d calls; %d of them run", number, len(calls), MOST_CALLS)
        left = f"Not run: {whole(', '.join(one.name for one in calls[MOST_CALLS:]))[:300]}. Make them again if needed."
        told = f"(Only the first {MOST_CALLS} of these {len(calls)} calls ran. {left})"
        said["content"] = f"{said['content']}\n\n{told}".strip()
    if calls:
        said["tool_calls"] = [
            made_call(f"{stretch}c{number}_{at}", one.name, one.arguments) for at, one in enumerate(calls[:MOST_CALLS], start=1)
        ]
    return [*talk, said]


def with_result(talk: Sequence[ChatMessage], call: ToolCall, result: Any) -> list[ChatMessage]:
    """Adds a call's result. A value that is no object is wrapped as `{"result": value}`."""
    shown = result if isinstance(result, Mapping) else {"result": result}
    content = whole(json.dumps(shown, ensure_ascii=False))
    return [*talk, {"role": "tool", "tool_call_id": call.id, "name": call.name, "content": content}]


def last_calls(talk: Sequence[ChatMessage], last: str = "") -> tuple[ToolCall, ...]:
    """The calls of the model's last turn in order, those of the tool `last` after the others."""
    spoken = next((one for one in reversed(talk) if one["role"] == "assistant"), {})
    return tuple(sorted(map(call_of, spoken.get("tool_calls", ())), key=lambda one: one.name == last))


def next_call(talk: Sequence[ChatMessage], last: str = "") -> ToolCall | None:
    """The first call of the last turn that has no result yet."""
    known = {one["tool_call_id"] for one in talk if one["role"] == "tool"}
    return next((one for one in last_calls(talk, last) if one.id not in known), None)


def final_message(talk: Sequence[ChatMessage]) -> str:
    """The model's last non-empty text."""
    return next((one["content"] for one in reversed(talk) if one["role"] == "assistant" and one["content"].strip()), "")


def log_of(talk: Sequence[ChatMessage]) -> tuple[LoggedCall, ...]:
    """Every call that has a result, in order, with the number of its turn."""
    results = {one["tool_call_id"]: json.loads(one["content"]) for one in talk if one["role"] == "tool"}
    spoken = [one for one in talk if one["role"] == "assistant"]
    return tuple(
        LoggedCall(call.name, call.arguments, results[call.id], iteration)
        for iteration, one in enumerate(spoken, start=1)
        for call in map(call_of, one.get("tool_calls", ()))
        if call.id in results
    )


def tool_steps(talk: Sequence[ChatMessage]) -> tuple[ToolStep, ...]:
    """The calls so far, as the review shows them."""
    return tuple(
        ToolStep(
            one.tool,
            json.dumps(one.arguments, ensure_ascii=False),
            json.dumps(one.result, ensure_ascii=False),
            str(one.result.get("error", "")) if isinstance(one.result, dict) else "",
            0.0,
        )
        for one in log_of(talk)
    )


def tokens_spent(talk: Sequence[ChatMessage]) -> int:
    """Estimated tokens of all requests together. Each turn sends everything before it again."""
    total = sent = 0
    for one in talk:
        if one["role"] == "assistant":
            total += sent
        sent += len(json.dumps(one, ensure_ascii=False))
    return round(total / CHARACTERS_A_TOKEN)


async def required_turn(
    gateway: ModelGateway,
    run_id: RunId,
    messages: Sequence[ChatMessage],
    specs: Sequence[Mapping[str, Any]],
    reminder: str,
    rationed: bool = False,
) -> ToolTurn:
    """A turn of a model that must call a tool. Without a call it is asked once more, with the reminder.

    `rationed`: only where a second call is left.
    """
    turn = await gateway.tools(run_id, "agent", messages, specs, required=True)
    if turn.calls or (rationed and not gateway.spare()):
        return turn
    spoken: ChatMessage = {"role": "assistant", "content": turn.text or "(nothing)"}
    again = [*messages, spoken, {"role": "user", "content": reminder}]
    return await gateway.tools(run_id, "agent", again, specs, required=True)


def execution_of(state: MailState, call: ToolCall, result: Any, latency_ms: float, at: datetime) -> ToolExecution:
    """The row of a call that ran. Its error is that of the result, if any."""
    error = str(result.get("error", "")) if isinstance(result, Mapping) else ""
    texts = (json.dumps(call.arguments, ensure_ascii=False), json.dumps(result, ensure_ascii=False))
    return ToolExecution(run_id_of(state), call.id, call.name, *texts, error, latency_ms, at)


MARK_AS_READ = "mark_as_read"


def read_mark(state: MailState, deps: Deps, when: str) -> ToolExecution:
    """The row that has the engine mark the mail as read, once a run, when the run and its sends are done."""
    call = ToolCall(MARK_AS_READ, MARK_AS_READ, {"email_id": str(message_id_of(state))})
    return execution_of(state, call, {"status": when}, 0.0, deps.clock())
