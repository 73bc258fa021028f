"""Names of accounts and mails, as the other machine asks for them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.domain.ids import AccountId, GmailId, MessageId
from app.domain.mail.message import Account
from app.service.dependencies import _now
from app.service.mailbox import MOST_NAMES, ReadOnlyMailbox
from app.store.db.database import Database
from fakes.engine.agent_mailbox import Room, mail
from fakes.models.graph import SmallGraph
from fakes.models.graph_service import Served, served


@pytest.fixture
def service(room: Room, tmp_path: Path) -> Iterator[Served]:
    db = Database.open_beside(tmp_path / "mail.db")
    mailbox = ReadOnlyMailbox(db, _now)
    with served(SmallGraph().built(), tmp_path / "checkpoints.db", mailbox) as found:
        yield found
    mailbox.close()
    db.close()


def test_names_of_both_kinds(service: Served, room: Room) -> None:
    here = room.put(mail("One.", key="g1"), mail("Two.", key="g2", thread="t2"))
    body = {"account": "ME@example.com", "ids": [here[0].id, 999], "gmail_ids": ["g2", "gone"]}
    answer = service.call("POST", "/names", json=body).json()
    assert answer == {"account_id": room.account_id, "ids": {"g2": here[1].id}, "gmail_ids": {str(here[0].id): "g1"}}


def test_who_and_how_many(service: Served) -> None:
    assert service.call("POST", "/names", json={"account": "eve@evil.example"}).status_code == 404
    many = {"account": "me@example.com", "ids": list(range(MOST_NAMES + 1))}
    assert service.call("POST", "/names", json=many).status_code == 422


def test_a_service_over_no_mailbox_knows_no_names(tmp_path: Path) -> None:
    with served(SmallGraph().built(), tmp_path / "other.db") as found:
        assert found.call("POST", "/names", json={"account": "me@example.com"}).status_code == 404


def test_mail_of_another_account_has_no_name(room: Room, tmp_path: Path) -> None:
    mine = room.one("Mine.", key="g1")
    db = Database.open_beside(tmp_path / "mail.db")
    mailbox = ReadOnlyMailbox(db, _now)
    assert isinstance(mailbox.accounts()[0], Account)
    assert mailbox.gmail_id(AccountId(2), mine.id) is None
    assert mailbox.message_id(AccountId(2), GmailId("g1")) is None
    assert mailbox.gmail_id(mine.account_id, MessageId(mine.id)) == "g1"
    mailbox.close()
    db.close()
