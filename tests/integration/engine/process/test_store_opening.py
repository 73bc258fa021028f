"""How an engine knows the machine it is on: by the system, or by what is kept outside the data folder."""

import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.config import machine
from app.config.paths import default_state_folder
from app.engine.process.store_opening import origin_of
from app.store.db.database import Database

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems tell a number in other ways")


@pytest.mark.parametrize("told", [True, False], ids=["number", "no number"])
def test_something_is_kept_outside_only_where_the_system_tells_no_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: bool
) -> None:
    (tmp_path / "id").write_text("4f2a" if told else "uninitialized")
    monkeypatch.setattr(machine, "PLACES", (tmp_path / "id",))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert default_state_folder() == tmp_path / "state" / "Replyroom"
    with closing(Database.open(tmp_path / "mail.db")) as db:
        assert origin_of(db.path).settle(db, datetime.now(UTC)) is None
        assert origin_of(db.path).settle(db, datetime.now(UTC)) is None
    assert default_state_folder().exists() is not told
    if not told:
        assert sorted(path.name for path in default_state_folder().iterdir()) == ["machine", "stores"]
