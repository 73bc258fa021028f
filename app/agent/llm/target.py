"""Which model is asked, where, with which key and within which limits."""

from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from app.config.settings import ModelSettings
from app.domain.errors import ModelUnavailable

KEYLESS = frozenset({"ollama", "ollama_chat", "lm_studio", "llamafile", "hosted_vllm", "oobabooga", "xinference"})
"""Providers that run on the user's own machine and ask for no key."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

NO_KEY = "none"
"""Sent where a client insists on a key and the server does not."""


@dataclass(frozen=True, slots=True)
class ModelTarget:
    """`model` is a litellm model id; `api_base` the user's own address, or empty for the provider's; caps of 0 mean none."""

    model: str
    api_base: str = ""
    api_key: str = ""
    timeout_s: float = 90.0
    daily_calls: int = 0
    daily_usd: float = 0.0
    monthly_calls: int = 0
    monthly_usd: float = 0.0
    max_tokens: int = 4096
    temperature: float = 0.3

    @classmethod
    def chosen(cls, model: ModelSettings, key: str) -> "ModelTarget":
        """The model of the settings, with its provider's key."""
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
        """What is shown and kept of where the call goes: host and port, or the provider's name."""
        return _parts(self.api_base).netloc.rpartition("@")[2] or self.provider or self.model

    @property
    def keyless(self) -> bool:
        """Whether the model runs on the user's own machine, where a call costs nothing."""
        return self.provider in KEYLESS or (_parts(self.api_base).hostname or "") in LOOPBACK

    def check(self) -> None:
        """Raise `ModelUnavailable` where no call can work."""
        if not self.model.strip():
            raise ModelUnavailable("No model is chosen.", "Choose one in Settings.")
        parts = _parts(self.api_base)
        if self.api_base and (parts.scheme not in ("http", "https") or not parts.hostname):
            raise ModelUnavailable(f"The address {self.api_base} is not http or https.", "Mend it in Settings.")
        if not self.api_base and not self.api_key and self.provider not in KEYLESS:
            raise ModelUnavailable(f"There is no key for {self.provider or self.model}.", "Enter it in Settings.")


def _parts(address: str) -> SplitResult:
    """The parts of an address as the user typed it; none of what is no address."""
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("", "", "", "", "")
