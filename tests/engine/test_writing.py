"""The small parts of writing: times, files, reminders; tests/flows/test_letters.py runs them through the whole engine."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.errors import Refused
from app.domain.letter import MOST_FILE_BYTES
from app.domain.mail import Address
from app.engine.writing.composing import due_time, files_of, newest, read_file
from app.engine.writing.nudges import draft_nudge, nudge_words
from app.store.letter_rows import styles_to_json
from app.store.writing_handle import WritingHandle
from fakes.engine_parts import Parts
from fakes.letters import message
from fakes.stored_mail import ANA, ME, remote

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


def test_it_leaves_after_the_undo_delay_or_when_the_user_said() -> None:
    assert due_time(NOW, 10, 0) == NOW + timedelta(seconds=10)
    later = NOW + timedelta(days=2)
    assert due_time(NOW, 10, int(later.timestamp() * 1000)) == later
    past = NOW - timedelta(days=1)
    assert due_time(NOW, 10, int(past.timestamp() * 1000)) == NOW + timedelta(seconds=10)
    with pytest.raises(Refused, match="a year"):
        due_time(NOW, 10, int((NOW + timedelta(days=400)).timestamp() * 1000))


def test_a_file_is_read_as_it_is_now(tmp_path: Path) -> None:
    path = tmp_path / "a b.pdf"
    path.write_bytes(b"%PDF")
    file = read_file(path)
    assert (file.name, file.mime_type, file.size, file.data) == ("a b.pdf", "application/pdf", 4, b"%PDF")
    (tmp_path / "logs.tar.gz").write_bytes(b"x")
    assert read_file(tmp_path / "logs.tar.gz").mime_type == "application/octet-stream"
    with pytest.raises(Refused, match="no file"):
        read_file(tmp_path)
    with (tmp_path / "big").open("wb") as big:
        big.truncate(MOST_FILE_BYTES + 1)
    with pytest.raises(Refused, match="25 MB"):
        read_file(tmp_path / "big")


def test_a_reminder_speaks_the_language_of_the_mail() -> None:
    english = message(to=(Address("bob@example.org", "Bob Dvořák"),), body_text="Could you please send me the offer by Friday?")
    assert nudge_words(english).startswith("Hello Bob,\n\nI just")
    czech = message(
        to=(Address("bob@example.org", "Bob Dvořák"),), subject="Nabídka", body_text="Dobrý den, pošlete mi prosím nabídku?"
    )
    assert nudge_words(czech).startswith("Dobrý den,\n\n")


@pytest.mark.anyio
async def test_the_newest_mail_leaves_drafts_out(parts: Parts) -> None:
    mails = parts.mail(remote("a", "t", files=("x.pdf",)), remote("d", "t", labels=("DRAFT",), sender=ME, to=(ANA,), minutes=5))
    assert newest(parts.tables, mails[0].thread_id) == "a"
    assert [(one.name, one.data, one.source_gmail_id) for one in files_of(mails[0])] == [("x.pdf", None, "a")]


def test_what_reads_for_the_window_imports_no_engine() -> None:
    assert WritingHandle.__module__ == "app.store.writing_handle"
    assert styles_to_json(()) == "[]"
    assert draft_nudge.__doc__
