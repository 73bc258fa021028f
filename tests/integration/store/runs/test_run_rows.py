"""A node log is read as it was written, by Python and by SQL, however rows lean on each other and whatever is replaced."""

import json
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.agents.runs import Route, Run, RunRecord, RunStatus, StepLog
from app.domain.errors import NotFound
from app.domain.ids import AccountId, MessageId, RunId, ThreadId
from app.store.db.database import Database
from app.store.runs.runs import Runs
from fakes.engine.store.rows import start_run
from fakes.engine.store.values import NOON, HandClock

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.sampled_from([0.5, -2.25, 1e-3]),
    st.text(alphabet='aé"\\\n€', max_size=5),
    st.lists(st.integers(0, 9), max_size=2),
    st.dictionaries(st.sampled_from("xy"), st.booleans(), max_size=2),
)
FIELDS = st.dictionaries(st.sampled_from(["a", "b", "c", 'd "e"']), VALUES, max_size=4)
TRAILS = st.lists(st.tuples(st.integers(1, 6), st.lists(st.tuples(FIELDS, st.booleans()), min_size=1, max_size=5)), max_size=5)
"""Each trail: where it begins, and what each of its nodes changes; whether the next one starts from that."""


def run(number: int) -> Run:
    """A run of the store."""
    name = RunId(f"run-{number}")
    return Run(name, AccountId(1), MessageId(1), ThreadId(1), Route.PIPELINE, "", "", RunStatus.QUEUED, 1, NOON)


def steps_of(run_id: RunId, first: int, nodes: list[tuple[dict[str, Any], bool]]) -> tuple[StepLog, ...]:
    """The rows of one stretch."""
    rows: list[StepLog] = []
    state: dict[str, Any] = {"run_id": run_id}
    for order, (changed, goes_on) in enumerate(nodes, first):
        texts = (json.dumps(state, ensure_ascii=False), json.dumps(changed, ensure_ascii=False))
        rows.append(StepLog(run_id, f"n{order}", order, *texts, 1.0, "", NOON + timedelta(seconds=order)))
        state = {**state, **changed} if goes_on else {"run_id": run_id, "again": order}
    return tuple(rows)


@settings(max_examples=60, deadline=None)
@given(TRAILS)
def test_read_as_written(trails: list[tuple[int, list[tuple[dict[str, Any], bool]]]]) -> None:
    with TemporaryDirectory() as folder:
        db = Database.open(Path(folder) / "mail.db")
        runs = Runs(db, HandClock())
        for number in (1, 2, 3):
            start_run(runs, run(number))
        expected: dict[int, StepLog] = {}
        for first, nodes in trails:
            for number in (1, 2, 3):
                rows = steps_of(RunId(f"run-{number}"), first, nodes)
                runs.keep(RunRecord(RunId(f"run-{number}"), rows))
                expected.update({one.step_order: one for one in rows} if number == 2 else {})
        want = [
            (order, one.step_name, json.loads(one.input_state), json.loads(one.output_state)) for order, one in expected.items()
        ]
        found = runs.steps(RunId("run-2"))
        read = [(one.step_order, one.step_name, json.loads(one.input_state), json.loads(one.output_state)) for one in found]
        assert read == sorted(want, key=lambda one: one[0])
        sql = (
            "SELECT step_order, step_name, input_state, output_state FROM agent_logs WHERE trace_id = 'run-2' ORDER BY step_order"
        )
        assert [(one[0], one[1], json.loads(one[2]), json.loads(one[3])) for one in db.read(sql)] == read
        db.close()


def test_what_follows_is_not_stored_again(db: Database, clock: HandClock) -> None:
    """Only the first row, and one that does not follow, have an input."""
    runs = Runs(db, clock)
    start_run(runs, run(1))
    runs.keep(RunRecord(RunId("run-1"), steps_of(RunId("run-1"), 1, [({"a": 1}, True), ({"b": "x" * 50}, False), ({}, True)])))
    rows = db.read("SELECT input_state, follows FROM run_steps ORDER BY place")
    assert [tuple(row) for row in rows] == [
        ('{"run_id": "run-1"}', 0),
        ("", 1),
        ('{"run_id": "run-1", "again": 2}', 0),
    ]


