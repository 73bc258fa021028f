"""Imports and configures litellm, converts its errors, and estimates prices from its price list.

Importing litellm takes seconds and 180 MB, so it happens only when a model is configured, and in a thread. Configured off: the
price list from the network, telemetry, messages in logs, and litellm's own retries.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from app.agent.llm.target import ModelTarget
from app.agent.llm.turns import UnusableAnswer
from app.domain.errors import ModelUnavailable

FORCED_ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_TELEMETRY": "False",
    "DISABLE_AIOHTTP_TRANSPORT": "True",
}


@dataclass(frozen=True, slots=True)
class LiteLlm:
    """The configured litellm module. `error_class` is the base class of its errors."""

    litellm: ModuleType
    error_class: type[Exception]

    def cost_usd(self, response: Any) -> float:
        """The price of a response in US dollars; 0 where litellm does not know the model."""
        hidden = getattr(response, "_hidden_params", None) or {}
        return float(hidden.get("response_cost") or 0.0)


def load_litellm() -> LiteLlm:
    """Imports and configures litellm. Slow the first time: call it in a thread."""
    os.environ.update(FORCED_ENVIRONMENT)
    import litellm
    import openai

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = True
    litellm.num_retries = 0
    litellm.disable_aiohttp_transport = True
    litellm.turn_off_message_logging = True
    return LiteLlm(litellm, openai.OpenAIError)


async def close_litellm() -> None:
    """Closes litellm's connections. Does nothing where it was never imported."""
    if "litellm" in sys.modules:
        await load_litellm().litellm.close_litellm_async_clients()


TRANSIENT = frozenset(
    {
        "APIConnectionError",
        "APIError",
        "BadGatewayError",
        "StreamCutOff",
        "InternalServerError",
        "MidStreamFallbackError",
        "RateLimitError",
        "ServiceUnavailableError",
    }
)
"""Names of errors that are retried. A timeout is not: it has already cost its time."""

SETTINGS = "Check the model in Settings."


def transient(error: BaseException) -> bool:
    """Whether to try again."""
    return type(error).__name__ in TRANSIENT


def converted(error: Exception, target: ModelTarget) -> ModelUnavailable:
    """The error as `ModelUnavailable` (or `UnusableAnswer`) with a sentence for the user and a remedy."""
    model, host = target.model, target.host
    words: dict[str, tuple[str, str]] = {
        "AuthenticationError": (f"{host} refused the key.", "Enter the key again in Settings."),
        "PermissionDeniedError": (f"{host} does not allow this key to use {model}.", SETTINGS),
        "NotFoundError": (f"{host} does not know the model {model}.", SETTINGS),
        "Timeout": (f"{model} did not answer within {target.timeout_s:g} s.", "It will be tried again."),
        "StreamStalled": (f"{model} sent nothing for {target.timeout_s:g} s.", "It will be tried again."),
        "StreamCutOff": (f"{host} stopped in the middle of an answer.", "It will be tried again."),
        "MidStreamFallbackError": (f"{host} stopped in the middle of an answer.", "It will be tried again."),
        "RateLimitError": (f"{host} turned the call down: too many calls, or the quota is used up.", "It will be tried again."),
        "APIConnectionError": (f"{host} does not answer.", "Check that the model runs and that its address is right."),
        "LiteLLMUnknownProvider": (f"The model id {model} names no provider.", "Write it as provider/model."),
        "EmptyAnswer": (f"{host} answered with nothing.", SETTINGS),
        "PaymentRequiredError": (f"{host} asks for payment.", "Check the account with the provider."),
    }
    name = type(error).__name__
    if name in ("ContextWindowExceededError", "ContentPolicyViolationError"):
        why = "the mail is too long for it" if name.startswith("Context") else "it refuses this content"
        return UnusableAnswer(f"{model} gave no answer: {why}.")
    if name == "BadRequestError" and "LLM Provider NOT provided" in str(error):
        name = "LiteLLMUnknownProvider"
    if name == "InternalServerError" and "Connection error" in str(error):
        name = "APIConnectionError"
    detail, remedy = words.get(name, (f"{host} failed ({name}).", SETTINGS))
    return ModelUnavailable(detail, remedy)


def rejects_format(error: Exception) -> bool:
    """Whether the server rejects structured output itself; the schema then goes into the prompt."""
    text = str(error).lower()
    return type(error).__name__ in ("BadRequestError", "UnsupportedParamsError", "UnprocessableEntityError") and (
        "response_format" in text or "json_schema" in text
    )


PROMPT_TOKENS = 1800
COMPLETION_TOKENS = 400
"""Typical tokens to classify and answer one mail with the pipeline's prompts."""


def usd_per_mail(target: ModelTarget) -> float | None:
    """Estimated US dollars per mail: 0 for a local model, None for one without a known price.

    Imports litellm, which takes seconds: call it in a thread.
    """
    if target.keyless:
        return 0.0
    return usd_of(load_litellm().litellm.model_cost, target, PROMPT_TOKENS, COMPLETION_TOKENS)


def usd_of(prices: Mapping[str, Any], target: ModelTarget, asked: int, said: int) -> float | None:
    """The price of these token counts in US dollars, None where the price list lacks the model."""
    known = prices.get(target.model)
    if known is None:
        by_name = prices.get(target.model.partition("/")[2]) or {}
        known = by_name if by_name.get("litellm_provider") == target.provider else {}
    each, every = known.get("input_cost_per_token"), known.get("output_cost_per_token")
    if not each and not every:
        return None
    return asked * float(each or 0.0) + said * float(every or 0.0)
