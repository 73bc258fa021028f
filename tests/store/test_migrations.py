"""Every old age of the file is kept in tests/data/stores and comes up to date; the schema is the same on every way."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.errors import DiskFull
from app.domain.ids import AccountId, GmailId, MessageId
from app.store.accounts import Accounts
from app.store.database import Database
from app.store.messages import Messages
from app.store.migrate import STEPS, backup_path, migrate
from app.store.runs import Runs
from app.store.schema_version import VERSION
from app.store.trouble import converted
from fakes.stored_mail import NOON

OLD = range(1, VERSION + 1)


@pytest.fixture(params=OLD)
def age(request: pytest.FixtureRequest) -> int:
    """A version that a user may still have."""
    return int(request.param)


@pytest.fixture
def old_store(age: int, root: Path, tmp_path: Path) -> Path:
    """A copy of a file of that version, written by the program of its time."""
    path = tmp_path / "mail.db"
    shutil.copy(root / "tests" / "data" / "stores" / f"v{age:04d}.db", path)
    return path


def schema(path: Path) -> dict[str, str]:
    """Every object and its definition."""
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


def test_versions_are_numbered() -> None:
    """The version is the number of steps."""
    assert len(STEPS) == VERSION


def test_an_old_store_comes_up_to_date(old_store: Path, age: int, tmp_path: Path) -> None:
    """The mail of an old file is there after opening; a copy of the old file stands beside it."""
    before = schema(old_store)
    with closing(Database.open(old_store)) as db:
        assert db.read("PRAGMA user_version")[0][0] == VERSION
        message = Messages(db).by_gmail_id(AccountId(1), GmailId("18c0ffee"))
        assert message is not None
        assert message.subject == "Príliš žluťoučký kůň"
        assert db.read("SELECT count(*) FROM mail_fts WHERE mail_fts MATCH 'zlutoucky'")[0][0] == 1
        assert Accounts(db).sync_state(AccountId(1)).cursor == 4711
        options = {row[0]: row[1] for row in db.read("SELECT k, v FROM mail_fts_config")}
        assert (options["hashsize"], options["automerge"], options["crisismerge"]) == (4 << 20, 32, 64)
        db.check()
    with closing(Database.open(tmp_path / "new.db")):
        pass
    assert schema(old_store) == schema(tmp_path / "new.db")
    backup = backup_path(old_store, age)
    assert backup.exists() == (age < VERSION)
    if backup.exists():
        assert schema(backup) == before


def test_a_new_store_has_no_backup(tmp_path: Path) -> None:
    """There is nothing to copy."""
    with closing(Database.open(tmp_path / "mail.db")):
        pass
    assert not list(tmp_path.glob("*.bak"))


def test_a_step_that_does_not_fit_leaves_the_old_age(root: Path, tmp_path: Path) -> None:
    """A full disk in the middle of a step: the file has its old version, whole."""
    path = tmp_path / "mail.db"
    shutil.copy(root / "tests" / "data" / "stores" / "v0001.db", path)
    before = schema(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        size = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {size + 3}")
        with pytest.raises(DiskFull), converted():
            migrate(connection, path)
        assert connection.execute("PRAGMA user_version").fetchone()[0] == 1
    assert schema(path) == before
    with closing(Database.open(path)) as db:
        assert len(Messages(db).have(AccountId(1))) == 2


FILLED_AT_10 = """
INSERT INTO runs (rowid, id, account_id, message_id, thread_id, route, rule, profile, status, graph_version, created_at,
    updated_at, answer, error) VALUES (41, 'zz', 1, 1, 1, 'pipeline', 'r', '', 'waiting', 1, 5, 6, 1, ''),
    (77, 'aa', 1, 2, 1, 'agent', '', 'p', 'done', 1, 7, 8, 0, 'e');
INSERT INTO agent_logs VALUES ('zz', 2, 'classify', '{"a": 1, "n": null}', '{"b": 2}', 2.5, '', 11),
    ('aa', 1, 'route', '{}', '{}', 1.0, 'oops', 12), ('zz', 1, 'route', '', '{"n": null}', 1.0, '', 10),
    ('swept', 1, 'route', '{}', '{}', 1.0, '', 1);
