"""Finds the mail in an archive: mbox files, Maildir folders and single messages, in a folder, zip or tar (Takeout).

An unreadable file of a folder is reported and the others are read. Zip and tar files are read in place without unpacking to disk;
the names inside are never used as paths.
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
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from app.domain.error_texts import Cause
from app.domain.errors import BadFile
from app.domain.record import Record
from app.mail.archives.mbox import mail_at, read_mbox

_ENDINGS = re.compile(r"\.(?:mbox|mbx|sbd)\Z", re.IGNORECASE)
_SHIFTED = re.compile(r"&([A-Za-z0-9+,]*)-")
_APPLE = re.compile(r"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}|Data|Messages|[0-9]")
"""Folders below an Apple Mail mailbox that are internal to that program."""


def folder_of(parts: Sequence[str]) -> str:
    """Returns the mail folder of a file, outermost first, joined by slashes.

    Handles Maildir++, Apple Mail and Thunderbird. The name of an mbox file is the innermost folder. Empty at the top and for a
    Takeout, whose folders are not mail folders.
    """
    if "Takeout" in parts[:2]:
        return ""
    names: list[str] = []
    apple = any(part.lower().endswith(".mbox") for part in parts[:-1])
    for part in parts:
        if part == "mbox" or (apple and _APPLE.fullmatch(part)):
            continue
        plain = _ENDINGS.sub("", part)
        names += [_imap(piece) for piece in plain[1:].split(".")] if plain.startswith(".") else [plain]
    named = [name.strip() for name in names if name.strip()]
    if len(named) > 1 and named[0].casefold() == "inbox":
        del named[0]
    return "/".join(named)


def _imap(name: str) -> str:
    """Decodes a name in IMAP's modified UTF-7, as Maildir++ uses it."""
    return _SHIFTED.sub(lambda found: _shifted(found[1]) if found[1] else "&", name)


def _shifted(letters: str) -> str:
    try:
        return base64.b64decode(letters.replace(",", "/") + "=" * (-len(letters) % 4)).decode("utf-16-be")
    except (binascii.Error, UnicodeDecodeError):
        return f"&{letters}-"


UNPACKING = (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, RuntimeError)
"""Exceptions of the standard library for a packed file that is broken, has a password or uses an unknown compression."""
INNER = "::"
"""Separates the name of a packed archive from that of the file inside it."""
HARMLESS = 2_000_000_000
MOST_TIMES = 100
TARS = (".tgz", ".gz", ".tar", ".tbz", ".bz2", ".txz", ".xz")
_HEAD = 5


def is_packed(path: Path) -> bool:
    return zipfile.is_zipfile(path) or (path.suffix.lower() in TARS and tarfile.is_tarfile(path))


