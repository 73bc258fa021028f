"""Secrets in a real Secret Service: kept, read again, deleted; locked or absent said in time; no token in any file of ours."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.domain.protocol.commands import ConnectGmail, StartDrafting, StoreKey, WipeAccount
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ConnectionState, EngineReady, KeyStored
from app.link.frames import EXIT_RESTART
from fakes.engine.engine_process import QUICK, THINKING, EngineProcess
from fakes.engine.processes import secret_service
from fakes.engine.processes.engine_client import EngineClient
from fakes.engine.processes.secret_service import ABSENT, LOCKED, MISSING, OPENED_LATER, UNLOCKED, environment, under
from fakes.gmail.sandbox import Sandbox, running_sandbox
from fakes.gmail.sending import question
from fakes.models.model_server import ModelServer

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the Secret Service is of Linux desktops"),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (packages dbus and gnome-keyring)"),
]

KEEP = """
import asyncio, sys
from app.config.secrets import Secrets
async def main():
    kept = Secrets(limit_s=15)
    assert await kept.get("openai") == ""
    await kept.delete("openai")
    await kept.put("openai", "sk-canary-1")
    await kept.put("gmail:a@example.org", "token-canary-2 with spaces and ünïcode")
    again = Secrets(limit_s=15)
    assert await again.get("openai") == "sk-canary-1"
    await again.put("openai", "sk-canary-3")
    assert await kept.get("openai") == "sk-canary-3"
    await again.delete("openai")
    assert await kept.get("openai") == ""
    assert await kept.get("gmail:a@example.org") == "token-canary-2 with spaces and ünïcode"
    print("kept")
asyncio.run(main())
"""

REFUSED = """
import asyncio, os
from app.config.secrets import Secrets
from app.domain.errors import KeyringUnavailable
async def main():
    kept = Secrets(limit_s=3)
    for work in (kept.put("openai", "k"), kept.get("gmail:b@example.org")):
        try:
            await work
        except KeyringUnavailable as error:
            print("refused", flush=True)
    await kept.put("openai", "k", session_only=True)
    assert await kept.get("openai") == "k"
asyncio.run(main())
os._exit(0)  # a prompt that nobody sees may hold its thread
"""


def test_secrets_are_kept_read_and_deleted(tmp_path: Path) -> None:
    done = secret_service.python(UNLOCKED, KEEP, tmp_path / "home", dict(os.environ))
    assert (done.returncode, done.stdout.strip()) == (0, "kept"), done.stderr
    stored = [one for one in (tmp_path / "home").rglob("*") if one.is_file()]
    assert any("keyring" in one.name for one in stored)
    assert not [one for one in stored if b"canary" in one.read_bytes()]


@pytest.mark.parametrize("keyring", [LOCKED, ABSENT], ids=["locked", "absent"])
def test_a_keyring_that_does_not_open_is_said_in_time(tmp_path: Path, keyring: str) -> None:
    done = secret_service.python(keyring, REFUSED, tmp_path / "home", dict(os.environ))
    assert done.returncode == 0, done.stderr
    assert "refused" in done.stdout


VISIT = """import sys, urllib.request
urllib.request.urlopen(sys.argv[1], timeout=20).read()
"""


def client_file(folder: Path, sandbox: Sandbox) -> Path:
    """An OAuth client as Google's console gives it."""
    path = folder / "client.json"
    places = {
        "auth_uri": f"{sandbox.url}/o/oauth2/auth",
        "token_uri": f"{sandbox.url}/token",
        "redirect_uris": ["http://localhost"],
    }
    path.write_text(json.dumps({"installed": {"client_id": "1.apps.example", "client_secret": "secret-canary-9", **places}}))
    return path


@asynccontextmanager
async def started(
    tmp_path: Path, sandbox: Sandbox, keyring: str = UNLOCKED, settings: str = QUICK
) -> AsyncIterator[EngineProcess]:
    """An engine in a session with a keyring, whose browser says yes to everything."""
    data, visit = tmp_path / "data", tmp_path / "visit.py"
    data.mkdir(exist_ok=True)
    (data / "settings.toml").write_text(settings)
    visit.write_text(VISIT)
    around = environment(tmp_path / "home", dict(os.environ))
    google = {"REPLYROOM_GOOGLE_ENDPOINT": sandbox.url, "REPLYROOM_GOOGLE_TOKEN_URI": f"{sandbox.url}/token"}
    command = under(keyring, sys.executable, "-m", "app", "engine", "--data", str(data))
    client = await EngineClient.start(command, {**around, **google, "BROWSER": f"{sys.executable} {visit} %s &"}, "tests")
    engine = EngineProcess(client, data)
    await engine.event(EngineReady)
    try:
        yield engine
    finally:
        await asyncio.wait_for(engine.close(), 60)


