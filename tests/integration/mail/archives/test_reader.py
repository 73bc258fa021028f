"""Mail archives: mbox, Maildir, Takeout in a zip or tar, each mail as its reader would see it, read on from any place."""

import io
import tarfile
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import BadFile, NotFound
from app.domain.mail.files import SOURCE_PART
from app.domain.record import replace
from app.mail.archives import reader
from app.mail.archives.archive import boxes_of, folder_of
from app.mail.archives.mbox import read_mbox
from app.mail.archives.reader import cut_out, labels_of, open_archive, thread_of
from app.mail.archives.resource import part_of, resource_of
from app.mail.parse import parse_message
from fakes.gmail.awkward_mail import awkward_bytes, awkward_names, expectations

MAIL = b"From: a@b.example\nSubject: One\n\nHello.\n>From the start\n"


def mbox(*mails: bytes) -> bytes:
    """An mbox file."""
    return b"".join(b"From - Mon Nov  2 10:00:00 2026\n" + one.rstrip(b"\n") + b"\n\n" for one in mails)


@pytest.mark.parametrize("name", awkward_names())
def test_an_awkward_mail_reads_the_same_from_a_file(name: str) -> None:
    resource = resource_of(awkward_bytes(name), "1", "1", [])
    assert expectations(from_file=True)[name].faults(parse_message(resource)) == []


@given(st.lists(st.binary(max_size=40).map(lambda one: b"Subject: x\n\n" + one.replace(b"From ", b"")), max_size=6))
def test_no_byte_of_an_mbox_is_lost(mails: list[bytes]) -> None:
    whole = mbox(*mails)
    pieces = list(read_mbox(io.BytesIO(whole)))
    assert pieces == [] or (pieces[0].start, pieces[-1].end) == (0, len(whole))
    assert all(one.end == two.start for one, two in pairwise(pieces))
    assert len(pieces) == len(mails)


@given(st.binary(max_size=400))
def test_no_bytes_fail(raw: bytes) -> None:
    found = parse_message(resource_of(raw, "1", "1", []))
    assert labels_of(found, "", "") is not None and thread_of(found, "1")


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


def test_parts_are_cut_from_the_archive(tmp_path: Path) -> None:
    raw = awkward_bytes("multi_nested_deep")
    assert part_of(raw, "1") == b"a,b"
    assert part_of(raw, "7") is None
    (tmp_path / "one.eml").write_bytes(raw)
    target = tmp_path / "rows.csv"
    place = next(iter(open_archive(tmp_path).mails(0, 0))).place
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
    assert "damaged" in bad.value.detail


def test_a_file_that_a_mail_program_moved_meanwhile_holds_no_other_up(tmp_path: Path) -> None:
    for name in ("1", "2", "3"):
        (tmp_path / f"{name}.eml").write_bytes(MAIL.replace(b"One", name.encode()))
    archive = open_archive(tmp_path)
    (tmp_path / "2.eml").rename(tmp_path / "4.eml")
    assert [one.message.subject if one.message else "" for one in archive.mails(0, 0)] == ["1", "", "3"]


def test_copies_of_a_mail_have_one_id_and_other_mails_another(tmp_path: Path) -> None:
    copies = (MAIL, b"X-Mozilla-Status: 0001\n" + MAIL, MAIL.replace(b"\n", b"\r\n"))
    others = (MAIL.replace(b"One", b"Two"), MAIL + b"more\n", b"Message-ID: <1@b.example>\n" + MAIL)
    for number, raw in enumerate((*copies, *others)):
        (tmp_path / f"{number}.eml").write_bytes(raw)
    ids = [one.place.gmail_id for one in open_archive(tmp_path).mails(0, 0)]
    assert len(set(ids[:3])) == 1
    assert len(set(ids)) == 4


def test_a_mail_of_absurd_size_is_read_in_its_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.mail.archives.mbox.LONGEST_MAIL", 1000)
    monkeypatch.setattr(reader, "LONGEST_MAIL", 1000)
    path, target = tmp_path / "old.mbox", tmp_path / "large.eml"
    large = MAIL.replace(b"One", b"Large") + b"line\n" * 2000
    path.write_bytes(mbox(MAIL, large, MAIL.replace(b"One", b"Three")))
    mails = list(open_archive(path).mails(0, 0))
    assert [one.message.subject for one in mails if one.message] == ["One", "Large", "Three"]
    cut_out(mails[1].place, SOURCE_PART, target)
    assert target.read_bytes().count(b"line\n") == 2000
    with pytest.raises(NotFound, match="too large"):
        cut_out(mails[1].place, "0", target)


DATED = b"From - Mon Nov  2 10:00:00 2026\n"


