"""Parses a model's answer: a JSON object that fits a schema, tool calls, or a stream of pieces.

The timeout of a stream counts from piece to piece, so that a slow local model may take its time while it keeps sending.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from app.agent.llm.schemas import misfits
from app.agent.llm.turns import ToolCall, ToolTurn


class AnswerFormatError(ValueError):
    """An answer in the wrong format. The message goes back to the model."""


def parse_object(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON object in `text`, ignoring code fences and text around it. Raises `AnswerFormatError`."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise AnswerFormatError("There is no JSON object in it.")
    try:
        found = json.loads(text[start : end + 1], strict=False)
    except (ValueError, RecursionError) as error:
        raise AnswerFormatError(f"It is not valid JSON: {error}") from error
    if problems := misfits(schema, found, "object"):
        raise AnswerFormatError("; ".join(problems))
    fitting: dict[str, Any] = found
    return fitting


def tool_turn(message: Any) -> ToolTurn:
    """Converts litellm's message."""
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
    """Arguments as an object; empty for invalid JSON or other types."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


class StreamCutOff(Exception):
    """The stream ended before the answer was complete."""


class StreamStalled(Exception):
    """No piece came within the timeout."""


class NotStreamed(Exception):
    """The server sent no stream although one was requested."""


async def gathered(stream: AsyncIterator[Any], timeout_s: float) -> list[Any]:
    """All pieces of a complete answer. Raises `StreamCutOff`, `StreamStalled`, `NotStreamed`, and what the stream raises."""
    pieces: list[Any] = []
    whole = False
    try:
        while (piece := await _next(stream, timeout_s)) is not None:
            pieces.append(piece)
            whole = whole or any(choice.finish_reason for choice in piece.choices)
    except BaseException:
        await _close(stream)
        raise
    if not pieces:
        raise NotStreamed
    if not whole:
        raise StreamCutOff
    return pieces


async def _next(stream: AsyncIterator[Any], timeout_s: float) -> Any | None:
    """The next piece, None at the end."""
    try:
        async with asyncio.timeout(timeout_s):
            return await anext(stream, None)
    except TimeoutError:
        raise StreamStalled from None


async def _close(stream: AsyncIterator[Any]) -> None:
    """Releases the connection. A plain generator has none."""
    close = getattr(stream, "aclose", None)
    if close is not None:
        await close()
