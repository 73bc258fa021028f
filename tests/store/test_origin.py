"""A copy of the database is known as one: by fewer steps of its outbox than were taken here, another machine, or no file."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.ids import AccountId
from app.domain.outbox import HoldReason, OutboxState
from app.store.database import Database
from app.store.origin import Origin
from app.store.outbox import Outbox
from fakes.stored_mail import HandClock, new_outbox


@pytest.fixture
def queued(db: Database, account: AccountId, clock: HandClock) -> Path:
    """A closed store with a mail that waits, met here before."""
    Outbox(db, clock).add(new_outbox())
    assert Origin(db.path, "here").settle(db, clock()) is None, "a new store is no copy"
    db.close()
    return db.path


def met(path: Path, clock: HandClock, machine: str = "here") -> int | None:
    """What a start on this machine finds."""
    with closing(Database.open(path)) as db:
        return Origin(path, machine).settle(db, clock())


def test_the_same_store_on_the_same_machine_is_ours(queued: Path, clock: HandClock) -> None:
    assert met(queued, clock) is None
    with closing(Database.open(queued)) as db:
        Outbox(db, clock).add(new_outbox(marker="<later@x>"))
    assert met(queued, clock) is None, "what was not noted before a kill is no sign of a copy"


def test_an_older_copy_put_back_by_hand_is_known(queued: Path, clock: HandClock) -> None:
    kept = shutil.copy(queued, queued.with_name("kept"))
    with closing(Database.open(queued)) as db:
        outbox = Outbox(db, clock)
        (number,) = db.read("SELECT id FROM outbox")[0]
        outbox.move(number, OutboxState.QUEUED, OutboxState.CANCELLED)
        Origin(queued, "here").note(db)
    shutil.copy(kept, queued)
    assert met(queued, clock) == 1
    with closing(Database.open(queued)) as db:
        item = Outbox(db, clock).get(number)
        assert (item.state, item.reason) == (OutboxState.UNCERTAIN, HoldReason.FROM_COPY)
        assert Outbox(db, clock).add(new_outbox(marker="<next@x>")) > number + 1000, "numbers given since name nothing else"
    assert met(queued, clock) is None, "it is ours now"


def test_a_copy_from_which_nothing_left_since_goes_on(queued: Path, clock: HandClock) -> None:
    kept = shutil.copy(queued, queued.with_name("kept"))
    shutil.copy(kept, queued)
    assert met(queued, clock) is None


def test_a_store_brought_from_another_machine_is_a_copy(queued: Path, clock: HandClock) -> None:
    assert met(queued, clock, machine="there") == 1
    assert met(queued, clock, machine="there") is None
    assert met(queued, clock, machine="") is None, "a machine that has no number says nothing"


@pytest.mark.parametrize("text", [None, "{", "[]"], ids=["none", "cut", "nonsense"])
def test_a_store_without_a_readable_file_is_a_copy(queued: Path, clock: HandClock, text: str | None) -> None:
    file = queued.with_name("mail.db.origin")
    if text is None:
        file.unlink()
    else:
        file.write_text(text)
    assert met(queued, clock) == 1


def test_a_store_of_a_program_that_noted_nothing_is_no_copy(root: Path, tmp_path: Path, clock: HandClock) -> None:
    path = tmp_path / "mail.db"
    shutil.copy(root / "tests" / "data" / "stores" / "v0020.db", path)
    with closing(Database.open(path)) as db:
        Outbox(db, clock).add(new_outbox())
        assert Origin(path, "here").settle(db, clock()) is None


@pytest.mark.expects_warnings
def test_a_folder_that_takes_no_file_stops_nothing(queued: Path, clock: HandClock) -> None:
    file = queued.with_name("mail.db.origin")
    file.unlink()
    file.mkdir()
    assert met(queued, clock) == 1
    shutil.rmtree(file)