def stretch(first: int, *states: tuple[dict[str, Any], dict[str, Any]]) -> RunRecord:
    """Rows with their inputs and outputs."""
    logs = (
        StepLog(RunId("run-1"), f"n{order}", order, json.dumps(given), json.dumps(changed), 1.0, "", NOON)
        for order, (given, changed) in enumerate(states, first)
    )
    return RunRecord(RunId("run-1"), tuple(logs))


def test_a_new_stretch_stores_what_woke_it_and_no_more(db: Database, clock: HandClock) -> None:
    runs = Runs(db, clock)
    start_run(runs, run(1))
    long = {"run_id": "run-1", "reason": "x" * 80, "ruled": True}
    runs.keep(stretch(1, (long, {"a": 1}), ({**long, "a": 1}, {"b": 2})))
    woken = {**long, "a": 1, "b": 2, "entry": "gate", "ruled": 1}
    runs.keep(stretch(3, (woken, {"verdict": "accept"}), ({**woken, "verdict": "accept"}, {})))
    rows = db.read("SELECT input_state, follows FROM run_steps ORDER BY place")
    assert [tuple(row) for row in rows[1:]] == [("", 1), ('{"ruled": 1, "entry": "gate"}', 2), ("", 3)]
    assert json.loads(runs.steps(RunId("run-1"))[3].input_state) == {**woken, "verdict": "accept"}
    seen = db.read("SELECT input_state FROM agent_logs ORDER BY step_order")
    assert json.loads(seen[2][0]) == woken
    assert type(json.loads(seen[2][0])["ruled"]) is int
    runs.keep(stretch(2, ({**long, "a": 1}, {"b": 3})))
    assert [json.loads(one.input_state).get("b") for one in runs.steps(RunId("run-1"))] == [None, None, 2, 2]


def test_no_chain_grows_for_ever(db: Database, clock: HandClock) -> None:
    runs = Runs(db, clock)
    start_run(runs, run(1))
    for order in range(1, 100):
        runs.keep(stretch(order, ({"run_id": "run-1", "text": "y" * 50}, {})))
    (longest,) = db.read("SELECT max(follows) FROM run_steps")[0]
    assert longest == 40
    assert {one.input_state for one in runs.steps(RunId("run-1"))} == {json.dumps({"run_id": "run-1", "text": "y" * 50})}


def test_what_is_no_object_stays_as_it_is(db: Database, clock: HandClock) -> None:
    runs = Runs(db, clock)
    start_run(runs, run(1))
    rows = tuple(
        StepLog(RunId("run-1"), "n", order, text, text, 1.0, "", NOON) for order, text in ((1, ""), (2, "[1]"), (3, "{"))
    )
    runs.keep(RunRecord(RunId("run-1"), rows))
    assert runs.steps(RunId("run-1")) == rows
    assert [row[0] for row in db.read("SELECT input_state FROM agent_logs ORDER BY step_order")] == ["", "[1]", "{"]


def test_no_rows_without_their_run(db: Database, clock: HandClock) -> None:
    """A run that was wiped leaves nothing behind."""
    runs = Runs(db, clock)
    with pytest.raises(NotFound):
        runs.keep(RunRecord(RunId("gone"), steps_of(RunId("gone"), 1, [({}, True)])))
    assert runs.steps(RunId("gone")) == ()


def test_a_trace_is_found_by_its_place(db: Database) -> None:
    """The view reads the steps of one run and no other's; runs are few and small."""
    plan = [row["detail"] for row in db.read("EXPLAIN QUERY PLAN SELECT * FROM agent_logs WHERE trace_id = 'run-1'")]
    assert not any(one.startswith(("SCAN s", "SCAN b")) for one in plan), plan
