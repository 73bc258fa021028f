"""Accounts through the real engine and the real sign-in: connected by a browser, resting, and signed in again after Google
took the sign-in back."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.domain.protocol.account_commands import (
    ChangeMailSettings,
    CheckClientFile,
    ClientFileChecked,
    PauseAccount,
    RecolourAccount,
    Signature,
    SignInAgain,
)
from app.domain.protocol.commands import ConnectGmail, SyncNow
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ConnectionState, ErrorReported
from app.domain.wire import Command
from fakes.engine.engine_process import QUICK, EngineProcess, environment, ready_engine
from fakes.gmail.sandbox import Sandbox, running_sandbox
from fakes.gmail.sending import question

VISIT = "import sys, urllib.request\nurllib.request.urlopen(sys.argv[1], timeout=20).read()\n"
"""A browser whose user says yes to everything."""


def client_file(folder: Path, sandbox: Sandbox, **more: str) -> Path:
    """An OAuth client as Google's console gives it."""
    places = {"auth_uri": f"{sandbox.url}/o/oauth2/auth", "token_uri": f"{sandbox.url}/token", **more}
    path = folder / "client.json"
    path.write_text(json.dumps({"installed": {"client_id": "1.apps.example", "client_secret": "none", **places}}))
    return path


@asynccontextmanager
async def office(folder: Path) -> AsyncIterator[tuple[EngineProcess, Sandbox]]:
    """An engine without any account, and Google."""
    with running_sandbox() as sandbox:
        data, visit = folder / "data", folder / "visit.py"
        data.mkdir()
        (data / "settings.toml").write_text(QUICK)
        visit.write_text(VISIT)
        google = {"REPLYROOM_GOOGLE_ENDPOINT": sandbox.url, "REPLYROOM_GOOGLE_TOKEN_URI": f"{sandbox.url}/token"}
        around = {**environment("", ""), **google, "BROWSER": f"{sys.executable} {visit} %s &"}
        engine = await ready_engine(data, around)
        try:
            yield engine, sandbox
        finally:
            await asyncio.wait_for(engine.close(), 60)


async def done(engine: EngineProcess, command: Command) -> CommandFailed | None:
    """Do it, however early it comes; why it failed."""
    before = len(engine.seen)
    await engine.do(command)
    return next((one for one in engine.seen[before:] if isinstance(one, CommandFailed)), None)


async def mails(engine: EngineProcess, count: int) -> None:
    """Wait for so many."""
    await engine.until(lambda: engine.reader.counts().messages == count)


async def state(engine: EngineProcess, wanted: ConnectionState, after: int) -> None:
    """Wait for a state of the connection that is told after so many events."""
    await engine.event(ConnectionChanged, lambda one: one.state is wanted, after=after)


async def test_an_account_is_connected_rests_and_signs_in_again(tmp_path: Path) -> None:
    async with office(tmp_path) as (engine, sandbox):
        sandbox.deliver(question(1))
        assert await done(engine, ConnectGmail(client_file(tmp_path, sandbox))) is None
        await mails(engine, 1)
        (account,) = engine.reader.accounts()
        assert account.signed_in_at is not None
        assert (account.paused, account.short_lived) == (False, False)

        before = len(engine.seen)
        assert await done(engine, PauseAccount(account.id, True)) is None
        await state(engine, ConnectionState.PAUSED, before)
        sandbox.deliver(question(2))
        sandbox.admin.call("DELETE", "log")
        assert await done(engine, SyncNow()) is None
        assert await done(engine, RecolourAccount(account.id, "#2D7D46")) is None
        assert engine.reader.accounts()[0].colour == "#2d7d46"
        assert sandbox.log() == [], "a resting account asks for nothing"
        assert await done(engine, PauseAccount(account.id, False)) is None
        await mails(engine, 2)

        sandbox.set_consent(refuse_refresh=True)
        sandbox.clock.advance(4000)  # the access token is old by now
        await state(engine, ConnectionState.LOGIN_NEEDED, before)
        sandbox.set_consent(refuse_refresh=False)
        before = len(engine.seen)
        assert await done(engine, SignInAgain(account.id)) is None
        await state(engine, ConnectionState.ONLINE, before)
        sandbox.deliver(question(3))
        await mails(engine, 3)
        (again,) = engine.reader.accounts()
        assert (again.id, again.colour) == (account.id, "#2d7d46")
        assert again.signed_in_at is not None
        assert again.signed_in_at > account.signed_in_at


