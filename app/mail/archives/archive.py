"""What a mail archive consists of: mbox files, Maildir folders and single mails, in a folder or in a zip or tar (Takeout).

A file of a folder that cannot be read is named, and the others are read.

The folder that an archived mail lies in, from its file's: Maildir++, Apple Mail, Thunderbird, folders of files. Pure.

Zip and tar files as they are: what is in them, and one after the other of their files, without unpacking anything to disk.

Names inside are only names: nothing is opened or made by them.
"""

import base64
import binascii
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple, cast

from app.domain.errors import BadFile
from app.mail.archives.mbox import lines_at, read_mbox
from app.mail.archives.reduced import ReducedMail, reduced

_ENDINGS = re.compile(r"\.(?:mbox|mbx|sbd)\Z", re.IGNORECASE)
_SHIFTED = re.compile(r"&([A-Za-z0-9+,]*)-")
_APPLE = re.compile(r"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}|Data|Messages|[0-9]")
"""Folders below a mailbox of Apple Mail's that are its own affair."""


def folder_of(parts: Sequence[str]) -> str:
    """The names of the folders around a mail, the outermost first, with slashes between; empty at the top. The name of an mbox
    file is the innermost. A Takeout's folders are no folders of mail."""
    if "Takeout" in parts[:2]:
        return ""
    names: list[str] = []
    apple = any(part.lower().endswith(".mbox") for part in parts[:-1])
    for part in parts:
        if part == "mbox" or (apple and _APPLE.fullmatch(part)):
            continue
        plain = _ENDINGS.sub("", part)
        names += [_imap(one) for one in plain[1:].split(".")] if plain.startswith(".") else [plain]
    named = [one.strip() for one in names if one.strip()]
    if len(named) > 1 and named[0].casefold() == "inbox":
        del named[0]
    return "/".join(named)


def _imap(name: str) -> str:
    """A name in IMAP's own UTF-7, as Maildir++ has it."""
    return _SHIFTED.sub(lambda found: _shifted(found[1]) if found[1] else "&", name)


def _shifted(letters: str) -> str:
    try:
        return base64.b64decode(letters.replace(",", "/") + "=" * (-len(letters) % 4)).decode("utf-16-be")
    except (binascii.Error, UnicodeDecodeError):
        return f"&{letters}-"


UNPACKING = (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, RuntimeError)
"""What the standard library raises on a packed file that is broken, has a password or is packed in a way it does not know."""
INNER = "::"
"""Between the name of a packed archive and that of the box inside it."""
HARMLESS = 2_000_000_000
MOST_TIMES = 100
TARS = (".tgz", ".gz", ".tar", ".tbz", ".bz2", ".txz", ".xz")
_HEAD = 5


def is_packed(path: Path) -> bool:
    """Whether it is a zip or tar file."""
    return zipfile.is_zipfile(path) or (path.suffix.lower() in TARS and tarfile.is_tarfile(path))