async def connect(engine: EngineProcess, file: Path) -> None:
    """Sign in, however early."""
    await engine.do(ConnectGmail(file))
    assert not [one for one in engine.seen if isinstance(one, CommandFailed)]


SHOW = "import asyncio\nfrom app.config.secrets import Secrets\nprint(asyncio.run(Secrets().get('gmail:me@example.com')))"


def sign_in(tmp_path: Path) -> str:
    """What the keyring holds of the account's sign-in."""
    done = secret_service.python(UNLOCKED, SHOW, tmp_path / "home", dict(os.environ))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def given(stored: str) -> list[bytes]:
    """The secrets of a sign-in, and the others of this session."""
    found = json.loads(stored)
    tokens = [str(found[name]).encode() for name in ("token", "refresh_token") if found.get(name)]
    assert tokens
    return [*tokens, b"sk-canary-key-12345678", b"secret-canary-9"]


async def test_a_sign_in_lives_in_the_keyring_alone_and_goes_with_the_account(tmp_path: Path) -> None:
    """Signed in through the browser, connected again from the keyring, no token in any file, wiped with the account."""
    with running_sandbox() as sandbox:
        sandbox.deliver(question(1))
        async with started(tmp_path, sandbox) as engine:
            await connect(engine, client_file(tmp_path, sandbox))
            await engine.until(lambda: engine.reader.counts().messages == 1)
            await engine.do(StoreKey("openai", "sk-canary-key-12345678"))
            assert not [one for one in engine.seen if isinstance(one, CommandFailed) and one.command == "StoreKey"]
            assert [one.provider for one in engine.seen if isinstance(one, KeyStored)] == ["openai"]
        secrets = given(sign_in(tmp_path))
        assert secrets_in(tmp_path / "data", secrets) == []
        async with started(tmp_path, sandbox) as engine:
            await engine.event(ConnectionChanged, lambda one: one.state is ConnectionState.ONLINE)
            await engine.do(WipeAccount(engine.reader.accounts()[0].id))
            assert await engine.client.wait() == EXIT_RESTART
        async with started(tmp_path, sandbox) as engine:
            assert engine.reader.accounts() == ()
        assert secrets_in(tmp_path / "data", secrets) == []
    assert sign_in(tmp_path) == ""


async def test_a_keyring_that_opens_late_gives_the_sign_in_and_the_models_key(tmp_path: Path) -> None:
    """Nobody does anything but unlock it: the account goes on, and the mail that waited is drafted for with the key."""
    with running_sandbox() as sandbox, ModelServer() as model:
        sandbox.deliver(question(1))
        async with started(tmp_path, sandbox) as engine:
            await connect(engine, client_file(tmp_path, sandbox))
            await engine.until(lambda: engine.reader.counts().messages == 1)
            await engine.do(StoreKey("compatible", "sk-late-key"))
            await engine.do(StartDrafting(engine.reader.accounts()[0].id, 0))
        chosen = f'[model]\nname = "openai/gpt-4o"\napi_base = "{model.api_base}"\n'
        async with started(tmp_path, sandbox, OPENED_LATER, THINKING + chosen) as engine:
            await engine.event(ConnectionChanged, lambda one: one.state is ConnectionState.LOGIN_NEEDED)
            await engine.until(lambda: "no key for compatible" in engine.log())
            (tmp_path / "home" / "open").touch()
            await engine.event(ConnectionChanged, lambda one: one.state is ConnectionState.ONLINE)
            await engine.until(lambda: model.keys)
            assert set(model.keys) == {"sk-late-key"}


async def test_a_key_is_kept_for_the_session_where_no_keyring_takes_it(tmp_path: Path) -> None:
    with running_sandbox() as sandbox:
        async with started(tmp_path, sandbox, ABSENT) as engine:
            for session_only in (False, True):
                await engine.do(StoreKey("openai", "sk-session", session_only))
            assert [one.command for one in engine.seen if isinstance(one, CommandFailed)] == ["StoreKey"]
            assert [one.provider for one in engine.seen if isinstance(one, KeyStored)] == ["openai"]
        assert secrets_in(tmp_path / "data", [b"sk-session"]) == []


def secrets_in(folder: Path, secrets: list[bytes]) -> list[tuple[str, bytes]]:
    """Files with a secret in them."""
    files = [(one.name, one.read_bytes()) for one in folder.rglob("*") if one.is_file()]
    return [(name, one) for name, raw in files for one in secrets if one in raw]