INSERT INTO tool_executions VALUES ('zz', 'c', 't', '{}', '{}', '', 1.0, 13);
INSERT INTO email_events VALUES (9, 2, 'aa', 'routed', '{}', 3),
    (3, 1, 'zz', 'routed', '{"x": 1}', 1), (5, 1, 'zz', 'k', '{}', 2);
INSERT INTO jobs (id, kind, key, payload, priority, newest, run_at, attempts, lease_until, failed_at, error) VALUES
    (900, 'wake', 'w', '{"p": 1}', 1, 2, 3, 4, 5, NULL, 'later'), (901, 'index', '7', 'old', 0, 1, 0, 3, 0, 99, 'failed'),
    (902, 'index', '7', 'open', 0, 1, 0, 0, 0, NULL, ''), (903, 'index', '8', '', 0, 1, 0, 3, 0, 98, 'failed twice'),
    (904, 'index', '8', '', 0, 1, 0, 3, 0, 99, 'failed last');
"""


def test_what_runs_left_moves_whole_to_version_11(root: Path, tmp_path: Path) -> None:
    """Runs keep their order and logs their words; of a job that failed and was put again, the open one stays."""
    path = tmp_path / "mail.db"
    shutil.copy(root / "tests" / "data" / "stores" / "v0010.db", path)
    queries = {
        "SELECT * FROM agent_logs WHERE trace_id IN ('zz', 'aa') ORDER BY trace_id, step_order": 3,
        "SELECT message_id, id, run_id, kind, detail, at FROM email_events ORDER BY message_id, id": 3,
        "SELECT run_id, call_id, tool, arguments, result, error, latency_ms, at FROM tool_executions ORDER BY run_id": 1,
        """SELECT id, account_id, message_id, thread_id, route, rule, profile, status, graph_version, created_at, updated_at,
            answer, error FROM runs ORDER BY rowid""": 3,
        "SELECT step_name, subject, route FROM agent_log_snapshots ORDER BY trace_id, step_order": 3,
    }
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FILLED_AT_10)
        before = {sql: connection.execute(sql).fetchall() for sql in queries}
    with closing(Database.open(path)) as db:
        for sql, count in queries.items():
            assert [tuple(row) for row in db.read(sql)] == [row for row in before[sql] if "swept" not in row], sql
            assert len(before[sql]) >= count
        jobs = {(row["kind"], row["key"]): row for row in db.read("SELECT * FROM jobs WHERE id >= 900")}
        assert set(jobs) == {("wake", "w"), ("index", "7"), ("index", "8")}
        assert (jobs["index", "7"]["payload"], jobs["index", "7"]["failed_at"]) == ("open", None)
        assert jobs["index", "8"]["error"] == "failed last"
        assert tuple(jobs["wake", "w"]) == ("wake", "w", 900, '{"p": 1}', 1, 2, 3, 4, 5, None, "later")
        db.check()


FILLED_AT_14 = """
INSERT INTO runs (seq, id, account_id, message_id, thread_id, route, rule, profile, status, graph_version, created_at,
    updated_at, answer, error) VALUES (900, 'later', 1, 2, 1, 'agent', 'r', 'p', 'waiting', 1, 5, 6, 1, ''),
    (901, 'again', 1, 2, 1, 'pipeline', '', '', 'done', 1, 7, 8, 0, 'e'),
    (902, 'of-1', 1, 1, 1, 'pipeline', '', '', 'done', 1, 9, 9, 0, '');
INSERT INTO run_steps VALUES ((901 << 20) + 1, 'route', '{"a": 1}', '{"b": 2}', 1.0, '', 12, 0),
    ((901 << 20) + 2, 'gate', '{"c": 3}', '{}', 2.0, 'oops', 13, 1), ((900 << 20) + 1, 'route', '{}', '{}', 1.0, '', 11, 0);
INSERT INTO tool_executions VALUES ('again', 'z', 'first', '{}', '"x"', '', 1.0, 13),
    ('later', 'c', 't', '{}', '{}', '', 1.0, 14),
    ('again', 'a', 'second', '{}', '{}', 'no', 1.5, 13), ('nobody', 'a', 'gone', '{}', '{}', '', 1.5, 13);
