"""The mirror equals the mailbox: after the first sync, after changes, after faults, crashes and an expired cursor.

In whatever order the owner, another client, the sender and sync act, and wherever sync is cut off, both sides agree then.
"""

import asyncio
import email.policy
import re
import unicodedata
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path

import pytest

from app.domain.ids import AccountId
from app.domain.protocol.account_commands import WindowAttention
from app.domain.protocol.commands import SyncNow
from app.domain.protocol.events import ConnectionChanged, ConnectionState, ErrorReported, SyncPhase, SyncProgress
from app.store.mail.messages import Messages
from fakes.clock.interleaved_sync import AnyOrder
from fakes.clock.stepped_sync import Syncing, running
from fakes.engine.engine_process import QUICK, EngineProcess, running_engine, start_engine
from fakes.engine.sync import SyncStage, sync_stage
from fakes.gmail.google_client import google_service
from fakes.gmail.sandbox import Sandbox, running_sandbox
from fakes.gmail.sending import opened, question

SAMPLE = Path(__file__).resolve().parents[4] / "resources" / "sample"
ME = AccountId(1)
Mirror = dict[str, tuple[str, frozenset[str]]]


def remote(sandbox: Sandbox) -> Mirror:
    """Thread and labels by message id, as the server has them."""
    return {one["id"]: (one["threadId"], frozenset(one["labelIds"])) for one in sandbox.dump()["messages"]}


def local(data: Path) -> Mirror:
    """The same from the store."""
    with opened(data) as db:
        messages = Messages(db)
        found = (messages.by_gmail_id(ME, gmail_id) for gmail_id in messages.have(ME))
        return {one.gmail_id: (one.gmail_thread_id, one.labels) for one in found if one is not None}


async def settled(engine: EngineProcess, sandbox: Sandbox) -> None:
    """Wait until the mirror equals the mailbox."""
    engine.client.send(SyncNow())
    wanted = remote(sandbox)
    await engine.until(lambda: local(engine.data) == wanted)


async def current(engine: EngineProcess) -> SyncProgress:
    """Wait until the first sync is done."""
    return await engine.event(SyncProgress, lambda one: one.phase is SyncPhase.CURRENT)


@asynccontextmanager
async def synced(data: Path, *arguments: str | Path) -> AsyncIterator[tuple[EngineProcess, Sandbox]]:
    with running_sandbox(*arguments) as sandbox:
        async with running_engine(data, sandbox.url, sandbox.token) as engine:
            await current(engine)
            yield engine, sandbox


def words(text: str) -> list[str]:
    """The words that a reader sees, whatever the line breaks and invisible characters."""
    return re.findall(r"\w+", "".join(sign for sign in text if unicodedata.category(sign) != "Cf"))


