"""Rows are looked up in the table that a command's field means, and never for two accounts at once."""

from pathlib import Path

import pytest

from app.domain.ids import AccountId
from app.engine.tables import open_tables
from app.store.owners import OWNED, owner_of
from app.store.pages import SyncPage
from fakes.stored_mail import ME, HandClock, remote


def test_rows_of_one_account_have_its_owner_and_others_none(tmp_path: Path) -> None:
    tables = open_tables(tmp_path / "mail.db", HandClock())
    try:
        for number, email in enumerate((ME.email, "other@example.org"), 1):
            tables.accounts.add(email, "", (email,), "", "#112233")
            tables.messages.apply(AccountId(number), SyncPage(messages=(remote("a", "t"), remote("b", "u"))))
        own, other = ([row[0] for row in tables.db.read("SELECT id FROM threads WHERE account_id = ?", (one,))] for one in (1, 2))
        assert [owner_of(tables.db, "thread_ids", ids) for ids in (own, other, own + other, [999])] == [1, 2, 0, 0]
    finally:
        tables.db.close()


@pytest.mark.parametrize("field", OWNED)
def test_every_field_names_a_table_with_accounts(tmp_path: Path, field: str) -> None:
    tables = open_tables(tmp_path / "mail.db", HandClock())
    assert owner_of(tables.db, field, ("none",)) == 0
    tables.db.close()
