"""Secrets: a real keyring protocol, refused backends, time limits. The real Secret Service runs in a flow test of its own."""

import time

import keyring
import pytest
from keyring.backend import KeyringBackend

from app.config import secrets
from app.config.secrets import Secrets
from app.domain.errors import KeyringUnavailable

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Slow(KeyringBackend):
    """A keyring that never answers in time, such as one with an unseen prompt."""

    priority = 1

    def get_password(self, service: str, username: str) -> str | None:
        time.sleep(0.5)
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        time.sleep(0.5)


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring.set_keyring(Slow())


async def test_no_keyring_is_said_and_session_only_works() -> None:
    from keyring.backends.fail import Keyring

    keyring.set_keyring(Keyring())
    kept = Secrets()
    with pytest.raises(KeyringUnavailable):
        await kept.put("openai", "k")
    with pytest.raises(KeyringUnavailable):
        await kept.get("openai")
    await kept.put("openai", "k", session_only=True)
    assert await kept.get("openai") == "k"


async def test_plain_text_backends_are_refused(backend: None) -> None:
    with pytest.raises(KeyringUnavailable):
        await Secrets().get("openai")


async def test_a_prompt_nobody_sees_ends_in_time(backend: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "SAFE_BACKENDS", (Slow.__module__,))
    with pytest.raises(KeyringUnavailable, match="did not answer"):
        await Secrets(limit_s=0.05).get("openai")
    time.sleep(0.6)
