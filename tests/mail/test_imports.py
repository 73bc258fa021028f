"""Mail archives: mbox, Maildir, Takeout in a zip or tar, each mail as its reader would see it, read on from any place."""

import base64
import io
import tarfile
import tracemalloc
import zipfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.archives import MailPlace
from app.domain.errors import BadFile, NotFound, Refused
from app.domain.ids import GmailId
from app.domain.mail_files import SOURCE_PART
from app.mail.imports.archive import boxes_of, mails_of, read_mail
from app.mail.imports.filing import ids_of, labels_of
from app.mail.imports.mbox import read_mbox
from app.mail.imports.reader import cut_out, open_archive
from app.mail.imports.resource import part_of, resource_of
from app.mail.parse import parse_message
from fakes.awkward_mail import awkward_bytes, awkward_names, expectations

MAIL = b"From: a@b.example\nSubject: One\n\nHello.\n>From the start\n"


def mbox(*mails: bytes) -> bytes:
    """An mbox file."""
    return b"".join(b"From - Mon Nov  2 10:00:00 2026\n" + one.rstrip(b"\n") + b"\n\n" for one in mails)


@pytest.mark.parametrize("name", awkward_names())
def test_an_awkward_mail_reads_the_same_from_a_file(name: str) -> None:
    resource = resource_of(awkward_bytes(name), "1", "1", [])
    assert expectations()[name].faults(parse_message(resource)) == []


def test_an_mbox_is_read_mail_by_mail_and_on_from_any_place() -> None:
    stream = io.BytesIO(mbox(MAIL, b"Subject: Two\n\nFrom here on\n", MAIL))
    pieces = list(read_mbox(stream))
    assert [piece.raw.splitlines()[-2:] for piece in pieces[:1]] == [[b"From the start", b""]]
    assert len(pieces) == 3
    for number, piece in enumerate(pieces):
        assert [one.raw for one in read_mbox(stream, piece.start)] == [one.raw for one in pieces[number:]]


@given(st.lists(st.binary(max_size=40).map(lambda one: b"Subject: x\n\n" + one.replace(b"From ", b"")), max_size=6))
def test_no_byte_of_an_mbox_is_lost(mails: list[bytes]) -> None:
    whole = mbox(*mails)
    pieces = list(read_mbox(io.BytesIO(whole)))
    assert pieces == [] or (pieces[0].start, pieces[-1].end) == (0, len(whole))
    assert all(one.end == two.start for one, two in pairwise(pieces))
    assert len(pieces) == len(mails)


@given(st.binary(max_size=400))
def test_no_bytes_fail(raw: bytes) -> None:
    parse_message(resource_of(raw, "1", "1", labels_of(raw, "", "")))
    ids_of(raw)


