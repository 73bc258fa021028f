"""Imports and configures litellm, converts its errors, and estimates prices from its price list.

Importing litellm takes seconds and 180 MB, so it happens only when a model is configured, and in a thread. Configured off: the
price list from the network, telemetry, messages in logs, and litellm's own retries.
"""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from types import ModuleType
from typing import Any

from app.agent.llm.outgoing import measure_httpx
from app.agent.llm.target import ModelTarget
from app.agent.llm.turns import ModelMisconfigured, UnusableAnswer
from app.domain.error_texts import Cause
from app.domain.errors import ModelUnavailable
from app.domain.record import Record

OLLAMA = frozenset({"ollama", "ollama_chat"})

FORCED_ENVIRONMENT = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False", "DISABLE_AIOHTTP_TRANSPORT": "True"}


class LiteLlm(Record):
    """The configured litellm module. `error_class` is the base class of its errors."""

    litellm: ModuleType
    error_class: type[Exception]

    def know(self, target: ModelTarget) -> None:
        """Tells litellm of a model that its list lacks.

        Else it asks Ollama at each call, and writes the schema for Gemini into the prompt.
        """
        if target.provider not in OLLAMA | {"gemini"} or target.model in self.litellm.model_cost:
            return
        able = ("supports_function_calling", "supports_response_schema", "supports_system_messages", "supports_tool_choice")
        facts: dict[str, Any] = {"litellm_provider": target.provider, "mode": "chat", **dict.fromkeys(able, True)}
        if target.provider in OLLAMA:
            facts |= {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0, "max_tokens": 131_072}
        self.litellm.register_model({target.model: facts})


def load_litellm() -> LiteLlm:
    """Imports and configures litellm. Slow the first time: call it in a thread."""
    os.environ.update(FORCED_ENVIRONMENT)
    import litellm
    import openai
    import openai.resources  # else the first call imports it on the loop, 0.9 s

    measure_httpx()
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


MISCONFIGURED = {
    401: Cause.MODEL_KEY_REFUSED,
    402: Cause.MODEL_ASKS_PAYMENT,
    403: Cause.MODEL_NOT_ALLOWED,
    404: Cause.MODEL_UNKNOWN,
}
"""HTTP status codes after which no call can succeed."""
REJECTED = frozenset({400, 413, 422})
"""HTTP status codes about this request only."""
GRAMMAR_FAILED = frozenset({500, 501})
"""What llama.cpp and others answer where they cannot follow a schema."""
_BY_WORDS = {
    Cause.MODEL_ASKS_PAYMENT: (
        "insufficient_quota",
        "exceeded your current quota",
        "credit balance",
        "insufficient balance",
        "billing",
    ),
    Cause.MODEL_KEY_REFUSED: (
        "api key not valid",
        "invalid api key",
        "incorrect api key",
        "api_key_invalid",
        "invalid x-api-key",
    ),
    Cause.MODEL_UNKNOWN: (
        "invalid model",
        "unknown model",
        "model_not_found",
        "model not found",
        "no such model",
        "not loaded",
        "no models loaded",
    ),
}
"""What servers say with 400 or 429 where the set-up is wrong."""

_TOO_LONG = (
    "context length",
    "context window",
    "too long",
    "too large",
    "maximum context",
    "exceeds the limit",
    "maximum size",
    "num_ctx",
)
_PARAMETERS = {
    "response_format": ("response_format", "json_schema", "response schema", "responseschema", "output_format", "grammar"),
    "temperature": ("temperature",),
    "tool_choice": ("tool_choice", "tool choice"),
    "stream": ("stream_options", "streaming is not", "stream is not"),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "system": ("system role", "system message", "roles must alternate", "developer instruction"),
}
"""Request parameters that a call can do without, and the words by which servers name them in an error.

`system` stands for messages of that role, which some models do not know.
"""

LONGEST_REASON = 400
"""Characters of an error that are read: behind them, some servers repeat the request or the answer."""


class LostError(Exception):
    """An answer with status 422, which litellm 1.106 takes for an empty one."""

    status_code = 422


def lost_error(answers: Sequence[Any]) -> LostError | None:
    """The error behind an empty answer, if the last of these HTTP answers was one."""
    return LostError(answers[-1].text) if answers and answers[-1].status_code == LostError.status_code else None


