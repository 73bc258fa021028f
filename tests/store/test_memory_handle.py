"""A long list of preferences is ordered by SQLite, and its rows are read when they are seen."""

from datetime import UTC, datetime
from pathlib import Path

from app.domain.memory import Namespace
from app.store.database import Database
from app.store.mailbox import SqliteMailbox
from app.store.preferences import Preferences

ORDER = (Namespace.RESPONSE, Namespace.TRIAGE)


def test_ids_by_group_the_newest_first_and_rows_by_id(db: Database, tmp_path: Path) -> None:
    kept = Preferences(db, lambda: datetime(2026, 3, 12, tzinfo=UTC))
    ids = [kept.add(group, f"{group} {number}") for number in range(2) for group in (Namespace.TRIAGE, Namespace.RESPONSE)]
    kept.delete(ids[0])
    reader = SqliteMailbox(tmp_path / "mail.db")
    assert list(reader.preference_ids(ORDER)) == [ids[3], ids[1], ids[2]]
    rows = reader.preferences_of([ids[1], ids[0], 99])
    assert list(rows) == [ids[1]]
    assert rows[ids[1]] == next(one for one in reader.preferences() if one.id == ids[1])
    assert SqliteMailbox(tmp_path / "none.db").preference_ids(ORDER).tolist() == []
    reader.close()