def listed(path: Path) -> Iterator[tuple[str, int, bytes]]:
    """Yields name, size and first bytes of each file inside, in the fastest order. Raises `BadFile` for a decompression bomb."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            inside = sorted((info for info in packed.infolist() if not info.is_dir()), key=lambda info: info.filename)
            _check_unpacked_size(path, sum(info.file_size for info in inside))
            for info in inside:
                with packed.open(info) as file:
                    yield info.filename, info.file_size, file.read(_HEAD)
        return
    with tarfile.open(path) as tar:
        total = 0
        for member in tar:  # in order: going back would unpack it again from its beginning
            total += member.size
            _check_unpacked_size(path, total)
            inner = tar.extractfile(member) if member.isreg() else None
            if inner is not None:
                yield member.name, member.size, inner.read(_HEAD)


class PackedReader:
    """Opens boxes by name. The packed file around a box stays open for the next one."""

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
        """Opens a box for reading; the caller closes it. Raises `OSError` or one of `UNPACKING`."""
        outer, inner, member = name.partition(INNER)
        if not inner:
            return Path(name).open("rb")
        if outer != self._outer:
            self._open.close()
            self._zip = self._tar = None
            self._outer = ""
            if zipfile.is_zipfile(outer):
                self._zip = self._open.enter_context(zipfile.ZipFile(outer))
            else:
                self._tar = self._open.enter_context(tarfile.TarFile.open(outer))
            self._outer = outer
        if self._zip is not None:
            try:
                return cast(BinaryIO, self._zip.open(member))
            except KeyError:
                raise FileNotFoundError(name) from None
        assert self._tar is not None
        return cast(BinaryIO, _in_tar(self._tar, member))


def _in_tar(tar: tarfile.TarFile, name: str) -> object:
    for member in tar:  # members already passed are remembered, the rest is read on
        if member.name == name and member.isreg():
            return tar.extractfile(member)
    raise FileNotFoundError(name)


def _check_unpacked_size(path: Path, unpacked_bytes: int) -> None:
    times = unpacked_bytes // max(path.stat().st_size, 1)
    if unpacked_bytes > HARMLESS and times > MOST_TIMES:
        raise BadFile(str(path), 0, Cause.UNPACKS_TOO_LARGE, times)


SINGLE = (".eml", ".emlx")
MBOX = ("", ".mbox", ".mbx")
PACKED = (".zip", ".tgz", ".gz")
MAILDIR = ("cur", "new")
"""The folders of a Maildir that hold its messages."""


class ArchiveBox(Record):
    """An mbox file or a file with a single message; `size` is in bytes.

    `name` is what `PackedReader` opens, `flags` are a Maildir file's, `folder` is its mail folder with slashes.
    """

    name: str
    size: int
    single: bool
    flags: str = ""
    folder: str = ""

    @property
    def file(self) -> Path:
        """The file on disk that it is, or that contains it."""
        return Path(self.name.partition(INNER)[0])


class ArchiveEntry(Record):
    """A message and its place in a box. `raw` is None if the file is gone."""

    box: ArchiveBox
    start: int
    length: int
    raw: bytes | None


def boxes_of(path: Path) -> tuple[list[ArchiveBox], list[Path]]:
    """Lists all boxes of an archive in a fixed order, and its files that cannot be read.

    Raises `BadFile` if it is not a mail archive or nothing in it can be read.
    """
    errors: dict[Path, BadFile] = {}
    if path.is_dir():
        found = _boxes_in_folder(path, errors)
    else:
        found = _boxes_or_error(path, PurePosixPath(path.name), errors, alone=True)
    if not found:
        raise next(iter(errors.values()), BadFile(str(path), 0, Cause.NO_MAIL_IN_FILE, path.name))
    return found, list(errors)


def mails_of(boxes: list[ArchiveBox], unread: list[Path], box: int = 0, start: int = 0) -> Iterator[tuple[int, ArchiveEntry]]:
    """Yields every message from `start` in box number `box` on, with its box number.

    A file that cannot be read further is appended to `unread` and the others continue. If it is the only file, raises `BadFile`
    where it is packed and broken, otherwise `OSError`.
    """
    alone = bool(boxes) and boxes[0].file == boxes[-1].file  # boxes of one file are next to each other
    with PackedReader() as reader:
        for number in range(box, len(boxes)):
            here = boxes[number]
            if here.file in unread:
                continue
            try:
                for found in _in_box(here, start if number == box else 0, reader):
                    yield number, found
            except (OSError, *UNPACKING) as error:
                if not alone:
                    unread.append(here.file)
                elif isinstance(error, OSError):
                    raise
                else:
                    raise BadFile(here.name, 0, Cause.PACKED_BROKEN) from error


def _in_box(box: ArchiveBox, start: int, reader: PackedReader) -> Iterator[ArchiveEntry]:
    if box.single:
        if start == 0:
            yield _single(box, reader)
        return
    with reader.open(box.name) as stream:
        for piece in read_mbox(stream, start):
            yield ArchiveEntry(box, piece.start, piece.end - piece.start, piece.raw)


def _single(box: ArchiveBox, reader: PackedReader) -> ArchiveEntry:
    """Reads a file with one message.

    `raw` is None if a mail program has moved the file since it was listed; reading the archive again finds it.
    """
    try:
        with reader.open(box.name) as stream:
            start, length = _apple_mail(stream.readline(32), box.size) if box.name.lower().endswith(".emlx") else (0, box.size)
            return ArchiveEntry(box, start, length, mail_at(stream, start, length))
    except FileNotFoundError:
        return ArchiveEntry(box, 0, box.size, None)


def _apple_mail(first: bytes, size: int) -> tuple[int, int]:
    """Start and length of the message in an .emlx file.

    The first line holds the length; Apple Mail's own data follows the message.
    """
    number = first.strip()
    return (len(first), int(number)) if number.isdigit() and first.endswith(b"\n") else (0, size)


def _boxes_in_file(path: Path, within: PurePosixPath, *, alone: bool) -> list[ArchiveBox]:
    """Returns the boxes of a file; `within` is its path in the archive. A file that is `alone` may have any name."""
    if alone and not path.is_file() and path.exists():
        raise BadFile(str(path), 0, Cause.ARCHIVE_NOT_ORDINARY, path.name)
    if not path.is_file() and not alone:
        return []
    if is_packed(path):
        inside = [_box(f"{path}{INNER}{name}", PurePosixPath(name), size, head) for name, size, head in listed(path)]
        return [box for box in inside if box is not None]
    with path.open("rb") as file:
        head = file.read(5)
    found = _box(str(path), within, path.stat().st_size, head)
    if found is None and path.suffix.lower() in PACKED:
        raise zipfile.BadZipFile(path.name)  # for example one whose download was cut short
    if found is None or not alone:
        return [found] if found is not None else []
    return [ArchiveBox(found.name, found.size, found.single)]


def _box(name: str, within: PurePosixPath, size: int, head: bytes) -> ArchiveBox | None:
    """Identifies a file by its path and first bytes. None if it holds no mail."""
    inner = within.parts
    if len(inner) > 1 and inner[-2] in MAILDIR:
        flags = within.name.rpartition(":2,")[2] if ":2," in within.name else ""
        return None if within.name.startswith(".") else ArchiveBox(name, size, True, flags, folder_of(inner[:-2]))
    if "tmp" in inner[-2:-1] or within.name.startswith("._"):
        return None
    if within.suffix.lower() in SINGLE:
        return ArchiveBox(name, size, True, "", folder_of(inner[:-1]))
    return ArchiveBox(name, size, False, "", folder_of(inner)) if head == b"From " else None


def _boxes_in_folder(path: Path, errors: dict[Path, BadFile]) -> list[ArchiveBox]:
    """Everything that holds mail at any depth, also in packed files."""
    found: list[ArchiveBox] = []

    def unread(error: OSError) -> None:
        folder = Path(error.filename or path)
        errors[folder] = _unreadable(folder, error)

    for folder, folders, files in os.walk(path, onerror=unread):
        folders.sort()
        here = Path(folder)
        within = _path_in(path, here)
        for name in sorted(files):
            suffix = PurePosixPath(name).suffix.lower()
            if within.name in MAILDIR or suffix in (*SINGLE, *MBOX, *PACKED):
                found += _boxes_or_error(here / name, within / name, errors, alone=False)
    return found


def _path_in(archive: Path, folder: Path) -> PurePosixPath:
    """The path of a folder in its archive. The archive may itself be a Maildir's `cur` or `new`, known by its name."""
    if folder == archive:
        return PurePosixPath(archive.name if archive.name in MAILDIR else "")
    return PurePosixPath(folder.relative_to(archive).as_posix())


def _boxes_or_error(path: Path, within: PurePosixPath, errors: dict[Path, BadFile], *, alone: bool) -> list[ArchiveBox]:
    """Returns the boxes of a file; an unreadable one is noted in `errors`."""
    try:
        return _boxes_in_file(path, within, alone=alone)
    except BadFile as error:
        errors[path] = error
    except (OSError, *UNPACKING) as error:
        errors[path] = _unreadable(path, error)
    return []


def _unreadable(path: Path, error: Exception) -> BadFile:
    if isinstance(error, OSError):
        why = error.strerror or type(error).__name__
        return BadFile(str(path), 0, Cause.ARCHIVE_UNREADABLE, path.name, why)
    why = "it has a password, or is packed in an unknown way" if isinstance(error, RuntimeError) else "it is broken"
    return BadFile(str(path), 0, Cause.PACKED_UNREADABLE, path.name, why)
