"""What a model answered: JSON that fits a schema, or tool calls. Refuses anything else, naming what is wrong with it."""

import json
from collections.abc import Mapping
from typing import Any

from app.agent.schemas import misfits
from app.agent.turns import ToolCall, ToolTurn


class NotFitting(ValueError):
    """An answer that is not what was asked for; the message goes back to the model."""


def parse_object(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON object in `text`, fences and words around it left out. Raises `NotFitting`."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise NotFitting("There is no JSON object in it.")
    try:
        found = json.loads(text[start : end + 1], strict=False)
    except (ValueError, RecursionError) as error:
        raise NotFitting(f"It is not valid JSON: {error}") from error
    if problems := misfits(schema, found, "object"):
        raise NotFitting("; ".join(problems))
    fitting: dict[str, Any] = found
    return fitting


def tool_turn(message: Any) -> ToolTurn:
    """litellm's message as ours."""
    calls = tuple(
        ToolCall(str(one.id), str(one.function.name or ""), _arguments(one.function.arguments))
        for one in message.tool_calls or ()
    )
    back: dict[str, Any] = {"role": "assistant", "content": message.content or ""}
    if calls:
        back["tool_calls"] = [
            {"id": one.id, "type": "function", "function": {"name": one.name, "arguments": json.dumps(one.arguments)}}
            for one in calls
        ]
    return ToolTurn(message.content or "", calls, back)


def _arguments(text: str | None) -> dict[str, Any]:
    """Arguments as an object; anything else is empty."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