WRONG_FILES = {
    "{": "JSON",
    '{"web": {}}': "Web application",
    '{"type": "service_account"}': "service account",
    '{"installed": {"client_id": "x"}}': "client_secret",
    '{"type": "authorized_user"}': "another app's sign-in",
}


async def test_a_wrong_client_file_is_told_in_words_before_and_after(tmp_path: Path) -> None:
    async with office(tmp_path) as (engine, _):
        path = tmp_path / "wrong.json"
        for content, word in WRONG_FILES.items():
            path.write_text(content)
            answer = await engine.client.ask(CheckClientFile(path))
            assert isinstance(answer, ClientFileChecked)
            assert word in str(answer.error)
            failed = await done(engine, ConnectGmail(path))
            assert failed is not None
            assert (failed.code, word in str(failed.text)) == ("bad_file", True)


async def test_a_resting_account_rests_on_when_it_is_signed_in_again(tmp_path: Path) -> None:
    async with office(tmp_path) as (engine, sandbox):
        sandbox.deliver(question(1))
        assert await done(engine, ConnectGmail(client_file(tmp_path, sandbox))) is None
        await mails(engine, 1)
        (account,) = engine.reader.accounts()
        await done(engine, PauseAccount(account.id, True))
        sandbox.deliver(question(2))
        before = len(engine.seen)
        assert await done(engine, SignInAgain(account.id)) is None
        await state(engine, ConnectionState.PAUSED, before)
        await done(engine, SyncNow())
        assert engine.reader.counts().messages == 1
        await done(engine, PauseAccount(account.id, False))
        await mails(engine, 2)


async def test_an_account_that_google_renames_stays_what_it_is(tmp_path: Path) -> None:
    """One may change one's address at Google: the mail, the ids and the sign-in are the same."""
    async with office(tmp_path) as (engine, sandbox):
        sandbox.deliver(question(1))
        assert await done(engine, ConnectGmail(client_file(tmp_path, sandbox))) is None
        await mails(engine, 1)
        (account,) = engine.reader.accounts()
        await done(engine, PauseAccount(account.id, True))
        sandbox.admin.call("POST", "accounts/rename", {"address": "New.Name@example.com"})
        sandbox.deliver(question(2))
        await done(engine, PauseAccount(account.id, False))
        await mails(engine, 2)
        (renamed,) = engine.reader.accounts()
        assert (renamed.id, renamed.email, renamed.colour) == (account.id, "new.name@example.com", account.colour)
        assert account.email in renamed.send_as, "mail to the old address is still the owner's"
        assert await done(engine, SignInAgain(account.id)) is None, "the keyring has it under the new address"
        sandbox.deliver(question(3))
        await mails(engine, 3)