def listed(path: Path) -> Iterator[tuple[str, int, bytes]]:
    """Name, size and first bytes of all files in it, in the order in which they are read best. Raises `BadFile` for a bomb."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            inside = sorted((one for one in packed.infolist() if not one.is_dir()), key=lambda one: one.filename)
            _refuse_bomb(path, sum(one.file_size for one in inside))
            for one in inside:
                with packed.open(one) as file:
                    yield one.filename, one.file_size, file.read(_HEAD)
        return
    with tarfile.open(path) as tar:
        total = 0
        for member in tar:  # in order: each look back would unpack it from its beginning
            total += member.size
            _refuse_bomb(path, total)
            inner = tar.extractfile(member) if member.isreg() else None
            if inner is not None:
                yield member.name, member.size, inner.read(_HEAD)


class PackedReader:
    """Boxes by their names, for reading one after the other; the packed file around them stays open meanwhile."""

    def __init__(self) -> None:
        self._outer = ""
        self._zip: zipfile.ZipFile | None = None
        self._tar: tarfile.TarFile | None = None
        self._open = ExitStack()

    def __enter__(self) -> "PackedReader":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def open(self, name: str) -> BinaryIO:
        """A box to read from; the caller closes it. Raises `OSError`, or one of `UNPACKING`."""
        outer, inner, member = name.partition(INNER)
        if not inner:
            return Path(name).open("rb")
        if outer != self._outer:
            self._turn_to(outer)
        if self._zip is not None:
            try:
                return cast(BinaryIO, self._zip.open(member))
            except KeyError:
                raise FileNotFoundError(name) from None
        assert self._tar is not None
        return cast(BinaryIO, _in_tar(self._tar, member))

    def _turn_to(self, outer: str) -> None:
        self._open.close()
        self._zip = self._tar = None
        self._outer = ""
        if zipfile.is_zipfile(outer):
            self._zip = self._open.enter_context(zipfile.ZipFile(outer))
        else:
            self._tar = self._open.enter_context(tarfile.TarFile.open(outer))
        self._outer = outer


def _in_tar(tar: tarfile.TarFile, name: str) -> object:
    for member in tar:  # what was passed already is remembered, the rest is read on to
        if member.name == name and member.isreg():
            return tar.extractfile(member)
    raise FileNotFoundError(name)


def _refuse_bomb(path: Path, unpacked_bytes: int) -> None:
    times = unpacked_bytes // max(path.stat().st_size, 1)
    if unpacked_bytes > HARMLESS and times > MOST_TIMES:
        raise BadFile(
            str(path),
            0,
            f"It would unpack to {times} times its size.",
            "Unpack it yourself if you trust it, then choose the folder.",
        )


SINGLE = (".eml", ".emlx")
MBOX = ("", ".mbox", ".mbx")
PACKED = (".zip", ".tgz", ".gz")
MAILDIR = ("cur", "new")
"""The folders of a Maildir that hold its mails."""
REMEDY = "Choose an mbox file, a Maildir folder, mails (.eml) or a Google Takeout file."


@dataclass(frozen=True, slots=True)
class ArchiveBox:
    """One mbox file, or one file of a single mail, of `size` bytes; `name` is what a shelf takes; `flags` are a Maildir file's.
    `folder` is where it lies in its archive, parts between slashes."""

    name: str
    size: int
    single: bool
    flags: str = ""
    folder: str = ""

    @property
    def file(self) -> Path:
        """The file on the disk that it is, or lies in."""
        return Path(self.name.partition(INNER)[0])


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A mail and where it stands; None for a file that is gone."""

    box: ArchiveBox
    start: int
    length: int
    mail: ReducedMail | None


class ArchiveListing(NamedTuple):
    """What an archive consists of, and the files in it that cannot be read."""

    boxes: list[ArchiveBox]
    unread: list[Path]


def boxes_of(path: Path) -> ArchiveListing:
    """Everything in an archive, in a fixed order. Raises `BadFile` for what is no mail archive, and for what cannot be read where
    there is nothing else."""
    faults: dict[Path, BadFile] = {}
    if path.is_dir():
        found = _boxes_in_folder(path, faults)
    else:
        found = _read_or_noted(path, PurePosixPath(path.name), faults, alone=True)
    if not found:
        raise next(iter(faults.values()), BadFile(str(path), 0, f"There is no mail in {path.name}.", REMEDY))
    return ArchiveListing(found, list(faults))


def mails_of(boxes: list[ArchiveBox], unread: list[Path], box: int = 0, start: int = 0) -> Iterator[tuple[int, ArchiveEntry]]:
    """Every mail from `start` in box number `box` on, with the number of its box. A file that cannot be read on is put to those
    that are `unread`, and the others go on; an only one raises `BadFile` where it is packed and broken, `OSError` else."""
    alone = bool(boxes) and boxes[0].file == boxes[-1].file  # what lies in one file stands together
    with PackedReader() as shelf:
        for number in range(box, len(boxes)):
            here = boxes[number]
            if here.file in unread:
                continue
            try:
                for found in _in_box(here, start if number == box else 0, shelf):
                    yield number, found
            except (OSError, *UNPACKING) as error:
                if not alone:
                    unread.append(here.file)
                elif isinstance(error, OSError):
                    raise
                else:
                    raise BadFile(
                        here.name, 0, "The packed file is broken from here on.", "Download it again, then read it again."
                    ) from error


def _in_box(box: ArchiveBox, start: int, shelf: PackedReader) -> Iterator[ArchiveEntry]:
    if box.single:
        if start == 0:
            yield _single(box, shelf)
        return
    with shelf.open(box.name) as stream:
        for piece in read_mbox(stream, start):
            yield ArchiveEntry(box, piece.start, piece.end - piece.start, piece.mail)


