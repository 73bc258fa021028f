"""A model's turn in a conversation with tools, as the gateway gives it and the agents read it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the model wants to call. Unreadable arguments are an empty object."""

    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolTurn:
    """One answer in a conversation with tools: `message` goes back into the conversation as it is."""

    text: str
    calls: tuple[ToolCall, ...]
    message: dict[str, Any]
