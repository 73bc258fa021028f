"""A model's turn in a conversation with tools, as the gateway gives it and the agents read it.

Expected trouble that only the agents tell apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.domain.errors import ModelUnavailable
from app.domain.ids import RunId


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


class UnusableAnswer(ModelUnavailable):
    """The model answered, and not in the form asked for, twice: this mail's trouble, others may go well."""


ChatMessage = dict[str, Any]
"""One message in OpenAI's chat format, as litellm takes it."""


JsonSchema = Mapping[str, Any]


class ModelGateway(Protocol):
    """A configured language model. Every call raises `ModelUnavailable` or `CapReached`."""

    @property
    def model(self) -> str:
        """The litellm model id."""

    async def structured(
        self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage], schema: JsonSchema
    ) -> dict[str, Any]:
        """An object that fits `schema`, after at most one repair."""

    async def tools(
        self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage], tools: Sequence[JsonSchema], required: bool
    ) -> ToolTurn:
        """One turn with `tools` in OpenAI's function form; `required` asks for a call, and a model may still give none."""
