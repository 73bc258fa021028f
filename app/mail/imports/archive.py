"""What a mail archive consists of: mbox files, Maildir folders and single mails, in a folder or in a zip or tar (Takeout).

A file of a folder that cannot be read is named, and the others are read. Refuses to change anything in the archive, to follow
links, and to open what is no ordinary file.
"""

import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from app.domain.errors import BadFile
from app.mail.imports.folders import folder_of
from app.mail.imports.mbox import lines_at, read_mbox
from app.mail.imports.packed import INNER, UNPACKING, Shelf, is_packed, listed
from app.mail.imports.reduced import Reduced, reduced

SINGLE = (".eml", ".emlx")
MBOX = ("", ".mbox", ".mbx")
PACKED = (".zip", ".tgz", ".gz")
MAILDIR = ("cur", "new")
"""The folders of a Maildir that hold its mails."""
REMEDY = "Choose an mbox file, a Maildir folder, mails (.eml) or a Google Takeout file."


@dataclass(frozen=True, slots=True)
class Box:
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
class Found:
    """A mail and where it stands; None for a file that is gone."""

    box: Box
    start: int
    length: int
    mail: Reduced | None


class Listing(NamedTuple):
    """What an archive consists of, and the files in it that cannot be read."""

    boxes: list[Box]
    unread: list[Path]


def boxes_of(path: Path) -> Listing:
    """Everything in an archive, in a fixed order. Raises `BadFile` for what is no mail archive, and for what cannot be read where
    there is nothing else."""
    faults: dict[Path, BadFile] = {}
    if path.is_dir():
        found = _boxes_in_folder(path, faults)
    else:
        found = _read_or_noted(path, PurePosixPath(path.name), faults, alone=True)
    if not found:
        raise next(iter(faults.values()), BadFile(str(path), 0, f"There is no mail in {path.name}.", REMEDY))
    return Listing(found, list(faults))


def mails_of(boxes: list[Box], unread: list[Path], box: int = 0, start: int = 0) -> Iterator[tuple[int, Found]]:
    """Every mail from `start` in box number `box` on, with the number of its box. A file that cannot be read on is put to those
    that are `unread`, and the others go on; an only one raises `BadFile` where it is packed and broken, `OSError` else."""
    alone = bool(boxes) and boxes[0].file == boxes[-1].file  # what lies in one file stands together
    with Shelf() as shelf:
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


def _in_box(box: Box, start: int, shelf: Shelf) -> Iterator[Found]:
    if box.single:
        if start == 0:
            yield _single(box, shelf)
        return
    with shelf.open(box.name) as stream:
        for piece in read_mbox(stream, start):
            yield Found(box, piece.start, piece.end - piece.start, piece.mail)


def _single(box: Box, shelf: Shelf) -> Found:
    """A file that holds one mail; none if a mail program moved it since it was listed: reading again finds it."""
    try:
        with shelf.open(box.name) as stream:
            start, length = _apple_mail(stream.readline(32), box.size) if box.name.lower().endswith(".emlx") else (0, box.size)
            return Found(box, start, length, reduced(lines_at(stream, start, length)))
    except FileNotFoundError:
        return Found(box, 0, box.size, None)


def _apple_mail(first: bytes, size: int) -> tuple[int, int]:
    """Where the mail stands in a file of Apple Mail's: its length in the first line, notes of the program behind it."""
    number = first.strip()
    return (len(first), int(number)) if number.isdigit() and first.endswith(b"\n") else (0, size)


def _boxes_in_file(path: Path, within: PurePosixPath, *, alone: bool) -> list[Box]:
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
    return [Box(found.name, found.size, found.single)]


def _box(name: str, within: PurePosixPath, size: int, head: bytes) -> Box | None:
    """A file by its place and its first bytes; None where it holds no mail."""
    inner = within.parts
    if len(inner) > 1 and inner[-2] in MAILDIR:
        flags = within.name.rpartition(":2,")[2] if ":2," in within.name else ""
        return None if within.name.startswith(".") else Box(name, size, True, flags, folder_of(inner[:-2]))
    if "tmp" in inner[-2:-1] or within.name.startswith("._"):
        return None
    if within.suffix.lower() in SINGLE:
        return Box(name, size, True, "", folder_of(inner[:-1]))
    return Box(name, size, False, "", folder_of(inner)) if head == b"From " else None


def _boxes_in_folder(path: Path, faults: dict[Path, BadFile]) -> list[Box]:
    """Whatever holds mail at any depth, also in packed files."""
    found: list[Box] = []

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


def _read_or_noted(path: Path, within: PurePosixPath, faults: dict[Path, BadFile], *, alone: bool) -> list[Box]:
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
