"""Numbers of Google's of any size: history ids of 64 bits without a sign, and counts, sizes and times that cannot be."""

from pathlib import Path
from typing import Any

import pytest

from app.domain.ids import GmailId
from app.domain.mail.message import Message
from app.domain.protocol.events import ConnectionChanged, ConnectionState, ErrorReported, SyncPhase
from fakes.clock.stepped_sync import Syncing, running
from fakes.engine.sync import SyncStage, sync_stage
from fakes.gmail.sending import question

HALF, END = 2**63, 2**64
"""SQLite's integers end before the one, history ids before the other."""


async def cursor_of(stage: SyncStage) -> int:
    """Where the history is read on from, as stored."""
    cursor = (await stage.mirror.state()).cursor
    assert cursor is not None
    return cursor


def come_and_go(stage: SyncStage, number: int) -> None:
    """A mail arrives, one is changed, one is deleted."""
    stage.sandbox.deliver(question(number))
    first, second, *_ = sorted(stage.served())
    stage.sandbox.mail.label(first, add=["STARRED"])
    stage.sandbox.mail.delete(second)


@pytest.mark.parametrize("after", [HALF - 20, HALF, END - 10_000], ids=["crossing the half", "beyond it", "near the end"])
async def test_a_first_sync_and_its_polls_follow_a_history_of_any_size(tmp_path: Path, after: int) -> None:
    async with sync_stage(tmp_path, 30) as stage:
        stage.sandbox.move_history(after)
        async with running(syncing := Syncing(stage)):
            assert stage.labels() == stage.served()
            for number in range(3):
                come_and_go(stage, number)
                await syncing.on(rang=True)
                assert stage.labels() == stage.served()
            assert await cursor_of(stage) == (await stage.client.profile()).history_id > HALF
        assert syncing.states() == [ConnectionState.ONLINE]
        assert not [one for one in syncing.told if isinstance(one, ErrorReported)]


async def test_a_history_grows_beyond_the_half_while_the_program_is_away(tmp_path: Path) -> None:
    async with sync_stage(tmp_path, 30) as stage:
        async with running(Syncing(stage)):
            assert await cursor_of(stage) < HALF
        stage.sandbox.move_history(HALF + 5)
        come_and_go(stage, 1)
        async with running(Syncing(stage)):
            assert stage.labels() == stage.served()
            assert await cursor_of(stage) > HALF
        come_and_go(stage, 2)
        async with running(again := Syncing(stage)):
            assert stage.labels() == stage.served()
        assert again.states() == [ConnectionState.ONLINE]
        assert "messages.list" not in {one["method"].removeprefix("gmail.users.") for one in stage.sandbox.log()[-4:]}


@pytest.mark.parametrize("after", [HALF - 20, END - 10_000], ids=["crossing the half", "near the end"])
async def test_an_expired_cursor_of_any_size_is_rebuilt_from_lists(tmp_path: Path, after: int) -> None:
    async with sync_stage(tmp_path, 30) as stage:
        stage.sandbox.move_history(after)
        async with running(syncing := Syncing(stage)):
            come_and_go(stage, 1)
            stage.sandbox.expire_history()
            come_and_go(stage, 2)
            await syncing.on(rang=True)
            assert stage.labels() == stage.served()
            assert await cursor_of(stage) == (await stage.client.profile()).history_id
            come_and_go(stage, 3)
            await syncing.on(rang=True)
            assert stage.labels() == stage.served()


@pytest.mark.parametrize("told", ["0", "-5", str(END), "9" * 40, "", "many", 1.5, None], ids=str)
async def test_a_history_id_that_is_none_is_said_and_ends_with_it(tmp_path: Path, told: Any) -> None:
    async with sync_stage(tmp_path, 10) as stage:
        async with running(syncing := Syncing(stage)):
            before = await cursor_of(stage)
            stage.sandbox.set_habits(odd_numbers={"": {"historyId": told}})
            come_and_go(stage, 1)
            assert await syncing.on(rang=True) <= 2
            assert await cursor_of(stage) == before
            trouble = [one for one in syncing.told if isinstance(one, ConnectionChanged)][-1]
            assert (trouble.state, "history id" in trouble.detail) == (ConnectionState.OFFLINE, True)
            stage.sandbox.set_habits()
            await syncing.on(rang=True)
            assert stage.labels() == stage.served()
        assert not [one for one in syncing.told if isinstance(one, ErrorReported)], "it is no fault of the program's"


