"""The newest mails of others, whatever account they came to."""

from pathlib import Path

from app.engine.tables import Tables, open_tables
from app.store.newest import newest_received
from app.store.pages import SyncPage
from fakes.stored_mail import ME, HandClock, remote


def store(folder: Path) -> Tables:
    return open_tables(folder / "mail.db", HandClock())


def test_own_mail_and_drafts_are_left_out(tmp_path: Path) -> None:
    tables = store(tmp_path)
    account = tables.accounts.add(ME.email, "", (ME.email,), "", "#123456")
    page = SyncPage(
        messages=(
            remote("old", minutes=1),
            remote("new", minutes=9),
            remote("mine", minutes=5, sender=ME, labels=("SENT",)),
            remote("draft", minutes=6, sender=ME, labels=("DRAFT",)),
            remote("middle", minutes=4, labels=()),
        )
    )
    tables.messages.apply(account, page)
    found = [tables.messages.get(one).gmail_id for one in newest_received(tables.db, 10)]
    assert found == ["new", "middle", "old"]
    assert len(newest_received(tables.db, 2)) == 2
    tables.db.close()