INSERT INTO email_events VALUES (2, 1, 'later', 'routed', '{"x": 1}', 3), (2, 2, 'later', 'k', '{}', 4);
INSERT INTO reviews VALUES (70, 'later', 'k', 1, 2, 1, 'reply', 'approved', 2, 1, 5, 6, 7, 2),
    (72, 'of-1', 'k', 1, 1, 1, 'notify', 'pending', 1, 1, 5, 6, NULL, 2);
INSERT INTO review_revisions VALUES
    (70, 1, 'agent', 'respond', 'inquiry', 0.5, 'why', 'm', 'd1', 'q', 'dt', 'h', '[]', '[1]', '[2]', 1.5,
        1, 0, 6),
    (70, 2, 'user', 'respond', 'inquiry', 0.5, 'why', 'm', 'd2', 'q', 'dt', 'h', '[]', '[1]', '[2]', 1.5,
        0, 3, 7),
    (72, 1, 'agent', 'notify', 'other', 0.5, 'why', 'm', '', '', '', '', '[]', '[]', '[]', 1.5, 1, 0, 6);
INSERT INTO decisions VALUES (55, 70, 2, 'edit', '', 'approved', 0, '', 7, NULL);
INSERT INTO kept_drafts VALUES (55, 1, 's', 'c', 'edited', 0.5, '', 7);
DELETE FROM reviews WHERE id = 72;
"""


def test_what_runs_left_moves_whole_to_version_15(root: Path, tmp_path: Path) -> None:
    """Logs, tools in their order, events, revisions and decisions are the same; no number of a review is given twice."""
    path = tmp_path / "mail.db"
    shutil.copy(root / "tests" / "data" / "stores" / "v0014.db", path)
    revisions = """SELECT review_id, revision, author, decision, category, confidence, reason, maker, draft, request, detail,
        plan_hash, flags, sources, tools, elapsed_ms, complete, flag_count, created_at FROM review_revisions ORDER BY 1, 2"""
    queries = {
        "SELECT * FROM agent_logs ORDER BY trace_id, step_order": 4,
        "SELECT step_name, subject, route FROM agent_log_snapshots ORDER BY trace_id, step_order": 4,
        "SELECT * FROM email_events ORDER BY message_id, id": 3,
        """SELECT id, account_id, message_id, thread_id, route, rule, profile, status, graph_version, created_at, updated_at,
            answer, error FROM runs ORDER BY id""": 4,
        "SELECT * FROM reviews ORDER BY id": 2,
        revisions: 3,
        "SELECT * FROM decisions ORDER BY id": 1,
        "SELECT * FROM kept_drafts ORDER BY decision_id": 1,
    }
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.executescript(FILLED_AT_14)
        before = {sql: connection.execute(sql).fetchall() for sql in queries}
    with closing(Database.open(path)) as db:
        for sql, count in queries.items():
            assert [tuple(row) for row in db.read(sql)] == before[sql], sql
            assert len(before[sql]) >= count, sql
        tools = db.read("SELECT call_id, tool, result, error FROM tool_executions WHERE run_id = 'again' ORDER BY call_order")
        assert [tuple(row) for row in tools] == [("z", "first", '"x"', ""), ("a", "second", "{}", "no")]
        assert not db.read("SELECT 1 FROM tool_executions WHERE tool = 'gone'")
        assert db.read("SELECT id FROM highest_ids WHERE name = 'reviews'")[0][0] == 72
        assert not db.read("PRAGMA foreign_key_check")
        assert {one.id for one in Runs(db, lambda: NOON).by_message(MessageId(2))} == {"later", "again"}
        assert "later" in [one.id for one in Runs(db, lambda: NOON).open_runs()]
        with db.transaction() as connection:
            connection.execute("DELETE FROM reviews WHERE id = 70")
        gone = "SELECT 1 FROM decisions WHERE review_id = 70 UNION ALL SELECT 1 FROM kept_drafts WHERE decision_id = 55"
        assert not db.read(gone)
        db.check()
