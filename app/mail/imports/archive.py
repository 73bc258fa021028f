"""What a mail archive consists of: mbox files, Maildir folders and single mails, in a folder or in a zip or tar (Takeout).

Refuses to change anything in the archive, to follow links, and to open what is no ordinary file.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from app.domain.errors import BadFile
from app.mail.imports.folders import folder_of
from app.mail.imports.mbox import lines_at, read_mbox
from app.mail.imports.packed import INNER, UNPACKING, Shelf, is_packed, listed
from app.mail.imports.reduced import Reduced, reduced

SINGLE = (".eml", ".emlx")
MBOX = ("", ".mbox", ".mbx")
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


@dataclass(frozen=True, slots=True)
class Found:
    """A mail and where it stands; None for a file that is gone."""

    box: Box
    start: int
    length: int
    mail: Reduced | None


def boxes_of(path: Path) -> list[Box]:
    """Everything in an archive, in a fixed order. Raises `BadFile` for what is no mail archive."""
    try:
        found = _boxes_in_folder(path) if path.is_dir() else _boxes_in_file(path, PurePosixPath(path.name), alone=True)
    except OSError as error:
        name = Path(error.filename or path).name
        raise BadFile(str(path), 0, f"{name} cannot be read: {error.strerror or type(error).__name__}.", REMEDY) from error
    except UNPACKING as error:
        why = "it has a password, or is packed in an unknown way" if isinstance(error, RuntimeError) else "it is broken"
        raise BadFile(str(path), 0, f"{path.name} cannot be read: {why}.", "Download it again, or unpack it yourself.") from error
    if not found:
        raise BadFile(str(path), 0, f"There is no mail in {path.name}.", REMEDY)
    return found


def mails_of(boxes: list[Box], box: int = 0, start: int = 0) -> Iterator[tuple[int, Found]]:
    """Every mail from `start` in box number `box` on, with the number of its box. Raises `BadFile` where a packed one is broken,
    `OSError` where a box cannot be read."""
    with Shelf() as shelf:
        for number in range(box, len(boxes)):
            here, begin = boxes[number], start if number == box else 0
            try:
                if not here.single:
                    with shelf.open(here.name) as stream:
                        for piece in read_mbox(stream, begin):
                            yield number, Found(here, piece.start, piece.end - piece.start, piece.mail)
                elif begin == 0:
                    yield number, _single(here, shelf)
            except UNPACKING as error:
                raise BadFile(
                    here.name, 0, "The packed file is broken from here on.", "Download it again, then read it again."
                ) from error


def read_mail(name: str, start: int, length: int) -> Reduced:
    """One mail of a box. Raises `OSError`, or one of `UNPACKING`."""
    with Shelf() as shelf, shelf.open(name) as stream:
        return reduced(lines_at(stream, start, length))


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
    if found is None or not alone:
        return [found] if found is not None else []
    return [Box(found.name, found.size, found.single)]


def _box(name: str, within: PurePosixPath, size: int, head: bytes) -> Box | None:
    """A file by its place and its first bytes; None where it holds no mail."""
    inner = within.parts
    if len(inner) > 1 and inner[-2] in ("cur", "new"):
        flags = within.name.rpartition(":2,")[2] if ":2," in within.name else ""
        return None if within.name.startswith(".") else Box(name, size, True, flags, folder_of(inner[:-2]))
    if "tmp" in inner[-2:-1] or within.name.startswith("._"):
        return None
    if within.suffix.lower() in SINGLE:
        return Box(name, size, True, "", folder_of(inner[:-1]))
    return Box(name, size, False, "", folder_of(inner)) if head == b"From " else None


def _boxes_in_folder(path: Path) -> list[Box]:
    """Whatever holds mail at any depth, also in packed files."""
    found: list[Box] = []
    for folder, folders, files in os.walk(path, onerror=_raise):
        folders.sort()
        here = Path(folder)
        within = PurePosixPath(here.relative_to(path).as_posix())
        for name in sorted(files):
            file = here / name
            if here == path and path.name in ("cur", "new"):
                within = PurePosixPath(path.name)
            suffix = file.suffix.lower()
            if (within / name).parent.name in ("cur", "new") or suffix in (*SINGLE, *MBOX, ".zip", ".tgz", ".gz"):
                found += _boxes_in_file(file, within / name, alone=False)
    return found


def _raise(error: OSError) -> None:
    raise error
