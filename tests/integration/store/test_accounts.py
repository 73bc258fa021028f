"""A wiped account leaves no byte in the store: not in rows, index, free pages, log or copies. The other account keeps all."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.agents.memory import Namespace
from app.domain.agents.runs import ModelCall, Route, Run, RunStatus, StepLog, ToolExecution
from app.domain.drafting.review import Action, ReviewStatus
from app.domain.ids import AccountId, RunId
from app.domain.mail.message import Address
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from app.store.accounts import Accounts, erase_account
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from app.store.learning.preferences import Preferences
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.maintenance.backups import back_up
from app.store.reviews.reviews import Reviews
from app.store.runs.runs import Runs
from app.store.search.search import Search
from fakes.engine.store.rows import add_event, add_step, all_preferences, start_run
from fakes.engine.store.values import NOON, HandClock, draft, new_outbox, proposal, remote

CANARY = "quetzalcanary"
WHO = Address("canary.person@secret-partner.example", "Canary Person")
MARKS = (CANARY, WHO.email, WHO.name, "canaryid", "canaryrun", "canary@mailbox.example")


def live(db: Database, clock: HandClock) -> AccountId:
    """An account with something of it in every table."""
    account = Accounts(db).add("canary@mailbox.example", f"Name {CANARY}", (), f"<p>{CANARY}</p>", "#000000")
    mails = tuple(
        remote(f"canaryid{at}", text=f"{CANARY} word {at} " * 200, subject=f"{CANARY} {at}", sender=WHO, files=(f"{CANARY}.pdf",))
        for at in range(30)
    )
    ids = Messages(db).apply(account, SyncPage(messages=mails)).new_ids
    run = RunId("canaryrun-1")
    runs = Runs(db, clock)
    thread = Messages(db).get(ids[0]).thread_id
    start_run(runs, Run(run, account, ids[0], thread, Route.PIPELINE, "", "", RunStatus.RUNNING, 1, NOON))
    add_step(runs, StepLog(run, "draft", 1, CANARY, CANARY, 1.0, "", NOON))
    runs.model_call(ModelCall(run, "draft", "m", 1, 1, 0.0, 1.0, CANARY, 1, "", NOON))
    runs.tool(ToolExecution(run, "c1", "search", CANARY, CANARY, "", 1.0, NOON))
    add_event(runs, ids[0], run, "triage", f'{{"about": "{CANARY}"}}')
    reviews = Reviews(db, clock)
    what = proposal("canaryrun-1", message=ids[0], thread=thread, what=draft(CANARY, (WHO,)))
    review = reviews.open(replace(what, account_id=account), "reply")
    item = replace(new_outbox(), account_id=account, to=WHO.email, mime=CANARY.encode(), marker=f"<{CANARY}@x>")
    reviews.decide(
        Decide(review, 1, Action.EDIT, draft(f"{CANARY} edited", (WHO,))), item, ReviewStatus.APPROVED, f'{{"text": "{CANARY}"}}'
    )
    jobs = Jobs(db, clock)
    jobs.put("wake", f"{run}:1", f'{{"run_id": "{run}", "review_id": {review}}}')
    jobs.put("sweep", f"<{CANARY}@x>#0", f'{{"account_id": {account}, "marker": "{CANARY}", "keep": ""}}')
    Preferences(db, clock).add(Namespace.RESPONSE, f"Prefers {CANARY}", review)
    return account


def traces(folder: Path) -> list[tuple[str, str]]:
    """Every file with every mark it holds, in any of the encodings the store uses."""
    found = []
    for path in folder.rglob("*"):
        raw = path.read_bytes().lower() if path.is_file() else b""
        found += [(path.name, mark) for mark in MARKS if mark.lower().encode() in raw]
    return found


@pytest.fixture
def two(db: Database, account: AccountId, clock: HandClock) -> AccountId:
    """The canary's account beside another one, copied, closed."""
    Messages(db).apply(account, SyncPage(messages=(remote("keep", text="keepsake"),)))
    Preferences(db, clock).add(Namespace.RESPONSE, "Short sentences")
    canary = live(db, clock)
    back_up(db.path)
    db.path.with_name("mail.db.damaged-2026-01-01-1").write_bytes(CANARY.encode())
    db.close()
    assert {mark for _, mark in traces(db.path.parent)} == set(MARKS)
    return canary


def test_no_byte_is_left_and_the_other_account_is_whole(
    db: Database, two: AccountId, account: AccountId, clock: HandClock
) -> None:
    """Every file of the folder is looked at, byte by byte."""
    erase_account(db.path, two)
    assert traces(db.path.parent) == []
    with closing(Database.open(db.path)) as again:
        assert [one.id for one in Accounts(again).all()] == [account]
        assert [one.text for one in all_preferences(Preferences(again, clock))] == ["Short sentences"]
        assert Jobs(again, clock).counts() == {"index": 1}
        with closing(Search(again)) as search:
            assert len(search.thread_ids("keepsake")) == 1
            assert search.thread_ids(CANARY) == []
        again.check()
    assert traces(db.path.parent) == []


def test_a_reader_that_looks_does_not_keep_anything(db: Database, two: AccountId) -> None:
    """The window has the file open meanwhile."""
    with closing(sqlite3.connect(f"{db.path.as_uri()}?mode=ro", uri=True)) as window:
        assert window.execute("SELECT count(*) FROM messages").fetchone()[0] == 31
        erase_account(db.path, two)
        assert window.execute("SELECT count(*) FROM messages").fetchone()[0] == 1
        assert traces(db.path.parent) == []


def test_the_last_account_takes_what_is_nobodys_along(db: Database, two: AccountId, account: AccountId, clock: HandClock) -> None:
    """Without any account there are no preferences and no work."""
    erase_account(db.path, two)
    erase_account(db.path, account)
    with closing(Database.open(db.path)) as again:
        tables = [
            row[0]
            for row in again.read("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%!_fts%' ESCAPE '!'")
        ]
        rows = {table: again.read(f"SELECT count(*) FROM {table}")[0][0] for table in tables}
    assert {table for table, count in rows.items() if count} == {"sqlite_sequence"}


CUT = """
import os, signal, sqlite3, sys
from pathlib import Path
from app.store import accounts
real, left = sqlite3.connect, int(sys.argv[3])
def connect(*args, **kwargs):
    connection = real(*args, **kwargs)
    def step():
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
    connection.set_progress_handler(step, 50)
    return connection
accounts.sqlite3.connect = connect
accounts.erase_account(Path(sys.argv[1]), int(sys.argv[2]))
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_crash_in_the_middle_is_finished_by_doing_it_again(
    db: Database, two: AccountId, account: AccountId, root: Path
) -> None:
    """Killed at growing distances: never a half account that cannot be wiped."""
    for steps in (1, 30, 200, 800, 2000):
        subprocess.run([sys.executable, "-c", CUT, str(db.path), str(two), str(steps)], cwd=root, check=False)
    erase_account(db.path, two)
    assert traces(db.path.parent) == []
    with closing(Database.open(db.path)) as again:
        assert [one.id for one in Accounts(again).all()] == [account]
        again.check()
