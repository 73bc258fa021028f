"""Two accounts of one engine at once, over HTTP: each with its own cursor, budget and colour, none in the other's way, though
their mail has the same ids."""

import asyncio
import json
import sqlite3
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from app.domain.mail.message import Account
from app.domain.protocol.account_commands import SignInAgain
from app.domain.protocol.commands import ConnectGmail, WipeAccount
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ConnectionState
from app.domain.wire import Command
from fakes.engine.engine_process import QUICK, EngineProcess, environment, ready_engine
from fakes.gmail.sandbox import Sandbox, running_sandbox

OTHER = "second@example.com"
MAILS = 6
VISIT = """import pathlib, sys, urllib.request
who = pathlib.Path(sys.argv[0]).with_name("who").read_text()
urllib.request.urlopen(sys.argv[1] + "&login_hint=" + who, timeout=20).read()
"""
"""A browser whose user chooses the account that stands in a file and says yes to everything."""

_MIRROR = """SELECT m.gmail_id, b.text, (SELECT group_concat(label, ' ') FROM (
        SELECT label FROM message_labels WHERE message_id = m.id ORDER BY label))
    FROM messages m JOIN bodies b ON b.message_id = m.id WHERE m.account_id = ?"""
Mirror = dict[str, tuple[str, str]]


