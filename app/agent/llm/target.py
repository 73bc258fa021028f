"""Which model is called, at which address, with which key and limits."""

from urllib.parse import SplitResult, urlsplit

from app.config.settings import ModelSettings
from app.domain.agents.model_providers import GGUF, KEYLESS_PREFIXES, LOOPBACK, prefix_of, provider_name
from app.domain.error_texts import Cause
from app.domain.errors import ModelUnavailable
from app.domain.record import Record

NO_KEY = "none"
"""Sent where a client requires a key and the server does not."""


class ModelTarget(Record):
    """A model with its address, key and caps.

    `model` is a litellm model id; an empty `api_base` is the provider's address; a cap of 0 is no cap.
    `max_tokens` and `temperature` are an agent profile's; otherwise the kind of call decides.
    """

    model: str
    api_base: str = ""
    api_key: str = ""
    timeout_s: float = 90.0
    daily_calls: int = 0
    daily_usd: float = 0.0
    monthly_calls: int = 0
    monthly_usd: float = 0.0
    max_tokens: int = 0
    temperature: float | None = None

    @classmethod
    def chosen(cls, model: ModelSettings, key: str) -> "ModelTarget":
        return cls(
            model=model.name,
            api_base=model.api_base,
            api_key=key,
            timeout_s=float(model.timeout_s),
            daily_calls=model.daily_calls,
            daily_usd=model.daily_usd,
            monthly_calls=model.monthly_calls,
            monthly_usd=model.monthly_usd,
        )

    @property
    def provider(self) -> str:
        """The part before the slash; empty where the id has none."""
        return self.model.partition("/")[0] if "/" in self.model else ""

    @property
    def host(self) -> str:
        """Where calls go, as shown and stored: host and port, or the provider's name."""
        if self.provider == GGUF:
            return "localhost"
        return _parts(self.api_base).netloc.rpartition("@")[2] or self.provider or self.model

    @property
    def address(self) -> str:
        """The host and the path of an own address."""
        return self.host + _parts(self.api_base).path

    @property
    def keyless(self) -> bool:
        """Whether the model runs locally, where a call costs nothing."""
        return self.provider in KEYLESS_PREFIXES or (_parts(self.api_base).hostname or "") in LOOPBACK

    def check(self) -> None:
        """Raises `ModelUnavailable` where no call can succeed (no model, bad address, missing key)."""
        if not self.model.strip():
            raise ModelUnavailable("No model is chosen.", "Choose one in Settings.")
        parts = _parts(self.api_base)
        if self.api_base and (parts.scheme not in ("http", "https") or not parts.hostname):
            raise ModelUnavailable(f"The address {self.api_base} is not http or https.", "Mend it in Settings.")
        if not prefix_of(self.model):
            raise ModelUnavailable(Cause.MODEL_WITHOUT_PROVIDER, self.model)
        if not self.api_base and not self.api_key and self.provider not in KEYLESS_PREFIXES:
            raise ModelUnavailable(Cause.MODEL_WITHOUT_KEY, provider_name(self.model))
        if not self.api_key.isascii():  # no header can carry it
            raise ModelUnavailable(Cause.MODEL_KEY_MALFORMED, self.host)


def _parts(address: str) -> SplitResult:
    """The parts of an address; empty ones for an invalid address."""
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("", "", "", "", "")
