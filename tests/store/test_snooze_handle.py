"""When snoozed threads come back, out of a real file."""

from contextlib import closing
from datetime import timedelta
from pathlib import Path

from app.domain.ids import ThreadId
from app.domain.views import MailView
from app.store.mailbox import SqliteMailbox
from app.store.snoozes import Snoozes
from fakes.lively_store import lively_store


def test_no_file_has_no_snoozes(tmp_path: Path) -> None:
    with closing(SqliteMailbox(tmp_path / "none.db")) as reader:
        assert reader.snoozed_until([ThreadId(1)]) == {}


def test_each_snoozed_thread_has_its_time(tmp_path: Path) -> None:
    store = lively_store(tmp_path / "mail.db")
    late, soon, awake = (store.mails[key].thread_id for key in ("m01", "m06", "m10"))
    snoozes = Snoozes(store.db, store.clock)
    snoozes.put("a", [late], store.now + timedelta(days=3))
    snoozes.put("b", [soon], store.now + timedelta(hours=2))
    with closing(SqliteMailbox(store.path)) as reader:
        assert list(reader.thread_ids(MailView.SNOOZED)) == [soon, late], "the next to come back first"
        times = reader.snoozed_until([late, soon, awake])
        assert times == {late: store.now + timedelta(days=3), soon: store.now + timedelta(hours=2)}
        assert reader.still_in(MailView.SNOOZED, [late, awake]) == {late}
    store.close()
