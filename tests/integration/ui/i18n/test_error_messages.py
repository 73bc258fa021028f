"""An account is named where words could be about another one's mail, and only there."""

from pathlib import Path

import pytest

from app.domain.error_texts import ErrorText
from app.domain.errors import StoreDamaged
from app.domain.ids import AccountId
from app.domain.mail.message import Account
from app.domain.protocol.events import CommandFailed
from app.engine.runtime.tables import open_tables
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.i18n.error_messages import named, refused, sentence
from fakes.engine.store.values import ME, HandClock


def test_one_of_several_is_named_and_an_only_one_is_not(tmp_path: Path) -> None:
    tables = open_tables(tmp_path / "mail.db", HandClock())
    reader = SqliteMailboxReader(tmp_path / "mail.db")
    me = tables.accounts.add(ME.email, ME.name, (ME.email,), "", "#123456")
    tables.archives.open(tmp_path / "old.mbox", 10)
    event = CommandFailed("DraftReply", "offline", ErrorText.of("no route"), me)
    assert refused(event, reader) == sentence("offline")
    other = tables.accounts.add("you@example.com", "You", (), "", "#222222")
    assert refused(event, reader) == f"{ME.email}: {sentence('offline')}"
    assert named("Stop.", other, reader) == "you@example.com: Stop."
    assert named("Stop.", AccountId(0), reader) == "Stop."
    reader.close()
    tables.db.close()


def test_words_are_said_although_nobody_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = SqliteMailboxReader(tmp_path / "mail.db")

    def damaged() -> tuple[Account, ...]:
        raise StoreDamaged("bad page")

    monkeypatch.setattr(reader, "accounts", damaged)
    assert named("Stop.", AccountId(1), reader) == "Stop."
    reader.close()