@pytest.mark.parametrize(
    ("body", "mails"),
    [
        (b"From Bob on, we met at 10:30 each day\nand talked.\n", 1),
        (b"From Bob 10:30\n\nwe met\n", 1),
        (b"From bob@x.example Mon Nov  2 10:00:00 2026\nFrom: bob@x.example\n\nx\n", 2),
        (b"From 15@xxx Mon Nov 02 10:00:00 +0000 2026\nX-GM-THRID: 5\n\nx\n", 2),
        (b"From bob Mon, 2 Nov 2026 10:00:00 +0100\nSubject: y\n\nx\n", 2),
        (b">From bob Mon Nov  2 10:00:00 2026\nSubject: y\n\nx\n", 1),
        (b"From - Mon Nov  2 10:00:00 2026\n\n", 2),
        (b"From - Mon Nov  2 10:00:00 2026", 2),
        (b"From Bob at 10:30", 1),
    ],
)
def test_a_sentence_that_begins_with_from_begins_no_mail(body: bytes, mails: int) -> None:
    for ends in (b"\n", b"\r\n"):
        whole = (DATED + b"Subject: x\n\nWords.\n\n" + body).replace(b"\n", ends)
        pieces = list(read_mbox(io.BytesIO(whole)))
        assert len(pieces) == mails, pieces
        assert pieces[-1].end == len(whole)
        assert all(one.end == two.start for one, two in pairwise(pieces))
        if mails == 1:
            assert body.replace(b"\n", ends).lstrip(b">") in pieces[0].raw


def test_folders_of_other_programs_become_labels(tmp_path: Path) -> None:
    for name in ("Trips.mbox/mbox", "Sent Messages.mbox/mbox", "Local/Inbox", "Local/Inbox.sbd/Work", "Notes.mbox"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(mbox(MAIL.replace(b"One", name.encode())))
    (tmp_path / "Trips.mbox" / "table_of_contents").write_bytes(b"x")
    (tmp_path / "Local" / "Inbox.msf").write_bytes(b"From nothing")
    found = {one.message.subject: sorted(one.message.labels) for one in open_archive(tmp_path).mails(0, 0) if one.message}
    assert found == {
        "Trips.mbox/mbox": ["archive:Trips"],
        "Sent Messages.mbox/mbox": ["SENT"],
        "Local/Inbox": ["archive:Local/Inbox"],
        "Local/Inbox.sbd/Work": ["archive:Local/Inbox/Work"],
        "Notes.mbox": ["archive:Notes"],
    }


@pytest.mark.parametrize(
    ("parts", "folder"),
    [
        ((".Trips.2019",), "Trips/2019"),
        ((".INBOX.Sent",), "Sent"),
        ((".V&AP0-lety",), "Výlety"),
        ((".A&-B",), "A&B"),
        ((".&b-",), "&b-"),
        (("Trips.mbox", "1B2C3D4E-0000-1111-2222-333344445555", "Data", "3", "Messages"), "Trips"),
        (("Takeout", "Mail", "All mail.mbox"), ""),
        ((), ""),
    ],
)
def test_the_folder_of_a_mail(parts: tuple[str, ...], folder: str) -> None:
    assert folder_of(parts) == folder


def test_single_mails_also_of_apple_mail_and_packed(tmp_path: Path) -> None:
    inner = MAIL.replace(b"One", b"Two")
    (tmp_path / "1.eml").write_bytes(MAIL)
    (tmp_path / "2.emlx").write_bytes(b"%d   \n" % len(inner) + inner + b"<?xml?><plist/>")
    with tarfile.open(tmp_path / "more.tgz", "w:gz") as tar:
        for name in ("Mail/cur/1:2,F", "Mail/.Trips/cur/2:2,S", "Mail/tmp/3", "b.eml"):
            entry = tarfile.TarInfo(name)
            entry.size = len(MAIL)
            tar.addfile(entry, io.BytesIO(MAIL.replace(b"One", name[-3:].encode())))
    mails = [one for one in open_archive(tmp_path).mails(0, 0) if one.message]
    found = {one.message.subject: sorted(one.message.labels) for one in mails if one.message}
    assert found == {"One": [], "Two": [], "2,F": ["STARRED", "archive:Mail"], "2,S": ["archive:Mail/Trips"], "eml": []}
    for one in mails:
        cut_out(one.place, SOURCE_PART, tmp_path / "source")
        assert (tmp_path / "source").read_bytes().endswith(b"\nFrom the start\n")


def test_a_bomb_is_refused_and_links_are_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.mail.archives.archive.HARMLESS", 100_000)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("All mail.mbox", DATED + bytes(1_000_000))
    with tarfile.open(tmp_path / "bomb.tgz", "w:gz") as tar:
        entry = tarfile.TarInfo("All mail.mbox")
        entry.size = 1_000_000
        tar.addfile(entry, io.BytesIO(DATED + bytes(1_000_000)))
    for name in ("bomb.zip", "bomb.tgz"):
        with pytest.raises(BadFile, match="times its size"):
            boxes_of(tmp_path / name)
    outside = tmp_path / "outside"
    outside.write_bytes(mbox(MAIL))
    with tarfile.open(tmp_path / "links.tgz", "w:gz") as tar:
        for name, kind in (("a.mbox", tarfile.SYMTYPE), ("b.mbox", tarfile.LNKTYPE)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, str(outside)
            tar.addfile(entry)
        entry = tarfile.TarInfo("../../evil.mbox")
        entry.size = len(mbox(MAIL))
        tar.addfile(entry, io.BytesIO(mbox(MAIL)))
    assert [one.name.partition("::")[2] for one in boxes_of(tmp_path / "links.tgz")[0]] == ["../../evil.mbox"]
    assert len(list(open_archive(tmp_path / "links.tgz").mails(0, 0))) == 1
    assert not (tmp_path.parent.parent / "evil.mbox").exists()