async def test_an_account_whose_names_google_does_not_tell_is_synced_all_the_same(tmp_path: Path) -> None:
    """An administrator may forbid sending under other names, and the question with it."""
    async with office(tmp_path) as (engine, sandbox):
        sandbox.deliver(question(1))
        sandbox.admin.call("POST", "accounts/rename", {"address": "new@example.com"})  # the old one is a second name
        rule = sandbox.faults.add("403-permission", "gmail.users.settings.sendAs.list", times=0)
        assert await done(engine, ConnectGmail(client_file(tmp_path, sandbox))) is None
        await mails(engine, 1)
        (account,) = engine.reader.accounts()
        assert account.send_as == (account.email,)
        sandbox.faults.remove(rule)
        assert await done(engine, SignInAgain(account.id)) is None
        told = await engine.until(lambda: next((one.send_as for one in engine.reader.accounts() if len(one.send_as) == 2), ()))
        sandbox.faults.add("403-permission", "gmail.users.settings.sendAs.list", times=0)
        assert await done(engine, SignInAgain(account.id)) is None
        sandbox.deliver(question(2))
        await mails(engine, 2)
        (known,) = engine.reader.accounts()
        assert known.send_as == tuple(one.email for one in known.identities) == told, "what is known stays"
        sandbox.faults.clear()
        alias = ChangeMailSettings(known.id, Signature(told[1], "<b>Office</b>"))
        await engine.client.ask(alias)
        (signed,) = engine.reader.accounts()
        assert (signed.identity(told[1]).signature, signed.signature) == ("<b>Office</b>", known.signature)


@pytest.mark.parametrize(("kind", "code"), [("403-api-off", "api_off"), ("403-domain", "policy_forbids")])
async def test_a_project_without_the_api_is_told_in_words_at_the_sign_in_and_later(tmp_path: Path, kind: str, code: str) -> None:
    """The commonest slip of those who bring their own project; it is neither a bad sign-in nor a bad connection."""
    async with office(tmp_path) as (engine, sandbox):
        rule = sandbox.faults.add(kind, "gmail.*", times=0)
        failed = await done(engine, ConnectGmail(client_file(tmp_path, sandbox)))
        assert failed is not None and failed.code == code
        assert engine.reader.accounts() == ()
        sandbox.faults.remove(rule)
        assert await done(engine, ConnectGmail(client_file(tmp_path, sandbox))) is None
        await engine.event(ConnectionChanged, lambda one: one.state is ConnectionState.ONLINE)
        before = len(engine.seen)
        sandbox.faults.add(kind, "gmail.*", times=0)
        await engine.event(ErrorReported, lambda one: one.code == code, after=before)
        assert not [one for one in engine.seen[before:] if isinstance(one, ConnectionChanged)]


async def test_somebody_else_is_never_taken_for_the_owner(tmp_path: Path) -> None:
    """Not even in a mailbox whose messages have the same ids."""
    async with office(tmp_path) as (engine, sandbox):
        other = "other@example.com"
        sandbox.admin.call("POST", "accounts", {"address": other, "ids_of": sandbox.account})
        sandbox.deliver(question(1))
        assert await done(engine, ConnectGmail(client_file(tmp_path, sandbox))) is None
        await mails(engine, 1)
        (account,) = engine.reader.accounts()
        sandbox.deliver(question(1), account=other)
        sandbox.set_consent(chosen=other)
        failed = await done(engine, SignInAgain(account.id))
        assert failed is not None and other in str(failed.text)
        assert await done(engine, ConnectGmail(client_file(tmp_path, sandbox))) is None
        await mails(engine, 2)
        assert {one.email for one in engine.reader.accounts()} == {account.email, other}


async def test_nobody_waits_for_a_browser_at_the_end(tmp_path: Path) -> None:
    async with office(tmp_path) as (engine, sandbox):
        (tmp_path / "visit.py").write_text("import pathlib\npathlib.Path(__file__).with_name('opened').touch()\n")
        engine.client.send(ConnectGmail(client_file(tmp_path, sandbox)))
        await engine.until((tmp_path / "opened").exists)
        async with asyncio.timeout(40):  # the sign-in would wait for five minutes
            assert await engine.close() == 0


async def test_no_colour_and_no_account_are_refused(tmp_path: Path) -> None:
    async with office(tmp_path) as (engine, sandbox):
        assert await done(engine, ConnectGmail(client_file(tmp_path, sandbox))) is None
        await engine.until(lambda: engine.reader.accounts())
        (account,) = engine.reader.accounts()
        failed = await done(engine, RecolourAccount(account.id, "red; x"))
        assert failed.code == "refused"
        missing = await done(engine, PauseAccount(type(account.id)(99), True))
        assert missing.code == "not_found"
