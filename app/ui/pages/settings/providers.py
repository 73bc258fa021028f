"""Providers of language models, derived from litellm model ids without importing litellm."""

from PySide6.QtCore import QCoreApplication

LOCAL = frozenset({"ollama", "ollama_chat", "lm_studio", "llamafile", "hosted_vllm"})
"""Providers on this machine or in a private network. They need no key."""

NAMES = {
    "anthropic": "Anthropic",
    "deepseek": "DeepSeek",
    "gemini": "Google Gemini",
    "groq": "Groq",
    "mistral": "Mistral",
    "ollama": "Ollama",
    "ollama_chat": "Ollama",
    "openai": "OpenAI",
    "lm_studio": "LM Studio",
    "openrouter": "OpenRouter",
}
ADDRESSES = {"ollama": "http://127.0.0.1:11434", "ollama_chat": "http://127.0.0.1:11434", "lm_studio": "http://127.0.0.1:1234/v1"}
"""Default addresses of local servers."""

SUGGESTED = (
    "gemini/gemini-2.5-flash",
    "openai/gpt-5-mini",
    "anthropic/claude-haiku-4-5",
    "mistral/mistral-small-latest",
    "ollama_chat/llama3.1",
    "ollama_chat/qwen3",
    "lm_studio/local-model",
)
_PREFIXES = (("gpt-", "openai"), ("o1", "openai"), ("o3", "openai"), ("o4", "openai"), ("claude", "anthropic"))


def provider_of(model: str) -> str:
    """litellm's provider name for a model id; empty if unknown."""
    head, slash, _ = model.partition("/")
    if slash:
        return head
    return next((provider for prefix, provider in _PREFIXES if model.startswith(prefix)), "")


def provider_name(provider: str) -> str:
    return NAMES.get(provider, provider)


def wants_key(model: str) -> bool:
    """Whether calls to this model usually need a key."""
    provider = provider_of(model)
    return bool(provider) and provider not in LOCAL


def suggestions() -> list[tuple[str, str]]:
    """Common model ids, each with a text that says where it runs."""
    here = QCoreApplication.translate("Providers", "runs on this computer")
    there = QCoreApplication.translate("Providers", "runs at %1; needs a key")
    return [(model, there.replace("%1", provider_name(provider_of(model))) if wants_key(model) else here) for model in SUGGESTED]