ODD: list[dict[str, Any]] = [
    {"sizeEstimate": 10**30},
    {"sizeEstimate": -1},
    {"sizeEstimate": 1e30},
    {"sizeEstimate": "9" * 20},
    {"sizeEstimate": None},
    {"internalDate": str(10**18)},
    {"internalDate": str(253402300799999)},
    {"internalDate": 2**63 - 1},
    {"internalDate": "-5"},
    {"internalDate": 1.5},
    {"historyId": str(END - 1)},
    {"historyId": str(10**30)},
    {"historyId": "-1"},
    {"historyId": None},
]


def mirrored(stage: SyncStage, gmail_id: str) -> Message:
    """A message that has come."""
    found = stage.tables.messages.by_gmail_id(stage.account, GmailId(gmail_id))
    assert found is not None
    return found


@pytest.mark.parametrize("numbers", ODD, ids=str)
async def test_a_message_with_an_odd_number_comes_and_holds_no_other_up(tmp_path: Path, numbers: dict[str, Any]) -> None:
    async with sync_stage(tmp_path, 6) as stage:
        odd = stage.sandbox.deliver(question(1).replace(b"Subject:", b"Date: Tue, 03 Mar 2026 10:00:00 +0000\r\nSubject:"))["id"]
        stage.sandbox.set_habits(odd_numbers={odd: numbers})
        async with running(syncing := Syncing(stage)):
            assert stage.labels() == stage.served()
            message = mirrored(stage, odd)
            assert 1970 < message.date.year < 2100
            size = stage.tables.db.read("SELECT size FROM messages WHERE id = ?", (message.id,))[0][0]
            assert 0 <= size < 2**31
        assert syncing.phases()[-1] is SyncPhase.CURRENT
        assert not [one for one in syncing.told if isinstance(one, ErrorReported)]


WITH_FILE = (
    b"From: Ann <ann@partner.org>\r\nTo: me@example.com\r\nSubject: File\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee.\r\n'
    b'--b\r\nContent-Type: application/pdf; name="a.pdf"\r\nContent-Disposition: attachment; filename="a.pdf"\r\n\r\n'
    b"%PDF\r\n--b--\r\n"
)


@pytest.mark.parametrize("size", [10**30, 2**63, -1, 1e300, "7", None], ids=str)
async def test_a_file_of_an_odd_size_comes_with_its_mail(tmp_path: Path, size: object) -> None:
    async with sync_stage(tmp_path, 3) as stage:
        odd = stage.sandbox.deliver(WITH_FILE)["id"]
        stage.sandbox.set_habits(odd_numbers={"": {"size": size}})
        async with running(Syncing(stage)):
            assert stage.labels() == stage.served()
            (file,) = mirrored(stage, odd).attachments
            assert (file.filename, 0 <= file.size < 2**31) == ("a.pdf", True)


@pytest.mark.parametrize("count", [10**30, 2**63, -1, 1e300, "12", None], ids=str)
async def test_odd_counts_of_a_mailbox_stop_nothing_and_take_nothing_away(tmp_path: Path, count: object) -> None:
    async with sync_stage(tmp_path, 20) as stage:
        stage.sandbox.set_habits(odd_numbers={"": {"messagesTotal": count, "resultSizeEstimate": count}})
        async with running(syncing := Syncing(stage)):
            assert stage.labels() == stage.served()
            stage.sandbox.expire_history()
            come_and_go(stage, 1)
            await syncing.on(rang=True)
            assert stage.labels() == stage.served()
        assert syncing.phases()[-1] is SyncPhase.CURRENT
        assert all(0 <= one.done <= one.total < 2**31 for one in syncing.progress())
        assert not [one for one in syncing.told if isinstance(one, ErrorReported)]
