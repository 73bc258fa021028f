"""The small parts of writing: times, files, reminders; tests/end_to_end/sending/test_letters.py runs them through the whole
engine.

Files of drafts as bytes: what was proposed or nothing.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest

from app.domain.errors import FileGone, NotAllowed, NotFound
from app.domain.ids import AccountId, GmailDraftId, GmailId, GmailThreadId, LetterId
from app.domain.mail.letter import FileContent, Letter, LetterKind, LetterState, RemoteDraftChange, StoredLetter
from app.domain.mail.message import Address
from app.domain.ports.gmail import MailServer, ReadDraft
from app.domain.protocol.events import ErrorReported
from app.domain.record import replace
from app.engine.accounts.connections import Connections
from app.engine.letters.draft_sync import DraftSync, changed
from app.engine.letters.letter_editor import LetterContext, contents, files_of
from app.engine.letters.letter_service import nudge_words
from app.engine.outbox.outbox_writer import OutboxWriter
from app.engine.runtime.workers import WakeUp
from app.store.letters.gmail_drafts import DraftWork, LetterDrafts
from app.store.letters.letters import Letters
from app.store.requests.artifacts import ArtifactFolder
from fakes.engine.engine_parts import FixedSettings, Parts
from fakes.engine.store.accounts import message
from fakes.engine.store.values import draft, remote

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


def test_a_reminder_speaks_the_language_of_the_mail() -> None:
    english = message(to=(Address("bob@example.org", "Bob Dvořák"),), body_text="Could you please send me the offer by Friday?")
    assert nudge_words(english).startswith("Hello Bob,\n\nI just")
    czech = message(
        to=(Address("bob@example.org", "Bob Dvořák"),), subject="Nabídka", body_text="Dobrý den, pošlete mi prosím nabídku?"
    )
    assert nudge_words(czech).startswith("Dobrý den,\n\n")


class Emptied:
    """A server on which nothing is left."""

    async def attachment(self, gmail_id: GmailId, part_id: str) -> bytes:
        raise NotFound(f"Message {gmail_id} is gone.")

    async def create_draft(self, mime: bytes, thread_id: str) -> None:
        raise ZeroDivisionError


def keeper_of(parts: Parts, letters: Letters) -> DraftSync:
    """The keeper over that server."""
    connections = Connections()
    connections.put(parts.account_id, cast(MailServer, Emptied()))
    steps = OutboxWriter(parts.tables, parts.announcer, WakeUp())
    desk = LetterContext(parts.tables, letters, parts.announcer, steps, FixedSettings.undo_s(0), WakeUp())
    return DraftSync(desk, LetterDrafts(parts.tables.db, parts.clock), connections, WakeUp(), idle_s=0.0)


@pytest.mark.expects_warnings
async def test_a_letter_that_breaks_its_step_is_told_once_and_holds_no_other_up(parts: Parts) -> None:
    letters = Letters(parts.tables.db, parts.clock)
    keeper = keeper_of(parts, letters)
    for name in ("l1", "l2"):
        letters.save(Letter(LetterId(name), parts.account_id, LetterKind.NEW, body="Hello"), 1)
    assert await keeper._round()
    assert await keeper._round()
    assert [one.code for one in parts.events(ErrorReported)] == ["bug", "bug"], "once for each"


async def test_a_file_whose_mail_is_gone_is_told_by_its_name(parts: Parts) -> None:
    (mail,) = parts.mail(remote("a", "t", files=("offer.pdf",)))
    letters = Letters(parts.tables.db, parts.clock)
    letter = Letter(LetterId("l1"), parts.account_id, LetterKind.FORWARD, about=mail.id)
    letters.save(letter, 1)
    letters.attach(letter.id, files_of(mail))
    keeper = keeper_of(parts, letters)
    await keeper._tried(letter.id, keeper._fetch_files)
    assert letters.get(letter.id).files == ()
    (told,) = parts.events(ErrorReported)
    assert (told.code, str(told.text)) == (FileGone.code, "offer.pdf")


OURS, CHOSEN = "<letter@replyroom.invalid>", GmailId("m-theirs")


@pytest.mark.parametrize(
    ("message", "mark", "what"),
    [
        ("m1", OURS, RemoteDraftChange.NOTHING),
        ("m2", OURS, RemoteDraftChange.EDITED),
        ("m1", "<another@x>", RemoteDraftChange.EDITED),
        ("m1", "", RemoteDraftChange.EDITED),
        ("m-theirs", "", RemoteDraftChange.EDITED),
        ("", "", RemoteDraftChange.DELETED),
    ],
    ids=["as written", "edited", "another's", "nobody's", "not last seen", "gone"],
)
def test_a_draft_is_the_letters_by_its_mark_and_its_message(message: str, mark: str, what: RemoteDraftChange) -> None:
    """Whatever id a lost or wrong answer named."""
    draft = ReadDraft(GmailDraftId("d1"), GmailId(message), GmailThreadId("t"), marker=mark) if message else None
    assert changed(draft, work(GmailId("m1"))) is what


def test_a_draft_that_the_user_chose_is_the_letters_while_it_is_that_message() -> None:
    chosen = ReadDraft(GmailDraftId("d1"), CHOSEN, GmailThreadId("t"))
    assert changed(chosen, work(CHOSEN)) is RemoteDraftChange.NOTHING
    assert changed(replace(chosen, message_gmail_id=GmailId("m9")), work(CHOSEN)) is RemoteDraftChange.EDITED


def work(draft_gmail_id: GmailId) -> DraftWork:
    """A letter whose draft was last seen as that message."""
    stored = StoredLetter(Letter(LetterId("l1"), AccountId(1), LetterKind.NEW), 1, LetterState.OPEN, (), NOW)
    return DraftWork(stored, 1, OURS, GmailDraftId("d1"), draft_gmail_id, "", CHOSEN)


@pytest.fixture
def folder(tmp_path: Path) -> ArtifactFolder:
    return ArtifactFolder(tmp_path / "artifacts")


def test_the_bytes_of_each_file_under_the_name_that_was_shown(folder: ArtifactFolder) -> None:
    report, table = folder.write("report.pdf", b"%PDF"), folder.write("table.csv", b"a;b")
    shown = replace(draft(), attachments=(replace(report, name="Zpráva.pdf"), table))
    assert contents(shown, folder) == (
        FileContent("Zpráva.pdf", "application/pdf", b"%PDF"),
        FileContent("table.csv", "text/csv", b"a;b"),
    )
    assert contents(draft(), folder) == ()


def test_what_is_gone_changed_or_another_is_refused_by_name(folder: ArtifactFolder, tmp_path: Path) -> None:
    made, other = folder.write("report.md", b"one"), folder.write("other.md", b"two")
    swapped = replace(made, id=other.id)
    with pytest.raises(NotAllowed, match=r"report\.md isn't the file"):
        contents(replace(draft(), attachments=(swapped,)), folder)
    place = tmp_path / "artifacts" / made.id / "report.md"
    place.write_bytes(b"two")
    with pytest.raises(NotAllowed, match=r"report\.md was changed"):
        contents(replace(draft(), attachments=(made,)), folder)
    place.unlink()
    with pytest.raises(NotAllowed, match=r"report\.md is no longer available"):
        contents(replace(draft(), attachments=(made,)), folder)
