"""The mailbox beside its writer: what is new is seen, nothing can be written, spam stays closed."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.agents.memory import Namespace
from app.domain.errors import ExpectedError, NotAllowed, NotFound
from app.domain.ids import MessageId
from app.service.dependencies import ReadOnlyMailbox, ReadOnlyMemory, _now
from app.store.db.database import Database
from app.store.learning.preferences import Preferences
from fakes.engine.agent_mailbox import Room, mail


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with Room(tmp_path) as made:
        yield made


@pytest.fixture
def beside(room: Room) -> Iterator[Database]:
    db = Database.open_beside(room.folder / "mail.db")
    yield db
    db.close()


async def test_what_comes_in_later_is_found(room: Room, beside: Database) -> None:
    mailbox = ReadOnlyMailbox(beside, _now)
    assert await mailbox.find(room.account_id, "invoice", 5) == ()
    spam, good = room.put(
        mail("The invoice.", key="s", labels=frozenset({"SPAM"})), mail("The invoice is here.", key="g", thread="t2")
    )
    assert [one.id for one in await mailbox.find(room.account_id, "invoice", 5)] == [good.id]
    assert [one.id for one in await mailbox.query(room.account_id, "from:ann", 5)] == [good.id]
    assert mailbox.message(spam.id).body_text == "The invoice."
    assert mailbox.account(room.account_id).email == "me@example.com"
    contact = mailbox.contact(room.account_id, "ann@partner.org")
    assert contact.received
    with pytest.raises(NotFound):
        mailbox.message(MessageId(999))
    with pytest.raises(NotAllowed):
        await mailbox.query(room.account_id, "after:never", 5)
    mailbox.close()


async def test_nothing_can_be_written(room: Room, beside: Database) -> None:
    with pytest.raises((ExpectedError, sqlite3.Error)), beside.transaction() as connection:
        connection.execute("DELETE FROM messages")
    assert room.db.read("SELECT count(*) FROM accounts")[0][0] == 1


async def test_preferences_are_read(room: Room, beside: Database) -> None:
    Preferences(room.db, room.clock).add(Namespace.RESPONSE, "Be brief.")
    assert ReadOnlyMemory(beside, _now).read(room.account_id, "response_preferences") == "- Be brief."


async def test_stores_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotAllowed, match="no mailbox"):
        Database.open_beside(tmp_path / "nothing.db")
    old = sqlite3.connect(tmp_path / "old.db")
    old.execute("PRAGMA user_version = 1")
    old.execute("CREATE TABLE t (a)")
    old.close()
    monkeypatch.setattr("app.store.db.database.VERSION", 2)
    with pytest.raises(NotAllowed, match="older program"):
        Database.open_beside(tmp_path / "old.db")
    assert not (tmp_path / "nothing.db").exists()