def test_takeout_in_a_zip_and_a_tar(tmp_path: Path) -> None:
    content = mbox(b"X-Gmail-Labels: Inbox,Sent,=?UTF-8?Q?V=C3=BDlety?=\n" + MAIL, MAIL)
    with zipfile.ZipFile(tmp_path / "takeout.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("Takeout/Mail/All mail.mbox", content)
        packed.writestr("Takeout/archive_browser.html", "<html>")
    with tarfile.open(tmp_path / "takeout.tgz", "w:gz") as tar:
        entry = tarfile.TarInfo("Takeout/Mail/All mail.mbox")
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
    for name in ("takeout.zip", "takeout.tgz"):
        archive = open_archive(tmp_path / name)
        mails = list(archive.mails(0, 0))
        assert [one.message.labels for one in mails if one.message] == [{"SENT", "archive:Výlety"}, set()]
        assert [label.name for label in mails[0].labels] == ["Výlety"]
        assert mails[-1].done_bytes == archive.total_bytes
        place = mails[1].place
        cut_out(place, SOURCE_PART, tmp_path / "one.eml")
        assert b"Subject: One" in (tmp_path / "one.eml").read_bytes()


def test_a_maildir_with_flags_and_folders(tmp_path: Path) -> None:
    for folder in ("cur", "new", "tmp", ".Trips/cur"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "cur" / "1:2,FS").write_bytes(MAIL)
    (tmp_path / "new" / "2").write_bytes(MAIL.replace(b"One", b"Two"))
    (tmp_path / ".Trips" / "cur" / "3:2,T").write_bytes(MAIL.replace(b"One", b"Three"))
    (tmp_path / "tmp" / "4").write_bytes(MAIL)
    found = {one.message.subject: one.message.labels for one in open_archive(tmp_path).mails(0, 0) if one.message}
    assert found == {"One": {"STARRED"}, "Two": set(), "Three": {"TRASH", "archive:Trips"}}
    again = list(open_archive(tmp_path).mails(1, 999))
    assert len(again) == 1


def test_threads_follow_takeout_or_the_references() -> None:
    root = b"Message-ID: <a@x>\nSubject: s\n\nx"
    answer = b"Message-ID: <b@x>\nIn-Reply-To: <a@x>\n\ny"
    third = b"Message-ID: <c@x>\nReferences: <a@x> <b@x>\n\nz"
    assert len({ids_of(one)[1] for one in (root, answer, third)}) == 1
    assert len({ids_of(one)[0] for one in (root, answer, third)}) == 3
    assert ids_of(b"X-GM-THRID: 12\n\nx")[1] == ids_of(b"X-GM-THRID: 12\nReferences: <q@x>\n\ny")[1]


def test_what_is_no_archive_is_said(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    for path in (tmp_path / "photo.jpg", tmp_path, tmp_path / "missing"):
        with pytest.raises(BadFile):
            boxes_of(path)


def test_parts_are_cut_from_the_archive(tmp_path: Path) -> None:
    raw = awkward_bytes("multi_nested_deep")
    assert part_of(raw, "1") == b"a,b"
    assert part_of(raw, "7") is None
    (tmp_path / "one.eml").write_bytes(raw)
    found = next(iter(mails_of(boxes_of(tmp_path))))[1]
    target = tmp_path / "rows.csv"
    place = MailPlace(GmailId(ids_of(raw)[0]), found.box.name, found.start, found.length)
    cut_out(place, "1", target)
    assert target.read_bytes() == b"a,b"
    for wrong, part in ((place, "9"), (replace(place, file=str(tmp_path / "moved.mbox")), "1"), (replace(place, start=1), "1")):
        with pytest.raises(NotFound):
            cut_out(wrong, part, target)


def test_a_broken_zip_gives_what_is_whole_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "takeout.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as packed:
        packed.writestr("Takeout/Mail/All mail.mbox", mbox(*(MAIL + b"%d" % number * 2000 for number in range(200))))
    data = bytearray(path.read_bytes())
    data[-1000] ^= 1
    path.write_bytes(data)
    found: list[str] = []
    with pytest.raises(BadFile) as bad:
        found.extend(one.place.gmail_id for one in open_archive(path).mails(0, 0))
    assert "broken" in bad.value.detail


def test_a_file_that_a_mail_program_moved_meanwhile_holds_no_other_up(tmp_path: Path) -> None:
    for name in ("1", "2", "3"):
        (tmp_path / f"{name}.eml").write_bytes(MAIL.replace(b"One", name.encode()))
    archive = open_archive(tmp_path)
    (tmp_path / "2.eml").rename(tmp_path / "4.eml")
    assert [one.message.subject if one.message else "" for one in archive.mails(0, 0)] == ["1", "", "3"]


def test_of_a_mail_that_is_too_large_the_beginning_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was left out without a word."""
    for module in ("mbox", "reader"):
        monkeypatch.setattr(f"app.mail.imports.{module}.LARGEST", 5000)
    monkeypatch.setattr("app.mail.imports.mbox.BEGINNING", 1000)
    path = tmp_path / "old.mbox"
    large = MAIL.replace(b"One", b"Large") + b"line\n" * 2000
    path.write_bytes(mbox(MAIL, large, MAIL.replace(b"One", b"Three")))
    mails = list(open_archive(path).mails(0, 0))
    assert [one.message.subject for one in mails if one.message] == ["One", "Large", "Three"]
    found = mails[1]
    assert found.message is not None
    assert found.message.body_text.startswith("Hello.\nFrom the start")
    assert len(found.message.body_text) < 1000 < found.message.size == found.place.length
    assert ids_of(read_mail(str(path), found.place.start, found.place.length))[0] == found.place.gmail_id
    with pytest.raises(Refused, match=r"old\.mbox"):
        cut_out(found.place, SOURCE_PART, tmp_path / "large.eml")
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "large.eml").write_bytes(large)
    assert [one.message.subject for one in open_archive(tmp_path / "one").mails(0, 0) if one.message] == ["Large"]


def test_a_large_file_is_held_few_times(tmp_path: Path) -> None:
    """Old mail has files of a hundred megabytes; the engine shares the computer with others."""
    head = b"Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\n\n"
    (tmp_path / "old.mbox").write_bytes(mbox(head + base64.encodebytes(bytes(600_000))))
    tracemalloc.start()
    try:
        (one,) = open_archive(tmp_path).mails(0, 0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert one.message is not None
    assert [file.size for file in one.message.attachments] == [600_000]
    assert peak < 7 * one.place.length, peak / one.place.length


def test_labels_with_commas_stand_in_quotes() -> None:
    raw = b'X-Gmail-Labels: Inbox,"Trips, long ones",=?UTF-8?Q?=22V=C3=BDlety=2C_2=22?=\n\nx'
    assert labels_of(raw, "", "") == ["archive:Trips, long ones", "archive:Výlety, 2"]


def test_the_last_mail_is_the_same_once_another_follows() -> None:
    alone = [one.raw for one in read_mbox(io.BytesIO(mbox(MAIL)[:-1]))]
    followed = [one.raw for one in read_mbox(io.BytesIO(mbox(MAIL, MAIL)))]
    assert ids_of(alone[0]) == ids_of(followed[0])
