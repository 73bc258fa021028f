"""Mail from mbox, maildir and .eml folders: order, dates, labels, threads, and errors that name the file."""

import io
from pathlib import Path

import pytest

from app.sandbox.account import Identity
from app.sandbox.gmail.headers import facts_of
from app.sandbox.gmail.mailbox import Spool
from app.sandbox.samples.mail_files import LoadError, load_eml, load_maildir, load_mbox, mail_seconds
from app.sandbox.world.world import SandboxState, build_world

FIRST = (
    b"From: bob@x.example\nTo: me@x.example\nSubject: Bike\nMessage-ID: <1@x>\n"
    b"Date: Fri, 13 Mar 2026 10:00:00 +0100\n\nOne\n>From the start\n"
)
REPLY = b"From: me@x.example\nSubject: Re: Bike\nIn-Reply-To: <1@x>\nDate: Fri, 13 Mar 2026 11:00:00 +0100\n\nTwo\n"
RECEIVED = (
    b"Received: from a by b; Sat, 14 Mar 2026 09:00:00 +0000\n"
    b"Received: from c by d; Fri, 13 Mar 2026 01:00:00 +0000\nSubject: r\n\nThree\n"
)
BARE = b"Subject: nothing\n\nFour\n"


@pytest.fixture
def world() -> SandboxState:
    return build_world([Identity("me@x.example", "", primary=True)], [], "token", Spool(io.BytesIO()))


def _subjects(world: SandboxState) -> list[str]:
    return [row.facts.subject for row in world.owner.mailbox.newest_first()]


def _mbox(tmp_path: Path, *mails: bytes) -> Path:
    file = tmp_path / "mail.mbox"
    line = b"From someone Sun Mar 15 08:30:00 2026\n"
    file.write_bytes(b"\n".join(line + mail for mail in mails))
    return file


def test_mbox(world: SandboxState, tmp_path: Path) -> None:
    file = _mbox(tmp_path, REPLY, BARE, FIRST, RECEIVED)
    assert load_mbox(world.owner, world.office, file) == 4
    assert _subjects(world) == ["nothing", "r", "Re: Bike", "Bike"]
    mailbox = world.owner.mailbox
    bare, received, reply, first = mailbox.newest_first()
    assert mailbox.raw(first) == FIRST.replace(b">From", b"From")
    assert mailbox.raw(reply) == REPLY
    assert reply.thread_id == first.thread_id
    assert (first.labels, reply.labels) == ({"INBOX", "UNREAD"}, {"SENT"})
    assert received.internal_ms == 1_773_478_800_000
    assert bare.internal_ms == 1_773_563_400_000


def test_mbox_keeps_from_lines_inside_a_paragraph(world: SandboxState, tmp_path: Path) -> None:
    text = b"Subject: s\n\nline\nFrom here on it is text\n"
    assert load_mbox(world.owner, world.office, _mbox(tmp_path, text)) == 1
    assert b"From here on" in world.owner.mailbox.raw(next(world.owner.mailbox.newest_first()))


def test_mbox_with_crlf(world: SandboxState, tmp_path: Path) -> None:
    file = tmp_path / "mail.mbox"
    file.write_bytes(_mbox(tmp_path, FIRST, REPLY).read_bytes().replace(b"\n", b"\r\n"))
    assert load_mbox(world.owner, world.office, file) == 2
    newest = next(world.owner.mailbox.newest_first())
    assert world.owner.mailbox.raw(newest) == REPLY.replace(b"\n", b"\r\n")


def test_empty_mbox_is_an_empty_mailbox(world: SandboxState, tmp_path: Path) -> None:
    file = tmp_path / "empty"
    file.write_bytes(b"")
    assert load_mbox(world.owner, world.office, file) == 0


def test_maildir(world: SandboxState, tmp_path: Path) -> None:
    for name, mail in (("cur", FIRST), ("new", REPLY)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1").write_bytes(mail)
    assert load_maildir(world.owner, world.office, tmp_path) == 2
    assert _subjects(world) == ["Re: Bike", "Bike"]


def test_eml_folder_with_subfolders(world: SandboxState, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.eml").write_bytes(FIRST)
    (tmp_path / "a.eml").write_bytes(REPLY)
    (tmp_path / "note.txt").write_bytes(b"no mail")
    assert load_eml(world.owner, world.office, tmp_path) == 2
    assert len({row.thread_id for row in world.owner.mailbox.newest_first()}) == 1


def test_errors_name_the_file(world: SandboxState, tmp_path: Path) -> None:
    (tmp_path / "no.mbox").write_bytes(b"Subject: x\n\nno From line\n")
    for load, place in ((load_mbox, "no.mbox"), (load_mbox, "missing"), (load_maildir, "."), (load_eml, "missing")):
        with pytest.raises(LoadError, match=place.replace(".", r"\.") if place != "." else "maildir"):
            load(world.owner, world.office, tmp_path / place)


def test_dates_fall_back_in_order() -> None:
    def seconds(raw: bytes, line_s: float | None) -> float:
        return mail_seconds(raw, facts_of(raw), line_s, 6.0)

    assert seconds(FIRST, 5.0) == 1_773_392_400
    assert seconds(BARE, 5.0) == 5.0
    assert seconds(BARE, None) == 6.0
    assert seconds(b"Date: Thu, 1 Jan 1970 00:00:00 +0000\n\n", 5.0) == 5.0
