"""Rows wait for `write`, run by run, in order, once."""

import pytest

from app.agent.runtime.run_recorder import RunRecorder
from app.domain.agents.runs import StepLog
from app.domain.ids import RunId
from fakes.engine.agent_mailbox import NOON, Room, mail, verdict

pytestmark = pytest.mark.anyio


def row(run_id: str, order: int) -> StepLog:
    return StepLog(RunId(run_id), f"node{order}", order, "{}", "{}", 1.0, "", NOON)


async def test_rows_are_written_together_and_once(room: Room) -> None:
    first, second = room.put(mail("a"), mail("b", key="m2", thread="t2"))
    room.start(first)
    room.start(second, "run-2")
    book = RunRecorder(room.runs, room.reviews)
    for at in (1, 2):
        book.note(row("run-1", at))
    book.note(row("run-2", 1))
    assert room.steps() == []
    await book.write(RunId("run-1"))
    assert room.steps() == ["node1", "node2"]
    assert room.steps("run-2") == []
    room.db.read("SELECT 1")
    await book.write(RunId("run-1"))
    await book.write(RunId("run-2"))
    assert room.steps("run-2") == ["node1"]


async def test_who_shows_verdicts_is_told_once_they_are_written(room: Room) -> None:
    (message,) = room.put(mail("a"))
    room.start(message)
    told: list[tuple[int, int]] = []
    book = RunRecorder(room.runs, room.reviews, lambda *thread: told.append(thread))
    book.verdict(RunId("run-1"), message, verdict())
    assert told == []
    for _ in range(2):
        await book.write(RunId("run-1"))
    assert told == [(message.account_id, message.thread_id)]
    assert room.messages.triage(message.id) == verdict()
    book.verdict(RunId("run-1"), message, verdict())
    book.drop(RunId("run-1"))
    await book.write(RunId("run-1"))
    assert len(told) == 1
