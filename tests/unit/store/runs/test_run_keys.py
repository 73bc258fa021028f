"""Runs are found by their names, old and new, without reading them all; their rows never meet."""

from datetime import timedelta

import pytest

from app.domain.agents.runs import Route, Run, RunStatus
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import AccountId, MessageId, RunId, ThreadId
from app.store.db.database import Database
from app.store.runs.run_rows import is_run, of_mail, of_steps, of_tools, run_name
from app.store.runs.runs import Runs
from fakes.engine.store.rows import start_run
from fakes.engine.store.values import NOON, HandClock


def run(run_id: RunId, mail: int) -> Run:
    """A run of a mail."""
    identity = (run_id, AccountId(1), MessageId(mail), ThreadId(mail))
    return Run(*identity, Route.PIPELINE, "", "", RunStatus.QUEUED, 1, NOON + timedelta(seconds=mail))


def test_every_run_has_its_place(db: Database, clock: HandClock) -> None:
    """Named after the mail or not, two of a mail or one: each is found, and nothing else."""
    runs = Runs(db, clock)
    names = [run_name(MessageId(mail), which) for mail in (1, 2, 140) for which in ("0", "a-b")]
    for name in names:
        start_run(runs, run(name, int(name.split("-")[1])))
    start_run(runs, run(RunId("old"), 2))
    start_run(runs, run(names[0], 1))
    assert [runs.get(name).id for name in (*names, RunId("old"))] == [*names, "old"]
    assert {one.id for one in runs.by_message(MessageId(2))} == {"mail-2-0", "mail-2-a-b", "old"}
    for absent in ("mail-1-1", "mail-3-0", "mail-", "mail-x-0", "mail-99999999999999-0", "older"):
        with pytest.raises(NotFound):
            runs.get(RunId(absent))


@pytest.mark.parametrize("name", ["mail-2-0", "run-1", "8c2f6a3e-0d3c-5f5c-9f62-0c5d3f7a1b11"])
def test_no_name_makes_it_read_all_runs(db: Database, name: str) -> None:
    condition, args = is_run(RunId(name))
    plan = db.read(f"EXPLAIN QUERY PLAN SELECT * FROM runs WHERE {condition}", args)
    assert [row["detail"].split()[0] for row in plan] == ["SEARCH"]


def test_a_name_is_for_its_mail_alone(db: Database, clock: HandClock) -> None:
    """A run that its name would not find is not written."""
    with pytest.raises(NotAllowed, match="not for runs of message 1"):
        start_run(Runs(db, clock), run(RunId("mail-2-0"), 1))
    assert not Runs(db, clock).by_message(MessageId(1))


def test_a_mail_has_room_for_so_many_runs(db: Database, clock: HandClock) -> None:
    """The next mail's places are never taken."""
    runs = Runs(db, clock)
    start_run(runs, run(run_name(MessageId(1), "0"), 1))
    with db.transaction() as connection:
        connection.execute("UPDATE runs SET seq = ?", (of_mail(MessageId(1))[1],))
    with pytest.raises(NotAllowed, match="1024 runs on message 1"):
        start_run(runs, run(run_name(MessageId(1), "1"), 1))


def test_rows_of_neighbours_never_meet() -> None:
    """Tools, then steps, then the next run's."""
    for seq in (0, 1, of_mail(MessageId(7))[1]):
        edges = (*of_tools(seq), *of_steps(seq), *of_tools(seq + 1))
        assert list(edges) == sorted(edges)
        assert edges[1] + 1 == edges[2]
        assert edges[3] + 1 == edges[4]
