"""Lists the models that a provider serves, and finds model servers on this computer.

No mail is sent: these are the providers' own lists (`/models`, Ollama's `/api/tags`).
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import httpx

from app.agent.llm.turns import ModelMisconfigured
from app.domain.agents.model_providers import PROVIDERS, ModelProvider, with_scheme
from app.domain.error_texts import Cause
from app.domain.errors import ModelUnavailable
from app.domain.protocol.commands import ModelList, ModelServer, ModelServers

LIST_TIMEOUT_S = 15.0
LOOK_TIMEOUT_S = 1.5
"""For a server on this computer: where none listens the connection is refused at once."""
MOST_MODELS = 2000
VERSION = "v1"
_NO_CHAT = (
    "embed", "whisper", "tts", "dall-e", "image", "audio", "realtime", "moderation", "transcribe", "sora", "babbage",
    "davinci", "rerank", "ocr", "imagen", "veo", "aqa", "computer-use", "guard",
)  # fmt: skip
"""Parts of the names of models that do not answer in text."""


async def list_models(provider: ModelProvider, address: str, key: str, timeout_s: float = LIST_TIMEOUT_S) -> ModelList:
    """The provider's models, the recommended first. `address` may lack its scheme and the version; the answer has them.

    A server without a list gives no models. Raises `ModelUnavailable` where it does not answer or refuses the key.
    """
    base = with_scheme(address) or provider.address
    if not key.isascii():  # no header can carry it
        raise ModelMisconfigured(Cause.MODEL_KEY_MALFORMED, provider.name)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    if provider.prefix == "anthropic":
        headers = {"x-api-key": key, "anthropic-version": "2023-06-01"}
    elif provider.prefix == "gemini":
        headers = {"x-goog-api-key": key}
    path = _PATHS.get(provider.prefix, "/models")
    bases = _bases(provider, base)
    async with httpx.AsyncClient(timeout=timeout_s, headers=headers, trust_env=not provider.local) as client:
        for tried in bases:
            found = _models(await _get(client, f"{tried}{path}", base))
            if found is not None:
                names = _names(found)
                first = [one for one in provider.recommended if one in names]
                return ModelList(tried, (*first, *sorted((one for one in names if one not in first), key=str.lower)))
    return ModelList(bases[-1], ())


_PATHS = {"ollama_chat": "/api/tags", "anthropic": "/models?limit=1000", "gemini": "/models?pageSize=1000"}


async def find_servers(providers: Iterable[ModelProvider] = PROVIDERS) -> ModelServers:
    """The model servers that answer at their usual address on this computer."""

    async def look(provider: ModelProvider) -> ModelServer | None:
        with suppress(ModelUnavailable, TimeoutError):
            async with asyncio.timeout(LOOK_TIMEOUT_S):
                listed = await list_models(provider, "", "", LOOK_TIMEOUT_S)
            return ModelServer(provider.id, listed.address, listed.models) if listed.models else None
        return None

    found = await asyncio.gather(*(look(one) for one in providers if one.local and one.address))
    return ModelServers(tuple(one for one in found if one is not None))


async def _get(client: httpx.AsyncClient, url: str, base: str) -> httpx.Response:
    host = urlsplit(base).netloc.rpartition("@")[2] or base
    try:
        answer = await client.get(url)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        raise ModelUnavailable(Cause.MODEL_NOT_REACHED, host) from None
    gemini_says_so = answer.status_code == 400 and "key" in answer.text.lower()
    if answer.status_code in (401, 403) or gemini_says_so:
        raise ModelMisconfigured(Cause.MODEL_KEY_REFUSED, host)
    if answer.status_code == 429:
        raise ModelUnavailable(Cause.MODEL_LIMIT_REACHED, host)
    if answer.status_code >= 500:
        raise ModelUnavailable(Cause.MODEL_SERVER_FAILED, host, str(answer.status_code))
    return answer


def _bases(provider: ModelProvider, base: str) -> Sequence[str]:
    """The addresses to try: as given, then with the version that people leave out."""
    if provider.prefix == "ollama_chat":
        return [base.removesuffix("/v1")]
    whole = [base, f"{base}/{VERSION}"]
    return whole if not base.endswith(f"/{VERSION}") and not provider.address.startswith("https") else [base]


def _models(answer: httpx.Response) -> Sequence[Mapping[str, Any]] | None:
    """The list in an answer, None if it is none."""
    if answer.status_code != 200:
        return None
    try:
        whole = answer.json()
    except ValueError:
        return None
    listed = (whole.get("data") or whole.get("models")) if isinstance(whole, dict) else whole
    known = isinstance(whole, list) or (isinstance(whole, dict) and bool({"data", "models"} & whole.keys()))
    if not known or not isinstance(listed or [], list):
        return None
    return [one for one in (listed or []) if isinstance(one, dict)]


def _names(models: Sequence[Mapping[str, Any]]) -> list[str]:
    """Names of the models that answer in text."""
    names = []
    for one in models:
        details, able = one.get("details"), one.get("capabilities")
        embeds = isinstance(details, dict) and "bert" in str(details.get("family", ""))
        silent = isinstance(able, dict) and not able.get("completion_chat", True)
        if not embeds and not silent and "generateContent" in one.get("supportedGenerationMethods", ["generateContent"]):
            names.append(str(one.get("id") or one.get("name") or "").removeprefix("models/"))
    return [name for name in dict.fromkeys(names) if name and not any(part in name.lower() for part in _NO_CHAT)][:MOST_MODELS]
