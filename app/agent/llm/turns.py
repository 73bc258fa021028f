"""The gateway's interface: messages, tool calls, turns and the error for unusable answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from app.domain.error_texts import ErrorText
from app.domain.errors import ModelUnavailable
from app.domain.ids import RunId
from app.domain.mail.triage import Triage
from app.domain.record import Record


class ToolCall(Record):
    """A tool call by the model. Unreadable arguments become an empty object."""

    id: str
    name: str
    arguments: dict[str, Any]


class ToolTurn(Record):
    """One answer in a conversation with tools."""

    text: str
    calls: tuple[ToolCall, ...]


class UnusableAnswer(ModelUnavailable):
    """The model's answers could not be used. Concerns this mail only; others may succeed."""

    code = ModelUnavailable.code


class ModelMisconfigured(ModelUnavailable):
    """The provider refused the key or does not know the model. No call succeeds until the settings change."""

    code = ModelUnavailable.code


ChatMessage = dict[str, Any]
"""One message in OpenAI's chat format, as litellm takes it."""


JsonSchema = Mapping[str, Any]

FaultOf = Callable[[Mapping[str, Any]], str]
"""What is wrong with an answer of the right form, for the model to read; empty for nothing."""


class ModelGateway(Protocol):
    """A configured language model. Every call raises `ModelUnavailable` or `CapReached`."""

    @property
    def model(self) -> str:
        """The litellm model id."""

    async def closed(self) -> bool:
        """Whether no call may be made now: no key, a cap reached, or the provider left alone after failures."""

    @property
    def in_doubt(self) -> bool:
        """Whether the last call failed, so that the next one shows whether the provider is back."""

    @property
    def refusal(self) -> ErrorText:
        """Why no call succeeds until the settings change; empty while one may."""

    def spare(self) -> bool:
        """Takes a second call about the same mail out of those that are left."""

    async def weighed(self, local: Triage, said: Triage) -> Triage:
        """The verdict that counts where a model judged too."""

    async def structured(
        self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage], schema: JsonSchema, fault: FaultOf | None = None
    ) -> dict[str, Any]:
        """An object that fits `schema` and has no `fault`, after at most one repair."""

    async def tools(
        self, run_id: RunId, call_type: str, messages: Sequence[ChatMessage], tools: Sequence[JsonSchema], required: bool
    ) -> ToolTurn:
        """One turn with `tools` in OpenAI's function format. `required` asks for a tool call, but a model may still make none."""
