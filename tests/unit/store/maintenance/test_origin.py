"""A copy of the database is known as one: by fewer steps of its outbox than were taken here, another machine, or no file.

Where the system tells no number of the machine, the steps stand outside the folder as well.
"""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from app.domain.ids import AccountId
from app.domain.mail.outbox import HoldReason, OutboxState
from app.store.db.database import Database
from app.store.maintenance.origin import Origin
from app.store.maintenance.recovery import ID_STEP
from app.store.outbox import Outbox
from fakes.engine.store.values import HandClock, new_outbox


@pytest.fixture
def queued(db: Database, account: AccountId, clock: HandClock) -> Path:
    """A closed store with a mail that waits, met here before."""
    origin = Origin(db.path, "here")
    assert origin.settle(db, clock()) is None, "a new store is no copy"
    Outbox(db, clock).add(new_outbox())
    origin.note(db)
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


def test_without_any_number_of_the_machine_each_start_is_doubted(queued: Path, clock: HandClock) -> None:
    assert met(queued, clock, machine="") == 1
    assert met(queued, clock, machine="") == 1
    assert met(queued, clock) == 1, "where it was in between is not known"
    assert met(queued, clock) is None


def test_many_doubted_starts_leave_numbers_small(queued: Path, clock: HandClock) -> None:
    for start in range(60):
        met(queued, clock, machine=str(start))
    with closing(Database.open(queued)) as db:
        assert Outbox(db, clock).add(new_outbox(marker="<next@x>")) <= 61 * ID_STEP


@pytest.fixture
def beside_outside(queued: Path) -> tuple[Path, Path]:
    """The folder with the store, and the one in which steps are noted outside of it."""
    folder = queued.parent / "data"
    folder.mkdir()
    for path in queued.parent.glob("mail.db*"):
        path.rename(folder / path.name)
    return folder, queued.parent / "outside"


def met_in(folder: Path, outside: Path, clock: HandClock, cancels: bool = False) -> int | None:
    """What a start in a folder finds; the mail may be taken back after that."""
    with closing(Database.open(folder / "mail.db")) as db:
        origin = Origin(folder / "mail.db", "here", outside)
        doubted = origin.settle(db, clock())
        if cancels:
            outbox = Outbox(db, clock)
            ((number,),) = db.read("SELECT id FROM outbox")
            outbox.move(number, OutboxState.QUEUED, OutboxState.CANCELLED)
        origin.note(db)
        return doubted


def test_a_whole_folder_put_back_is_known_by_the_note_outside(beside_outside: tuple[Path, Path], clock: HandClock) -> None:
    folder, outside = beside_outside
    assert met_in(folder, outside, clock) is None, "a store that has no note there yet is ours"
    shutil.copytree(folder, folder.with_name("backup"))
    assert met_in(folder, outside, clock, cancels=True) is None
    for _ in range(2):
        shutil.rmtree(folder)
        shutil.copytree(folder.with_name("backup"), folder)
        assert met_in(folder, outside, clock) == 1
    assert met_in(folder, outside, clock) is None


def test_of_two_copies_here_the_one_that_stayed_behind_is_known(beside_outside: tuple[Path, Path], clock: HandClock) -> None:
    folder, outside = beside_outside
    met_in(folder, outside, clock)
    other = folder.with_name("other")
    shutil.copytree(folder, other)
    assert met_in(other, outside, clock, cancels=True) is None, "nothing left since"
    assert met_in(folder, outside, clock) == 1
    assert met_in(other, outside, clock) is None
    assert met_in(folder, outside, clock) is None, "both have notes of their own now"


def test_a_folder_that_moves_is_ours(beside_outside: tuple[Path, Path], clock: HandClock) -> None:
    folder, outside = beside_outside
    met_in(folder, outside, clock)
    assert met_in(folder.rename(folder.with_name("elsewhere")), outside, clock) is None


def test_a_lost_note_outside_says_nothing(beside_outside: tuple[Path, Path], clock: HandClock) -> None:
    folder, outside = beside_outside
    met_in(folder, outside, clock)
    for note in outside.iterdir():
        note.write_text("not a number")
    assert met_in(folder, outside, clock) is None
    shutil.rmtree(outside)
    assert met_in(folder, outside, clock) is None


@pytest.mark.parametrize("text", [None, "{", "[]"], ids=["none", "cut", "nonsense"])
def test_a_store_without_a_readable_file_is_a_copy(queued: Path, clock: HandClock, text: str | None) -> None:
    file = queued.with_name("mail.db.origin")
    if text is None:
        file.unlink()
    else:
        file.write_text(text)
    assert met(queued, clock) == 1


@pytest.mark.expects_warnings
def test_a_folder_that_takes_no_file_stops_nothing(queued: Path, clock: HandClock) -> None:
    file = queued.with_name("mail.db.origin")
    file.unlink()
    file.mkdir()
    assert met(queued, clock) == 1
    shutil.rmtree(file)
