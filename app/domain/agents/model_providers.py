"""Providers of language models: how they are named, where their servers are, and what they need.

The names are litellm's. A key in the keyring is stored under `key_name`.
"""

from urllib.parse import urlsplit

from app.domain.record import Record

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class ModelProvider(Record):
    """A provider that can be chosen by its name. `prefix` is the first part of litellm's model ids.

    `address` is that of its API, empty where the user gives it. `recommended` are models for a start.
    """

    id: str
    prefix: str
    name: str
    address: str = ""
    local: bool = False
    needs_key: bool = True
    recommended: tuple[str, ...] = ()

    def model_id(self, model: str) -> str:
        return f"{self.prefix}/{model}"


COMPATIBLE = "compatible"
GGUF = "gguf"
"""A model file that this program runs. The rest of the model id is the file's path."""

PROVIDERS = (
    ModelProvider("openai", "openai", "OpenAI", "https://api.openai.com/v1", recommended=("gpt-5-mini", "gpt-4.1-mini")),
    ModelProvider(
        "anthropic",
        "anthropic",
        "Anthropic",
        "https://api.anthropic.com/v1",
        recommended=("claude-haiku-4-5", "claude-sonnet-4-5"),
    ),
    ModelProvider(
        "gemini", "gemini", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta", recommended=("gemini-2.5-flash",)
    ),
    ModelProvider("mistral", "mistral", "Mistral", "https://api.mistral.ai/v1", recommended=("mistral-small-latest",)),
    ModelProvider(
        "openrouter",
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        recommended=("google/gemini-2.5-flash", "openai/gpt-5-mini"),
    ),
    ModelProvider("ollama", "ollama_chat", "Ollama", "http://127.0.0.1:11434", local=True, needs_key=False),
    ModelProvider("lm_studio", "lm_studio", "LM Studio", "http://127.0.0.1:1234/v1", local=True, needs_key=False),
    ModelProvider("llama_cpp", "llamafile", "llama.cpp", "http://127.0.0.1:8080/v1", local=True, needs_key=False),
    ModelProvider(GGUF, GGUF, "GGUF", local=True, needs_key=False),
    ModelProvider(COMPATIBLE, "openai", "OpenAI-compatible", needs_key=False),
)
"""In the order in which they are offered. The last one is any OpenAI-compatible server."""

KEYLESS_PREFIXES = frozenset({"ollama", "ollama_chat", "lm_studio", "llamafile", "hosted_vllm", "oobabooga", "xinference", GGUF})
"""Providers that run on this machine or in a private network."""
_FAMILIES = (("gpt-", "openai"), ("o1", "openai"), ("o3", "openai"), ("o4", "openai"), ("claude", "anthropic"))


def provider_with(provider_id: str) -> ModelProvider:
    """The provider with this id. Raises `KeyError`."""
    return {one.id: one for one in PROVIDERS}[provider_id]


def prefix_of(model: str) -> str:
    """litellm's provider name in a model id; empty if unknown."""
    head, slash, _ = model.partition("/")
    if slash:
        return head
    return next((prefix for family, prefix in _FAMILIES if model.startswith(family)), "")


def provider_of(model: str, api_base: str = "") -> ModelProvider | None:
    """The provider that serves a model, None for one that cannot be chosen by its name."""
    prefix = {"ollama": "ollama_chat"}.get(prefix_of(model), prefix_of(model))
    if prefix == "openai" and api_base and api_base.rstrip("/") != PROVIDERS[0].address:
        return provider_with(COMPATIBLE)
    return next((one for one in PROVIDERS if one.prefix == prefix and one.id != COMPATIBLE), None)


def provider_name(model: str) -> str:
    """The provider's name as people know it, else litellm's."""
    found = provider_of(model)
    return found.name if found is not None else prefix_of(model)


def key_name(model: str, api_base: str = "") -> str:
    """The name of a model's key in the keyring; empty if the provider is unknown.

    A server at an address of the user's own has another key than the provider whose format it speaks: that one stays private.
    """
    found = provider_of(model, api_base)
    return COMPATIBLE if found is not None and found.id == COMPATIBLE else prefix_of(model)


def with_scheme(address: str) -> str:
    """An address as typed, with the scheme that it lacks and without the end of a single call.

    The scheme is `http` for this computer and for names without a dot.
    """
    typed = address.strip().rstrip("/")
    for end in ("/chat/completions", "/models"):
        typed = typed.removesuffix(end)
    if not typed or "://" in typed:
        return typed
    host = urlsplit(f"//{typed}").hostname or ""
    private = host in LOOPBACK or "." not in host or host.startswith(("10.", "192.168.", "127."))
    return f"{'http' if private else 'https'}://{typed}"
