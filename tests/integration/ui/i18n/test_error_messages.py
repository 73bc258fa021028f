"""An account is named where words could be about another one's mail, and only there."""

from pathlib import Path

from app.domain.error_texts import ErrorText
from app.domain.ids import AccountId
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
