"""Sync under fire: failing answers, cut connections, an expired history, a changing mailbox and an engine killed again and again.

Afterwards the mirror equals the server exactly: ids, threads, labels, and the text and HTML that a faultless fetch gives.
"""

import asyncio
import hashlib
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.domain.ids import GmailId
from app.domain.mail.message import RemoteMessage
from app.domain.protocol.events import ErrorReported
from app.mail.gmail.auth import static_credentials
from app.mail.gmail.endpoint import Endpoint
from app.mail.html.clean import clean_html
from app.store.db.codecs import unpack_text
from fakes.engine.engine_process import EngineProcess, start_engine
from fakes.gmail.client_box import connected
from fakes.gmail.sandbox import Sandbox, running_sandbox
from performance.generated_mail import ME, MailGenerator, mark_of, write_mbox

SETTINGS = "[sync]\npoll_s = 1\nbudget_units = 100000\n[drafting]\npaused = true\n"
INNER_KINDS = ("429", "403-rate", "500", "503", "truncate")
GETS = ("gmail.users.messages.get", "gmail.users.threads.get")
Mirror = dict[str, tuple[str, frozenset[str], str]]


@dataclass(frozen=True)
class Ordeal:
    """How much is thrown at one engine. Seconds between kills are drawn up to `longest_life_s`."""

    messages: int
    kills: int
    longest_life_s: float
    expiries: int
    settle_s: float
    seed: int = 1


async def test_a_short_ordeal_loses_and_doubles_nothing(tmp_path: Path) -> None:
    await _survived(tmp_path, Ordeal(messages=160, kills=3, longest_life_s=2.5, expiries=2, settle_s=60))


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
async def test_a_long_ordeal_loses_and_doubles_nothing(tmp_path: Path, seed: int) -> None:
    await _survived(tmp_path, Ordeal(messages=3_000, kills=20, longest_life_s=12, expiries=2, settle_s=900, seed=seed))


async def _survived(folder: Path, ordeal: Ordeal) -> None:
    mbox = folder / "mail.mbox"
    write_mbox(mbox, ordeal.messages, ordeal.seed)
    with running_sandbox("--mbox", mbox, "--me", ME) as sandbox:
        _break(sandbox, ordeal.seed)
        engine = await _killed_again_and_again(sandbox, folder / "data", ordeal)
        try:
            sandbox.faults.clear()
            await _settled(engine, sandbox, ordeal.settle_s)
            assert await _mirror_equals(engine.data, sandbox)
            assert not [one for one in engine.seen if isinstance(one, ErrorReported) and one.code == "bug"]
        finally:
            await engine.close()


def _break(sandbox: Sandbox, seed: int) -> None:
    """One inner answer in ten fails; now and then a whole call is cut, late or refused."""
    for number, kind in enumerate(INNER_KINDS):
        for method in GETS:
            sandbox.faults.add(kind, method, place="inner", probability=0.02, times=0, seed=seed * 10 + number)
    for number, (kind, seconds) in enumerate((("cut", 0), ("truncate", 0), ("503", 0), ("slow", 0.3))):
        sandbox.faults.add(kind, "*", place="outer", probability=0.02, times=0, seed=seed * 10 + number, seconds=seconds)
    sandbox.faults.add("403-permission", GETS[0], place="inner", times=1, nth=5)


async def _killed_again_and_again(sandbox: Sandbox, data: Path, ordeal: Ordeal) -> EngineProcess:
    """The last engine, after `kills` others died in the middle of their work while the mailbox changed."""
    chance = random.Random(ordeal.seed)
    newcomers = MailGenerator(ordeal.seed + 100, datetime.now(UTC), ME).mails(ordeal.kills * 3 + 3)
    for life in range(ordeal.kills):
        engine = await start_engine(data, sandbox.url, sandbox.token, SETTINGS)
        await asyncio.sleep(chance.uniform(0.3, ordeal.longest_life_s))
        _change(sandbox, chance, [next(newcomers).raw for _ in range(3)])
        if life in _spread(ordeal.expiries, ordeal.kills):
            sandbox.expire_history()
        await engine.kill()
    return await start_engine(data, sandbox.url, sandbox.token, SETTINGS)