@dataclass
class Pair:
    """An engine with two mailboxes."""

    engine: EngineProcess
    sandbox: Sandbox
    folder: Path

    def rows(self, sql: str, *values: str | int) -> list[tuple[Any, ...]]:
        """What a query finds in the engine's file."""
        with closing(sqlite3.connect(f"{(self.engine.data / 'mail.db').as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute(sql, values).fetchall()

    def mirror(self, account: Account) -> Mirror:
        """Text and labels of an account's mail by Google's id."""
        return {str(one): (str(text), str(labels)) for one, text, labels in self.rows(_MIRROR, account.id)}

    def served(self, account: Account) -> Mirror:
        """The same on the server."""
        found = self.sandbox.mail.dump(account.email)["messages"]
        return {one["id"]: (self._text(account, one["id"]), " ".join(sorted(one["labelIds"]))) for one in found}

    def _text(self, account: Account, gmail_id: str) -> str:
        return self.sandbox.mail.raw(gmail_id, account.email).decode().partition("\r\n\r\n")[2].strip()

    async def same(self, *accounts: Account) -> None:
        """Wait until the mirrors are what the server has."""
        for one in accounts:
            wanted = self.served(one)
            await self.engine.until(partial(self._is, one, wanted))

    def _is(self, account: Account, wanted: Mirror) -> bool:
        return self.mirror(account) == wanted

    async def connect(self, email: str) -> Account:
        """Sign in; the account once it is there."""
        (self.folder / "who").write_text(email)
        assert await self.done(ConnectGmail(self.folder / "client.json")) is None
        return await self.engine.until(lambda: next((one for one in self.engine.reader.accounts() if one.email == email), None))

    async def done(self, command: Command) -> CommandFailed | None:
        """Do it, however early it comes; why it failed."""
        before = len(self.engine.seen)
        await self.engine.do(command)
        return next((one for one in self.engine.seen[before:] if isinstance(one, CommandFailed)), None)

    def deliver(self, number: int) -> tuple[str, str]:
        """A mail to each of them at the same moment; the ids."""
        moment_ms = int(time.time() * 1000) - 1000 * number
        ids = [
            self.sandbox.deliver(letter(number, account), account=account, internal_ms=moment_ms)["id"]
            for account in (self.sandbox.account, OTHER)
        ]
        return ids[0], ids[1]

    def state(self, account: Account) -> ConnectionState | None:
        """What was told last of an account's connection."""
        told = [one for one in self.engine.seen if isinstance(one, ConnectionChanged) and one.account_id == account.id]
        return told[-1].state if told else None


def letter(number: int, account: str) -> bytes:
    """A mail that says to whom it belongs."""
    head = f"From: Ann <ann@example.org>\r\nTo: {account}\r\nSubject: Letter {number}\r\nMessage-ID: <{number}@x.example>"
    return f"{head}\r\n\r\nLetter {number} for {account}.\r\n".encode()


@asynccontextmanager
async def pair(folder: Path) -> AsyncIterator[Pair]:
    """An engine without any account, and Google with two whose ids are the same."""
    with running_sandbox() as sandbox:
        sandbox.admin.call("POST", "accounts", {"address": OTHER, "ids_of": sandbox.account})
        data, visit = folder / "data", folder / "visit.py"
        data.mkdir()
        (data / "settings.toml").write_text(QUICK)
        visit.write_text(VISIT)
        places = {"auth_uri": f"{sandbox.url}/o/oauth2/auth", "token_uri": f"{sandbox.url}/token"}
        client = {"installed": {"client_id": "1.apps.example", "client_secret": "none", **places}}
        (folder / "client.json").write_text(json.dumps(client))
        google = {"REPLYROOM_GOOGLE_ENDPOINT": sandbox.url, "REPLYROOM_GOOGLE_TOKEN_URI": f"{sandbox.url}/token"}
        around = {**environment("", ""), **google, "BROWSER": f"{sys.executable} {visit} %s &"}
        engine = await ready_engine(data, around)
        try:
            yield Pair(engine, sandbox, folder)
        finally:
            await asyncio.wait_for(engine.close(), 60)


async def test_two_accounts_with_the_same_ids_live_side_by_side(tmp_path: Path) -> None:
    async with pair(tmp_path) as box:
        ids = [box.deliver(number) for number in range(MAILS)]
        assert all(mine == other for mine, other in ids), "the server gives both the same ids"
        one, two = await box.connect(box.sandbox.account), await box.connect(OTHER)
        await box.same(one, two)
        assert len(box.mirror(one)) == len(box.mirror(two)) == MAILS
        await _separate(box, one, two, ids)
        await _failing(box, one, two)
        await _forgotten(box, one, two)


async def _separate(box: Pair, one: Account, two: Account, ids: list[tuple[str, str]]) -> None:
    """Colours and cursors are each one's own, and what happens to a mail happens to the namesake in no way."""
    assert one.colour != two.colour
    box.sandbox.mail.label(ids[0][0], add=["STARRED"], account=one.email)
    box.sandbox.mail.delete(ids[1][1], account=two.email)
    box.sandbox.mail.label(ids[2][1], remove=["INBOX"], account=two.email)
    await box.same(one, two)
    assert len(box.mirror(one)) == len(box.mirror(two)) + 1
    newest = {account.id: box.sandbox.mail.dump(account.email)["historyId"] for account in (one, two)}
    assert newest[one.id] != newest[two.id]
    await box.engine.until(lambda: dict(box.rows("SELECT account_id, cursor FROM sync_state")) == newest)


async def _failing(box: Pair, one: Account, two: Account) -> None:
    """One sign-in ends (invalid_grant): the other's mail goes on coming, and the first catches up after a new sign-in."""
    before = len(box.engine.seen)
    box.sandbox.set_consent(refuse_account=two.email)
    box.sandbox.clock.advance(4000)  # the access tokens are old by now
    told = await box.engine.event(ConnectionChanged, lambda it: it.state is ConnectionState.LOGIN_NEEDED, after=before)
    assert told.account_id == two.id
    stale = box.mirror(two)
    box.deliver(MAILS)
    await box.same(one)
    assert (box.state(one), box.mirror(two)) == (ConnectionState.ONLINE, stale)
    box.sandbox.set_consent(refuse_account="")
    (box.folder / "who").write_text(two.email)
    assert await box.done(SignInAgain(two.id)) is None
    await box.same(one, two)


async def _forgotten(box: Pair, one: Account, two: Account) -> None:
    """Wiping one takes its rows and leaves all of the other's."""
    kept, threads = box.mirror(one), box.rows("SELECT count(*) FROM threads WHERE account_id = ?", one.id)
    assert await box.done(WipeAccount(two.id)) is None
    await box.engine.restarted()
    assert [account.id for account in box.engine.reader.accounts()] == [one.id]
    assert (box.mirror(one), box.mirror(two)) == (kept, {})
    assert box.rows("SELECT count(*) FROM threads") == threads
    tables = [name for (name,) in box.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        columns = {column for _, column, *_ in box.rows(f"PRAGMA table_info({table})")}
        if "account_id" in columns:
            assert set(box.rows(f"SELECT DISTINCT account_id FROM {table}")) <= {(one.id,)}, table
    assert box.rows("SELECT count(*) FROM mail_fts_docsize") == [(len(kept),)]
