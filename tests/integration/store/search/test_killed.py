"""A store that is killed while it indexes mail and files misses nothing and has nothing twice."""

import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from app.store.db.database import Database
from app.store.mail.mail_writing import check_indexes, index_waiting
from app.store.search.search import Search
from fakes.engine.store.values import HandClock

ROOT = Path(__file__).resolve().parents[4]
WRITER = """
import sys
from pathlib import Path
from app.domain.ids import MessageId
from app.store.accounts import Accounts
from app.store.mail.files import FileTexts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from fakes.engine.store.values import remote

db = Database.open(Path(sys.argv[1]))
account = (Accounts(db).all() or [None])[0]
account = account.id if account else Accounts(db).add("me@example.com", "", (), "", "")
messages, texts = Messages(db), FileTexts(db)
first = db.read("SELECT count(*) FROM messages")[0][0]
print("begun", flush=True)
for number in range(first, first + 100_000, 50):
    page = tuple(remote(f"k{one}", f"t{one}", text=f"everyword number{one}") for one in range(number, number + 50))
    messages.apply(account, SyncPage(messages=page))
    texts.put(MessageId(number + 1), [("2", "read", f"fileword file{number}")])
"""


@pytest.mark.parametrize("after_s", [0.15, 0.4, 0.8])
def test_nothing_is_missing_and_nothing_twice(tmp_path: Path, after_s: float) -> None:
    path = tmp_path / "mail.db"
    for _ in range(2):
        command = [sys.executable, "-c", WRITER, str(path)]
        environment = {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}", "PATH": ""}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, cwd=ROOT) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"begun\n"
            time.sleep(after_s)
            writer.kill()
    with closing(Database.open(path)) as db:
        with db.transaction() as connection:
            index_waiting(connection)
            check_indexes(connection)
        count = db.read("SELECT count(*) FROM messages")[0][0]
        assert count > 0
        assert db.read("SELECT count(*) FROM mail_fts_docsize")[0][0] == count
        with closing(Search(db, HandClock())) as search:
            assert search.count("everyword") == count
            assert search.count("fileword") == db.read("SELECT count(*) FROM file_texts")[0][0]
