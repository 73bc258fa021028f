"""What was read is told again until the next commit, and never from before one."""

import pytest

from app.domain.errors import NotFound
from app.domain.ids import AccountId
from app.store.accounts import Accounts
from app.store.database import Database
from app.store.recent import Recent


def rename(db: Database, account: AccountId, name: str) -> None:
    """One commit."""
    with db.transaction() as connection:
        connection.execute("UPDATE accounts SET name = ? WHERE id = ?", (name, account))


class Reader:
    """Reads an account's name through `Recent`, and counts."""

    def __init__(self, db: Database, most: int = 8) -> None:
        self._db = db
        self.recent = Recent[int, str](db, most)
        self.reads = 0

    def name(self, account: int) -> str:
        """The name, read or remembered."""
        return self.recent.get(account, lambda: self._read(account))

    def _read(self, account: int) -> str:
        self.reads += 1
        return Accounts(self._db).get(AccountId(account)).name


def test_read_once_until_a_commit(db: Database, account: AccountId) -> None:
    reader = Reader(db)
    assert [reader.name(account), reader.name(account), reader.reads] == ["Me", "Me", 1]
    rename(db, account, "Mia")
    assert [reader.name(account), reader.name(account), reader.reads] == ["Mia", "Mia", 2]


def test_a_commit_while_reading_is_not_missed(db: Database, account: AccountId) -> None:
    """What was read before a commit and comes in after it is told once, but not remembered."""
    reader = Reader(db)

    def overtaken() -> str:
        found = Accounts(db).get(account).name
        rename(db, account, "Mia")
        return found

    assert reader.recent.get(account, overtaken) == "Me"
    assert reader.name(account) == "Mia"


def test_what_was_rolled_back_changes_nothing(db: Database, account: AccountId) -> None:
    reader = Reader(db)
    reader.name(account)
    with pytest.raises(ZeroDivisionError), db.transaction() as connection:
        connection.execute("UPDATE accounts SET name = 'Nobody'")
        raise ZeroDivisionError
    assert [reader.name(account), reader.reads] == ["Me", 1]


def test_trouble_passes_and_is_not_remembered(db: Database, account: AccountId) -> None:
    reader = Reader(db)
    for _ in range(2):
        with pytest.raises(NotFound):
            reader.name(99)
    assert reader.reads == 2


def test_no_more_than_the_newest(db: Database) -> None:
    accounts = [Accounts(db).add(f"{at}@example.org", f"N{at}", (f"{at}@example.org",), "", "#336699") for at in range(4)]
    reader = Reader(db, most=3)
    assert [reader.name(one) for one in accounts] == ["N0", "N1", "N2", "N3"]
    assert reader.recent.known(accounts)[1] == {one: f"N{at}" for at, one in enumerate(accounts) if at}
    reader.name(accounts[0])
    assert reader.reads == 5