def _change(sandbox: Sandbox, chance: random.Random, newcomers: Sequence[bytes]) -> None:
    """Other clients read, star, trash and delete; mail arrives."""
    ids = [one["id"] for one in sandbox.dump()["messages"]]
    sandbox.mail.label(*chance.sample(ids, 12), remove=["UNREAD"])
    sandbox.mail.label(*chance.sample(ids, 6), add=["STARRED"], remove=["INBOX"])
    sandbox.mail.label(*chance.sample(ids, 3), add=["TRASH"], remove=["INBOX"])
    sandbox.mail.delete(*chance.sample(ids, 3))
    for raw in newcomers:
        sandbox.deliver(raw)


async def _settled(engine: EngineProcess, sandbox: Sandbox, within_s: float) -> None:
    """Wait until ids and labels agree; what then still differs is a loss."""
    wanted = {one["id"]: frozenset(one["labelIds"]) for one in sandbox.dump()["messages"]}
    deadline = asyncio.get_running_loop().time() + within_s
    while asyncio.get_running_loop().time() < deadline:
        if {gmail_id: labels for gmail_id, (_, labels, _) in _local(engine.data).items()} == wanted:
            return
        await asyncio.sleep(0.3)


async def _mirror_equals(data: Path, sandbox: Sandbox) -> bool:
    """Compare everything; the assertions name what differs."""
    local, served = _local(data), await _served(sandbox)
    assert local.keys() == served.keys(), f"lost {served.keys() - local.keys()}, doubled {local.keys() - served.keys()}"
    wrong = {one: (local[one], served[one]) for one in served if local[one] != served[one]}
    assert not wrong
    with closing(sqlite3.connect(data / "mail.db")) as connection:
        count = connection.execute("SELECT count(*), count(DISTINCT gmail_id) FROM messages").fetchone()
        waiting = connection.execute("SELECT count(*) FROM to_fetch").fetchone()[0]
        marks = connection.execute("SELECT m.rfc822_id, b.text FROM messages m JOIN bodies b ON b.message_id = m.id").fetchall()
        found = connection.execute("SELECT count(*) FROM mail_fts WHERE mail_fts MATCH 'mark*'").fetchone()[0]
    assert count == (len(served), len(served))
    assert waiting == 0
    assert all(text.count(mark_of(key)) == 1 for key, text in marks)
    assert found == len(served)
    return True


def _local(data: Path) -> Mirror:
    """Thread, labels and a digest of the bodies by message id, from the file."""
    with closing(sqlite3.connect(data / "mail.db", isolation_level=None)) as connection:
        connection.execute("BEGIN")  # one moment for all queries: the engine writes meanwhile
        labels: dict[str, set[str]] = {}
        sql = "SELECT m.gmail_id, l.label FROM messages m LEFT JOIN message_labels l ON l.message_id = m.id"
        for gmail_id, label in connection.execute(sql):
            labels.setdefault(gmail_id, set()).update([label] if label else [])
        sources = "LEFT JOIN html_sources ON message_id = id"
        sql = f"SELECT w.gmail_id, gmail_thread_id, text, html, source FROM whole_messages w {sources}"
        rows = connection.execute(sql).fetchall()
    return {row[0]: (row[1], frozenset(labels[row[0]]), _digest(row[2], _html(row[3], row[4]))) for row in rows}


def _html(clean: bytes, source: bytes | None) -> str:
    """HTML as it is shown, whether it was cleaned by now or not."""
    return unpack_text(clean) if source is None else clean_html(unpack_text(source))


async def _served(sandbox: Sandbox) -> Mirror:
    """The same, fetched one by one without faults."""
    entries: list[dict[str, Any]] = sandbox.dump()["messages"]
    async with connected(Endpoint(f"{sandbox.url}/"), static_credentials(sandbox.token), None) as client:
        fetched = await client.fetch_messages([GmailId(one["id"]) for one in entries])
    messages: list[RemoteMessage] = [one.message for one in fetched if one.message is not None]
    assert len(messages) == len(entries)
    shown = {one.gmail_id: one.body_html or clean_html(one.html_source) for one in messages}
    return {one.gmail_id: (one.gmail_thread_id, one.labels, _digest(one.body_text, shown[one.gmail_id])) for one in messages}


def _digest(text: str, html: str) -> str:
    return hashlib.sha256(f"{text}\0{html}".encode()).hexdigest()


def _spread(count: int, among: int) -> set[int]:
    """`count` numbers below `among`, evenly apart."""
    return {among * (number + 1) // (count + 1) for number in range(count)}
