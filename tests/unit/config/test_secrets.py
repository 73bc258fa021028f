"""Secrets: a real keyring protocol, refused backends, time limits. The real Secret Service runs in a flow test of its own.

Consents survive a restart, are taken back whole, and a broken file is no consent.
"""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend

from app.config import secrets
from app.config.consents import ConsentFile
from app.config.secrets import Secrets
from app.domain.errors import KeyringUnavailable


class Slow(KeyringBackend):
    """A keyring that does not answer until the test is over, such as one with an unseen prompt."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.over = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.over.wait()
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        self.over.wait()


class Shelf(KeyringBackend):
    """A keyring in memory. `trouble` is what it raises."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, str] = {}
        self.trouble: Exception | None = None

    def get_password(self, service: str, username: str) -> str | None:
        if self.trouble is not None:
            raise self.trouble
        return self.kept.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.kept[username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[username]


@pytest.fixture
def backend() -> Iterator[None]:
    slow = Slow()
    keyring.set_keyring(slow)
    yield
    slow.over.set()


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """The machine's keyring; nothing else of this file counts as safe."""
    monkeypatch.setattr(Shelf, "__module__", "keyring.backends.SecretService")
    made = Shelf()
    keyring.set_keyring(made)
    return made


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


@pytest.mark.expects_warnings
async def test_a_keyring_that_breaks_keeps_nothing_and_its_words_go_nowhere(
    shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    kept = Secrets()
    await kept.put("openai", "k", session_only=True)
    shelf.trouble = OSError("no room for sk-canary")
    with pytest.raises(KeyringUnavailable) as told:
        await kept.put("openai", "sk-canary")
    assert "canary" not in f"{told.value}"
    assert "canary" not in "".join(record.getMessage() for record in caplog.records)
    shelf.trouble = None
    assert await kept.get("openai") == "", "what it replaced is not used any longer"


@pytest.mark.expects_warnings
async def test_who_waits_for_a_keyring_hears_when_it_answers_again_and_only_then(shelf: Shelf) -> None:
    kept = Secrets()
    waiting = asyncio.create_task(kept.opened())
    await kept.put("openai", "k")
    shelf.trouble = OSError("locked")
    with pytest.raises(KeyringUnavailable):
        await kept.get("openai")
    await asyncio.sleep(0.05)
    assert not waiting.done(), "a keyring that was open, or is locked, has not opened"
    shelf.trouble = None
    assert await kept.get("openai") == "k"
    await asyncio.wait_for(waiting, 5)


def test_consent_and_pins_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    consents = ConsentFile(path)
    assert not consents.granted("a")
    assert consents.pins("a") is None
    consents.grant("a", "npx a")
    assert consents.pins("a") is None, "nothing was listed yet"
    consents.pin("a", {"x": "1", "y": "2"})
    consents.pin("a", {"y": "3"})
    again = ConsentFile(path)
    assert again.granted("a")
    assert again.pins("a") == {"x": "1", "y": "3"}
    again.grant("a", "npx a")
    assert again.pins("a") == {"x": "1", "y": "3"}
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.expects_warnings
@pytest.mark.parametrize("text", ["", "[", "[]", '{"a": 3}', "\xff"])
def test_a_broken_file_is_no_consent(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(text.encode("latin-1"))
    consents = ConsentFile(path)
    assert not consents.granted("a")
    consents.grant("a", "npx a")
    assert ConsentFile(path).granted("a")


def test_what_is_taken_back_takes_its_pins_along(tmp_path: Path) -> None:
    consents = ConsentFile(tmp_path / "mcp.json")
    consents.grant("a", "npx a")
    consents.pin("a", {"x": "1"})
    consents.revoke("a")
    assert not consents.granted("a")
    consents.grant("a", "npx a")
    assert consents.pins("a") is None


def test_pins_need_consent(tmp_path: Path) -> None:
    consents = ConsentFile(tmp_path / "mcp.json")
    consents.pin("a", {"x": "1"})
    assert not consents.granted("a")
    assert not (tmp_path / "mcp.json").exists()
