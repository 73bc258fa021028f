"""litellm's exceptions in our words. They do not tell a missing key from a missing network; what we can check, we check first.

Refuses to quote a provider's message: it may repeat the mail.
"""

from app.agent.models.target import Target
from app.agent.trouble import UnusableAnswer
from app.domain.errors import ModelUnavailable

TRANSIENT = frozenset(
    {
        "APIConnectionError",
        "APIError",
        "BadGatewayError",
        "CutOff",
        "InternalServerError",
        "MidStreamFallbackError",
        "RateLimitError",
        "ServiceUnavailableError",
    }
)
"""Names of errors that another attempt may mend. A time-out is not among them: it has cost its time already."""

SETTINGS = "Check the model in Settings."


def transient(error: BaseException) -> bool:
    """Whether to try again."""
    return type(error).__name__ in TRANSIENT


def converted(error: Exception, target: Target) -> ModelUnavailable:
    """The trouble in plain words, with a remedy."""
    model, host = target.model, target.host
    words: dict[str, tuple[str, str]] = {
        "AuthenticationError": (f"{host} refused the key.", "Enter the key again in Settings."),
        "PermissionDeniedError": (f"{host} does not allow this key to use {model}.", SETTINGS),
        "NotFoundError": (f"{host} does not know the model {model}.", SETTINGS),
        "Timeout": (f"{model} did not answer within {target.timeout_s:g} s.", "It will be tried again."),
        "Stalled": (f"{model} sent nothing for {target.timeout_s:g} s.", "It will be tried again."),
        "CutOff": (f"{host} stopped in the middle of an answer.", "It will be tried again."),
        "MidStreamFallbackError": (f"{host} stopped in the middle of an answer.", "It will be tried again."),
        "RateLimitError": (f"{host} turned the call down: too many calls, or the quota is used up.", "It will be tried again."),
        "APIConnectionError": (f"{host} does not answer.", "Check that the model runs and that its address is right."),
        "LiteLLMUnknownProvider": (f"The model id {model} names no provider.", "Write it as provider/model."),
        "NoAnswer": (f"{host} answered with nothing.", SETTINGS),
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
    """Whether the server refuses structured output as such; the schema then goes into the request's words."""
    text = str(error).lower()
    return type(error).__name__ in ("BadRequestError", "UnsupportedParamsError", "UnprocessableEntityError") and (
        "response_format" in text or "json_schema" in text
    )
