"""What the engine has not dealt with: order, deaths, the one that kills, and the file at quit."""

from pathlib import Path

import pytest

from app.domain.drafting.review import Action
from app.domain.errors import BadFile
from app.domain.ids import AccountId, ReviewId
from app.domain.protocol.account_commands import SignInAgain
from app.domain.protocol.commands import ConnectGmail, Decide, Shutdown, StoreKey, SyncNow, Undo
from app.domain.wire import Command
from app.ui.services.engine_bridge import GIVEN_UP_AFTER, PendingCommands


def decide(number: int) -> Decide:
    return Decide(ReviewId(number), 1, Action.ACCEPT)


def write_all(queue: PendingCommands, first: int = 1) -> list[Command]:
    """Take as much as may go and say that it was written."""
    written: list[Command] = []
    while (command := queue.take()) is not None:
        queue.written(first + len(written), command)
        written.append(command)
    return written


def test_commands_go_in_order_and_again_after_a_death() -> None:
    queue = PendingCommands()
    for number in (1, 2, 3):
        queue.add(decide(number))
    assert write_all(queue) == [decide(1), decide(2), decide(3)]
    queue.done(1)
    queue.add(decide(4))
    assert queue.engine_died() is None
    assert write_all(queue, 10) == [decide(2), decide(3), decide(4)]


def test_a_shutdown_is_not_asked_again() -> None:
    queue = PendingCommands()
    queue.add(Shutdown())
    write_all(queue)
    queue.engine_died()
    assert queue.take() is None


def test_a_restart_by_design_is_no_death_and_brings_the_keys_of_the_session_back() -> None:
    queue, kept, changed = PendingCommands(), StoreKey("openai", "sk-1", True), StoreKey("mistral", "sk-2", True)
    stored, removed = StoreKey("anthropic", "sk-3"), StoreKey("mistral", "")
    for command in (kept, changed, stored, removed):
        queue.add(command)
    write_all(queue)
    for number in range(1, 5):
        queue.done(number)
    queue.add(decide(1))
    for at in range(GIVEN_UP_AFTER + 1):
        queue.engine_restarts()
        assert write_all(queue, 10 * at + 10) == [kept, decide(1)]
        queue.done(10 * at + 10)
    assert queue.engine_died() is None


@pytest.mark.parametrize("killer", [1, 2, 3])
def test_only_the_command_that_ends_the_engine_is_given_up(killer: int) -> None:
    queue, dealt_with, given_up, number = PendingCommands(), [], [], 0
    for one in (1, 2, 3):
        queue.add(decide(one))
    for _ in range(GIVEN_UP_AFTER + 1):
        written = write_all(queue, number + 1)
        for command in written:
            number += 1
            if command == decide(killer):
                number += len(written)
                given_up.append(queue.engine_died())
                break
            queue.done(number)
            dealt_with.append(command)
    assert given_up == [None] * (GIVEN_UP_AFTER - 1) + [decide(killer)]
    assert dealt_with == [decide(one) for one in (1, 2, 3) if one != killer]


def test_what_is_left_at_quit_comes_first_at_the_next_start(tmp_path: Path) -> None:
    kept = tmp_path / "undelivered.bin"
    before = PendingCommands(kept)
    before.add(decide(1))
    before.add(Undo(ReviewId(1)))
    write_all(before)
    before.done(1)
    before.add(SyncNow())
    before.add(Shutdown())
    before.keep()
    assert kept.stat().st_mode & 0o077 == 0
    after = PendingCommands(kept)
    after.add(decide(9))
    after.load()
    assert write_all(after) == [Undo(ReviewId(1)), SyncNow(), decide(9)]
    for number in (1, 2):
        after.done(number)
    assert kept.exists()
    after.done(3)
    assert not kept.exists()


def test_a_secret_is_written_to_no_file(tmp_path: Path) -> None:
    kept = tmp_path / "undelivered.bin"
    queue = PendingCommands(kept)
    queue.add(StoreKey("openai", "sk-very-secret"))
    queue.keep()
    assert not kept.exists()
    queue.add(decide(1))
    queue.keep()
    assert b"secret" not in kept.read_bytes()
    assert write_all(queue) == [StoreKey("openai", "sk-very-secret"), decide(1)]


def test_no_browser_opens_by_itself_at_the_next_start(tmp_path: Path) -> None:
    kept = tmp_path / "undelivered.bin"
    queue = PendingCommands(kept)
    queue.add(ConnectGmail(tmp_path / "client.json"))
    queue.add(SignInAgain(AccountId(1)))
    write_all(queue)
    queue.keep()
    assert not kept.exists()


def test_with_nothing_left_there_is_no_file(tmp_path: Path) -> None:
    kept = tmp_path / "undelivered.bin"
    queue = PendingCommands(kept)
    queue.add(decide(1))
    queue.keep()
    assert kept.exists()
    write_all(queue)
    queue.done(1)
    assert not kept.exists()
    queue.keep()
    assert not kept.exists()
    PendingCommands(kept).load()


@pytest.mark.parametrize("data", [b"no frames at all, nothing like it", b"\x00\x00\x00\x09abc"])
def test_an_unreadable_file_is_put_aside_and_told(tmp_path: Path, data: bytes) -> None:
    kept = tmp_path / "undelivered.bin"
    kept.write_bytes(data)
    with pytest.raises(BadFile):
        PendingCommands(kept).load()
    assert not kept.exists()
    assert kept.with_suffix(".unreadable").read_bytes() == data
