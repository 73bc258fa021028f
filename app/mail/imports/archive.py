"""What a mail archive consists of: boxes (mbox files, also inside a zip or tar of Google Takeout) and Maildir folders.

Refuses to unpack anything to disk and to change anything in the archive.
"""

import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

from app.domain.errors import BadFile
from app.mail.imports.mbox import mail_at, read_mbox

UNPACKING = (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, RuntimeError)
"""What the standard library raises on a packed file that is broken, has a password or is packed in a way it does not know."""
INNER = "::"
"""Between the name of a packed archive and that of the box inside it."""


@dataclass(frozen=True, slots=True)
class Box:
    """One mbox file, or one Maildir file, of `size` bytes; `name` is what `open_box` takes; `flags` are a Maildir file's."""

    name: str
    size: int
    single: bool
    flags: str = ""
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A mail and where it stands; `raw` is empty for a file that is gone, and the beginning of one that is too large."""

    box: Box
    start: int
    length: int
    raw: bytes


def boxes_of(path: Path) -> list[Box]:
    """Everything in an archive, in a fixed order. Raises `BadFile` for what is no mail archive."""
    try:
        found = _boxes_in_folder(path) if path.is_dir() else _boxes_in_file(path)
    except (OSError, *UNPACKING) as error:
        why = "it has a password, or is packed in an unknown way" if isinstance(error, RuntimeError) else type(error).__name__
        raise BadFile(str(path), 0, f"It cannot be read: {why}.", "Choose another file.") from error
    if not found:
        raise BadFile(str(path), 0, "There is no mail in it.", "Choose an mbox file, a Maildir folder or a Google Takeout file.")
    return found


def mails_of(boxes: list[Box], box: int = 0, start: int = 0) -> Iterator[tuple[int, Found]]:
    """Every mail from `start` in box number `box` on, with the number of its box. Raises `BadFile` where a packed one is broken,
    `OSError` where a box cannot be read."""
    for number in range(box, len(boxes)):
        here, begin = boxes[number], start if number == box else 0
        if here.single:
            if begin == 0:
                yield number, Found(here, 0, here.size, _single(here))
            continue
        try:
            with open_box(here.name) as stream:
                for piece in read_mbox(stream, begin):
                    yield number, Found(here, piece.start, piece.end - piece.start, piece.raw)
        except UNPACKING as error:
            raise BadFile(
                here.name, 0, "The packed file is broken from here on.", "Download it again, then read it again."
            ) from error


def _single(box: Box) -> bytes:
    """A file that holds one mail; empty if a mail program moved it since it was listed: reading again finds it."""
    try:
        return read_mail(box.name, 0, box.size)
    except FileNotFoundError:
        return b""


def read_mail(name: str, start: int, length: int) -> bytes:
    """One mail of a box, or the beginning of one that is too large."""
    with open_box(name) as stream:
        return mail_at(stream, start, length)


@contextmanager
def open_box(name: str) -> Iterator[BinaryIO]:
    """A box by its name, ready to seek. Raises `OSError`."""
    outer, inner, member = name.partition(INNER)
    if not inner:
        with Path(name).open("rb") as plain:
            yield plain
    elif zipfile.is_zipfile(outer):
        with zipfile.ZipFile(outer) as packed, packed.open(member) as file:
            yield cast(BinaryIO, file)
    else:
        with tarfile.open(outer) as tar, _member(tar, member) as file:
            yield file


def _member(tar: tarfile.TarFile, name: str) -> BinaryIO:
    found = tar.extractfile(name)
    if found is None:
        raise FileNotFoundError(name)
    return cast(BinaryIO, found)


def _boxes_in_file(path: Path) -> list[Box]:
    name = str(path)
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            inside = [(one.filename, one.file_size, _peek(partial(packed.open, one))) for one in packed.infolist()]
        return [Box(f"{name}{INNER}{member}", size, single=False) for member, size, fits in sorted(inside) if fits]
    if path.suffix in (".tgz", ".gz", ".tar") and tarfile.is_tarfile(path):
        with tarfile.open(path) as tar:
            files = [one for one in tar if one.isfile()]
            kept = [(one.name, one.size) for one in files if _peek(partial(tar.extractfile, one))]
        return [Box(f"{name}{INNER}{member}", size, single=False) for member, size in sorted(kept)]
    size = path.stat().st_size
    if path.suffix.lower() == ".eml":
        return [Box(name, size, single=True)]
    return [Box(name, size, single=False)] if _peek(partial(path.open, "rb")) else []


def _peek(opened: Callable[[], object]) -> bool:
    """Whether a file begins like an mbox."""
    stream = opened()
    if stream is None:
        return False
    with cast(BinaryIO, stream) as file:
        return file.read(5) == b"From "


def _boxes_in_folder(path: Path) -> list[Box]:
    """Maildir folders, and mbox and eml files, at any depth."""
    found: list[Box] = []
    for folder, folders, files in os.walk(path):
        folders.sort()
        here = Path(folder)
        if here.name in ("cur", "new"):
            box = here.parent.name if here.parent != path else ""
            found += [_maildir_file(here / name, box) for name in sorted(files) if not name.startswith(".")]
        elif here.name != "tmp":
            for name in sorted(files):
                if name.lower().endswith((".mbox", ".eml", ".zip", ".tgz")) or name == "mbox":
                    found += _boxes_in_file(here / name)
    return found


def _maildir_file(path: Path, folder: str) -> Box:
    return Box(str(path), path.stat().st_size, single=True, flags=path.name.partition(":2,")[2], folder=folder.lstrip("."))
