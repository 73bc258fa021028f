"""The small parts of writing: times, files, reminders; tests/flows/test_letters.py runs them through the whole engine."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from app.domain.errors import FileGone, NotFound, Refused
from app.domain.events import Trouble
from app.domain.ids import GmailId, LetterId
from app.domain.letter import MOST_FILE_BYTES, Letter, LetterKind
from app.domain.mail import Address
from app.domain.ports.gmail import MailServer
from app.engine.bell import Bell
from app.engine.connections import Connections
from app.engine.sending.steps import Steps
from app.engine.writing.composing import Desk, due_time, files_of, newest, read_file
from app.engine.writing.keeper import Keeper
from app.engine.writing.nudges import draft_nudge, nudge_words
from app.store.letter_drafts import LetterDrafts
from app.store.letter_rows import styles_to_json
from app.store.letters import Letters
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


class Emptied:
    """A server on which nothing is left."""

    async def attachment(self, gmail_id: GmailId, part_id: str) -> bytes:
        raise NotFound(f"Message {gmail_id} is gone.")

    async def create_draft(self, mime: bytes, thread_id: str) -> None:
        raise ZeroDivisionError


def keeper_of(parts: Parts, letters: Letters) -> Keeper:
    """The keeper over that server."""
    connections = Connections()
    connections.put(parts.account_id, cast(MailServer, Emptied()))
    steps = Steps(parts.tables, parts.threads, parts.announcer, lambda: None)
    desk = Desk(parts.tables, letters, parts.threads, parts.announcer, steps, lambda: 0.0, lambda: None, lambda: None)
    return Keeper(desk, LetterDrafts(parts.tables.db, parts.clock), connections, Bell(), idle_s=0.0)


@pytest.mark.anyio
@pytest.mark.expects_warnings
async def test_a_letter_that_breaks_its_step_is_told_once_and_holds_no_other_up(parts: Parts) -> None:
    letters = Letters(parts.tables.db, parts.clock)
    keeper = keeper_of(parts, letters)
    for name in ("l1", "l2"):
        letters.save(Letter(LetterId(name), parts.account_id, LetterKind.NEW, body="Hello"), 1)
    assert await keeper._round()
    assert await keeper._round()
    assert [(one.code, one.bug) for one in parts.events(Trouble)] == [("bug", True), ("bug", True)], "once for each"


@pytest.mark.anyio
async def test_a_file_whose_mail_is_gone_is_told_by_its_name(parts: Parts) -> None:
    (mail,) = parts.mail(remote("a", "t", files=("offer.pdf",)))
    letters = Letters(parts.tables.db, parts.clock)
    letter = Letter(LetterId("l1"), parts.account_id, LetterKind.FORWARD, about=mail.id)
    letters.save(letter, 1)
    letters.attach(letter.id, files_of(mail))
    keeper = keeper_of(parts, letters)
    await keeper._tried(letter.id, keeper._fetch_files)
    assert letters.get(letter.id).files == ()
    (told,) = parts.events(Trouble)
    assert (told.code, told.detail, told.remedy) == (FileGone.code, "offer.pdf", "")