async def test_the_sample_mailbox_is_mirrored_whole_then_follows_every_change(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with synced(data, "--sample", SAMPLE) as (engine, sandbox):
        done = await current(engine)
        assert (done.done, done.total) == (sandbox.messages, sandbox.messages)
        assert local(data) == remote(sandbox)
        bodies_agree(data, sandbox)

        ids = sorted(remote(sandbox))
        sandbox.mail.label(*ids[:30], add=["STARRED"], remove=["UNREAD"])
        sandbox.mail.delete(*ids[40:45])
        sandbox.mail.label(ids[50], add=["TRASH"], remove=["INBOX"])
        sandbox.deliver(question(1))
        await settled(engine, sandbox)

        sandbox.expire_history()
        sandbox.mail.label(*ids[60:90], add=["IMPORTANT"], remove=["INBOX"])
        sandbox.mail.delete(*ids[91:95])
        sandbox.deliver(question(2))
        await settled(engine, sandbox)
        assert not [one for one in engine.seen if isinstance(one, ErrorReported)]


async def test_who_comes_back_to_the_window_finds_labels_made_renamed_and_deleted_elsewhere(tmp_path: Path) -> None:
    """At the pace of nobody looking the next poll would come in an hour. The list of labels is read every five minutes, and for
    a label that nobody knows yet."""
    unhurried = QUICK.replace("poll_s = 1\n", "poll_s = 1200\n")

    async def named(engine: EngineProcess, *names: str) -> None:
        await engine.do(WindowAttention(looked_at=False))
        await engine.do(WindowAttention(looked_at=True))
        await engine.until(lambda: tuple(one.name for one in engine.reader.labels(ME) if one.kind == "user") == names)

    with running_sandbox() as sandbox:
        there = sandbox.deliver(question(1))
        elsewhere = google_service("gmail.v1", sandbox.url, sandbox.token).users().labels()
        async with running_engine(tmp_path / "data", sandbox.url, sandbox.token, unhurried) as engine:
            await current(engine)
            made = elsewhere.create(userId="me", body={"name": "Trips"}).execute()
            sandbox.mail.label(there["id"], add=[made["id"]])
            await named(engine, "Trips")
            elsewhere.patch(userId="me", id=made["id"], body={"name": "Journeys"}).execute()
            again = elsewhere.create(userId="me", body={"name": "Work"}).execute()
            sandbox.mail.label(there["id"], add=[again["id"]])
            await named(engine, "Journeys", "Work")
            elsewhere.delete(userId="me", id=made["id"]).execute()
            await settled(engine, sandbox)


def bodies_agree(data: Path, sandbox: Sandbox) -> None:
    """Plain-text mails have, word for word, the text that another parser finds in their bytes."""
    compared = 0
    with opened(data) as db:
        messages = Messages(db)
        for gmail_id in messages.have(ME):
            parsed = message_from_bytes(sandbox.mail.raw(gmail_id), _class=EmailMessage, policy=email.policy.default)
            stored = messages.by_gmail_id(ME, gmail_id)
            assert words(stored.subject) == words(str(parsed["Subject"] or ""))
            text = parsed.get_content() if parsed.get_content_type() == "text/plain" else ""
            if text and "\ufffd" not in text:  # else its charset is not the declared one, which only the client mends
                assert words(stored.body_text) == words(text), gmail_id
                compared += 1
    assert compared > 50


async def test_faults_while_syncing_lose_nothing(tmp_path: Path) -> None:
    with running_sandbox("--sample", SAMPLE) as sandbox:
        for kind in ("429", "503"):
            sandbox.faults.add(kind, "gmail.users.messages.get", place="inner", probability=0.1, times=3, seed=3)
            sandbox.faults.add(kind, "gmail.users.threads.get", place="inner", probability=0.3, times=2, seed=4)
        sandbox.faults.add("truncate", "gmail.users.messages.list", nth=2)
        sandbox.faults.add("cut", "gmail.users.history.list", nth=2)
        async with running_engine(tmp_path / "data", sandbox.url, sandbox.token) as engine:
            await settled(engine, sandbox)


async def test_a_crash_in_the_first_sync_goes_on_where_it_stopped(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running_sandbox("--sample", SAMPLE) as sandbox:
        slow = sandbox.faults.add("slow", "gmail.users.*.get", place="inner", seconds=0.05, times=0)
        engine = await start_engine(data, sandbox.url, sandbox.token)
        await engine.event(SyncProgress, lambda one: one.done >= 40)
        await engine.kill()
        before = set(local(data))
        assert 40 <= len(before) < sandbox.messages
        sandbox.faults.remove(slow)
        counted = sandbox.counters()["methods"]
        fetched_before = counted.get("gmail.users.messages.get", 0)
        async with running_engine(data, sandbox.url, sandbox.token) as again:
            await settled(again, sandbox)
        fetched = sandbox.counters()["methods"].get("gmail.users.messages.get", 0) - fetched_before
        assert fetched <= sandbox.messages - len(before)


async def test_a_server_that_comes_late_and_goes_away_is_told_and_waited_for(tmp_path: Path) -> None:
    with running_sandbox() as sandbox:
        rule = sandbox.faults.add("cut", "*", times=0)
        async with running_engine(tmp_path / "data", sandbox.url, sandbox.token) as engine:
            await engine.event(ConnectionChanged, lambda one: one.state is ConnectionState.OFFLINE)
            sandbox.faults.remove(rule)
            engine.client.send(SyncNow())
            await engine.event(ConnectionChanged, lambda one: one.state is ConnectionState.ONLINE)
            await current(engine)


async def test_a_refused_token_asks_for_a_sign_in(tmp_path: Path) -> None:
    with running_sandbox() as sandbox:
        async with running_engine(tmp_path / "data", sandbox.url, "no-such-token") as engine:
            await engine.event(ConnectionChanged, lambda one: one.state is ConnectionState.LOGIN_NEEDED)


SOAK = range(100, 160)


async def in_any_order(stage: SyncStage, order: AnyOrder, rests: int) -> None:
    """Sync for so many rests, cut off every few of them."""
    while rests > 0:
        syncing = Syncing(stage, poll_s=5.0, server=order.server())
        async with asyncio.timeout(120), running(syncing):
            for _ in range(order.chance.randint(1, 6)):
                rests -= 1
                await order.strike()
                await syncing.on(rang=order.chance.random() < 0.5)
        stage.tables.outbox.release_leases()


async def calmed_down(stage: SyncStage, order: AnyOrder) -> None:
    """Everything that waits leaves, and sync has its time."""
    order.calm = True
    stage.sandbox.faults.clear()
    for _ in range(2):
        while await order.send_one():
            pass
        async with running(syncing := Syncing(stage, poll_s=5.0)):
            for _ in range(14):
                await syncing.on()


async def agreed(folder: Path, seed: int) -> None:
    async with sync_stage(folder, 40) as stage:
        stage.tables.accounts.set_consent(stage.account, 0)
        order = AnyOrder(stage, seed)
        await in_any_order(stage, order, 12)
        await calmed_down(stage, order)
        assert stage.labels() == stage.served(), order.acts
        sent = {one for one, labels in stage.served().items() if "SENT" in labels}
        assert {one for one in stage.served() if stage.outgoing(one)} == sent
        assert stage.waiting() == ()


@pytest.mark.parametrize("seed", [2, 24])
async def test_both_sides_agree_in_the_end(tmp_path: Path, seed: int) -> None:
    await agreed(tmp_path, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SOAK)
async def test_both_sides_agree_whatever_happened(tmp_path: Path, seed: int) -> None:
    await agreed(tmp_path, seed)