def status_of(error: BaseException) -> int:
    """The HTTP status of an error, 0 where there was no answer."""
    error = _inner(error)
    if type(error).__name__ in ("Timeout", "APIConnectionError") or "Connection error" in str(error):
        return 0
    if "request too large" in str(error).lower():
        return 413  # litellm takes it for a rate limit
    return int(getattr(error, "status_code", 0) or 0)


def _inner(error: BaseException) -> BaseException:
    """The server's error behind one of litellm's about a stream."""
    inner = getattr(error, "original_exception", None)
    return inner if isinstance(inner, BaseException) and getattr(inner, "status_code", None) else error


def refused_parameter(error: BaseException) -> str:
    """The parameter that the server does not accept, empty for another error."""
    if status_of(error) not in REJECTED | GRAMMAR_FAILED or _says_too_long(error):
        return ""
    text = str(error).lower()[:LONGEST_REASON]
    if status_of(error) in GRAMMAR_FAILED:
        return "response_format" if any(word in text for word in _PARAMETERS["response_format"]) else ""
    return next((name for name, words in _PARAMETERS.items() if any(word in text for word in words)), "")


def _says_too_long(error: BaseException) -> bool:
    named = type(error).__name__ == "ContextWindowExceededError"
    return named or status_of(error) == 413 or any(word in str(error).lower() for word in _TOO_LONG)


_WAIT = re.compile(r"(?:retry|try again) in (\d+(?:\.\d+)?) ?(ms|s)\b", re.IGNORECASE)
"""How Gemini, Groq and others write it into the message."""


def retry_after_s(error: BaseException) -> float | None:
    """Seconds that the server asks to wait, None where it does not."""
    error = _inner(error)
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    more = getattr(error, "litellm_response_headers", None) or getattr(error, "headers", None) or {}
    said = str(headers.get("retry-after") or more.get("retry-after") or "")
    with suppress(ValueError):
        wait_s = float(said)
        return max(0.0, wait_s) if isfinite(wait_s) else None
    if not said and (words := _WAIT.search(str(error))):
        return float(words[1]) / (1000 if words[2] == "ms" else 1)
    with suppress(ValueError, TypeError):
        return max(0.0, (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds())
    return None


def converted(error: Exception, target: ModelTarget) -> ModelUnavailable:
    """The error by its kind, with a text for the user that holds nothing of the mail.

    `UnusableAnswer`: about this mail only. `ModelMisconfigured`: no call can succeed. Any other `ModelUnavailable` passes.
    """
    status, name = status_of(error), type(error).__name__
    if name == "LiteLLMUnknownProvider" or "LLM Provider NOT provided" in str(error):
        return ModelMisconfigured(Cause.MODEL_WITHOUT_PROVIDER, target.model)
    if name == "ContentPolicyViolationError":
        return UnusableAnswer(Cause.MAIL_REFUSED_BY_MODEL, target.model)
    text = str(error).lower()[:LONGEST_REASON]
    if status in REJECTED or status == 429:
        cause = next((cause for cause, words in _BY_WORDS.items() if any(word in text for word in words)), None)
        if cause is not None:
            return _misconfigured(cause, target)
    if status in REJECTED or name == "ContextWindowExceededError":
        return UnusableAnswer(Cause.MAIL_TOO_LONG_FOR_MODEL if _says_too_long(error) else Cause.REQUEST_REJECTED, target.model)
    if status in MISCONFIGURED:
        return _misconfigured(MISCONFIGURED[status], target)
    return ModelUnavailable(*_passing(name, status, target))


def _misconfigured(cause: Cause, target: ModelTarget) -> ModelMisconfigured:
    """A server says the same of a wrong path as of a wrong model, so that its text has the path."""
    return ModelMisconfigured(cause, target.address if cause is Cause.MODEL_UNKNOWN else target.host, target.model)


def _passing(name: str, status: int, target: ModelTarget) -> tuple[Cause, str, str]:
    """What is wrong with the server for now, with the values of its text."""
    if name in ("Timeout", "StreamStalled"):
        return Cause.MODEL_TIMED_OUT if name == "Timeout" else Cause.MODEL_STALLED, target.model, f"{target.timeout_s:g}"
    if name in ("StreamCutOff", "MidStreamFallbackError") and status in (0, 200, 503):
        return Cause.MODEL_CUT_OFF, target.host, ""
    if status == 429:
        return Cause.MODEL_LIMIT_REACHED, target.host, ""
    return Cause.MODEL_SERVER_FAILED if status else Cause.MODEL_NOT_REACHED, target.host, str(status)


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
