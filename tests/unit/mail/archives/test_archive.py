"""Which boxes an archive has, in which order, and reading on from any place in it."""

import tarfile
import zipfile
from pathlib import Path

from app.mail.archives.archive import boxes_of, mails_of

FROM = b"From - Mon Nov  2 10:00:00 2026\n"


def mbox(*names: str) -> bytes:
    """An mbox file of mails with these subjects."""
    return b"".join(FROM + f"Subject: {name}\n\nWords of {name}.\n\n".encode() for name in names)


def subjects(path: Path, box: int = 0, start: int = 0) -> list[str]:
    """What is read from that place on."""
    mails = (found.raw for _, found in mails_of(*boxes_of(path), box, start))
    return [mail.split(b"\n")[0].decode().removeprefix("Subject: ") for mail in mails if mail is not None]


def test_a_place_in_one_box_is_none_in_the_next(tmp_path: Path) -> None:
    """Reading that went on in the midst of a file must begin the files after it at their beginnings."""
    (tmp_path / "a.mbox").write_bytes(mbox("1", "2"))
    (tmp_path / "b.mbox").write_bytes(mbox("3", "4"))
    (tmp_path / "c.eml").write_bytes(b"Subject: 5\n\nWords.\n")
    places = [(number, found.start + found.length) for number, found in mails_of(*boxes_of(tmp_path))]
    assert [subjects(tmp_path, *place) for place in places[:2]] == [["2", "3", "4", "5"], ["3", "4", "5"]]


def test_boxes_stand_in_the_order_of_their_names(tmp_path: Path) -> None:
    """A place is the number of a box: it must be the same box at the next start, whatever the disk lists first."""
    names = [f"{number:02}" for number in (7, 3, 11, 0, 9, 5, 1, 10, 4, 8, 2, 6)]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "mail.mbox").write_bytes(mbox(name))
    assert subjects(tmp_path) == sorted(names)


def test_what_a_maildir_has_not_delivered_is_no_mail(tmp_path: Path) -> None:
    for name in ("cur", "new", "tmp"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"1.{name}.eml").write_bytes(f"Subject: {name}\n\nWords.\n".encode())
    assert subjects(tmp_path) == ["cur", "new"]


def test_packed_files_of_both_kinds_are_read_one_after_the_other(tmp_path: Path) -> None:
    inner = tmp_path / "inner.mbox"
    inner.write_bytes(mbox("2"))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr("inner.mbox", mbox("1"))
    with tarfile.open(tmp_path / "b.tgz", "w:gz") as tar:
        tar.add(inner, "inner.mbox")
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as packed:
        packed.writestr("inner.mbox", mbox("3"))
    inner.unlink()
    assert subjects(tmp_path) == ["1", "2", "3"]


def test_a_small_archive_may_unpack_to_many_times_its_size(tmp_path: Path) -> None:
    """Mail that repeats itself packs well; only what is large as well is a bomb."""
    file = tmp_path / "takeout.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("all.mbox", mbox("1") + b"the same again\n" * 60_000)
    assert file.stat().st_size < 9_000
    assert subjects(file) == ["1"]