def _single(box: ArchiveBox, shelf: PackedReader) -> ArchiveEntry:
    """A file that holds one mail; none if a mail program moved it since it was listed: reading again finds it."""
    try:
        with shelf.open(box.name) as stream:
            start, length = _apple_mail(stream.readline(32), box.size) if box.name.lower().endswith(".emlx") else (0, box.size)
            return ArchiveEntry(box, start, length, reduced(lines_at(stream, start, length)))
    except FileNotFoundError:
        return ArchiveEntry(box, 0, box.size, None)


def _apple_mail(first: bytes, size: int) -> tuple[int, int]:
    """Where the mail stands in a file of Apple Mail's: its length in the first line, notes of the program behind it."""
    number = first.strip()
    return (len(first), int(number)) if number.isdigit() and first.endswith(b"\n") else (0, size)


def _boxes_in_file(path: Path, within: PurePosixPath, *, alone: bool) -> list[ArchiveBox]:
    """`within` is its path in the archive; one that is `alone` may have any name."""
    if alone and not path.is_file() and path.exists():
        raise BadFile(str(path), 0, f"{path.name} is no ordinary file.", REMEDY)
    if not path.is_file() and not alone:
        return []
    if is_packed(path):
        inside = [_box(f"{path}{INNER}{name}", PurePosixPath(name), size, head) for name, size, head in listed(path)]
        return [one for one in inside if one is not None]
    with path.open("rb") as file:
        head = file.read(5)
    found = _box(str(path), within, path.stat().st_size, head)
    if found is None and path.suffix.lower() in PACKED:
        raise zipfile.BadZipFile(path.name)  # such as one whose download was cut short
    if found is None or not alone:
        return [found] if found is not None else []
    return [ArchiveBox(found.name, found.size, found.single)]


def _box(name: str, within: PurePosixPath, size: int, head: bytes) -> ArchiveBox | None:
    """A file by its place and its first bytes; None where it holds no mail."""
    inner = within.parts
    if len(inner) > 1 and inner[-2] in MAILDIR:
        flags = within.name.rpartition(":2,")[2] if ":2," in within.name else ""
        return None if within.name.startswith(".") else ArchiveBox(name, size, True, flags, folder_of(inner[:-2]))
    if "tmp" in inner[-2:-1] or within.name.startswith("._"):
        return None
    if within.suffix.lower() in SINGLE:
        return ArchiveBox(name, size, True, "", folder_of(inner[:-1]))
    return ArchiveBox(name, size, False, "", folder_of(inner)) if head == b"From " else None


def _boxes_in_folder(path: Path, faults: dict[Path, BadFile]) -> list[ArchiveBox]:
    """Whatever holds mail at any depth, also in packed files."""
    found: list[ArchiveBox] = []

    def unread(error: OSError) -> None:
        folder = Path(error.filename or path)
        faults[folder] = _unreadable(folder, error)

    for folder, folders, files in os.walk(path, onerror=unread):
        folders.sort()
        here = Path(folder)
        within = _place_in(path, here)
        for name in sorted(files):
            suffix = PurePosixPath(name).suffix.lower()
            if within.name in MAILDIR or suffix in (*SINGLE, *MBOX, *PACKED):
                found += _read_or_noted(here / name, within / name, faults, alone=False)
    return found


def _place_in(archive: Path, folder: Path) -> PurePosixPath:
    """Where a folder lies in its archive. A Maildir's folder of mails may be the archive itself: its name says what it is."""
    if folder == archive:
        return PurePosixPath(archive.name if archive.name in MAILDIR else "")
    return PurePosixPath(folder.relative_to(archive).as_posix())


def _read_or_noted(path: Path, within: PurePosixPath, faults: dict[Path, BadFile], *, alone: bool) -> list[ArchiveBox]:
    """The boxes of a file; of one that cannot be read none, and why."""
    try:
        return _boxes_in_file(path, within, alone=alone)
    except BadFile as error:
        faults[path] = error
    except (OSError, *UNPACKING) as error:
        faults[path] = _unreadable(path, error)
    return []


def _unreadable(path: Path, error: Exception) -> BadFile:
    if isinstance(error, OSError):
        why = error.strerror or type(error).__name__
        return BadFile(str(path), 0, f"{path.name} cannot be read: {why}.", REMEDY)
    why = "it has a password, or is packed in an unknown way" if isinstance(error, RuntimeError) else "it is broken"
    return BadFile(str(path), 0, f"{path.name} cannot be read: {why}.", "Download it again, or unpack it yourself.")
