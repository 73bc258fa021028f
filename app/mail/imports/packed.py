"""Zip and tar files as they are: what is in them, and one after the other of their files, without unpacking anything to disk.

Refuses what would unpack to a hundred times its size (a bomb). Names inside are only names: nothing is opened or made by them.
"""

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, cast

from app.domain.errors import BadFile

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


class Shelf:
    """Boxes by their names, for reading one after the other; the packed file around them stays open meanwhile."""

    def __init__(self) -> None:
        self._outer = ""
        self._zip: zipfile.ZipFile | None = None
        self._tar: tarfile.TarFile | None = None
        self._open = ExitStack()

    def __enter__(self) -> "Shelf":
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
