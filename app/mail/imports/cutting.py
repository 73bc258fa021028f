"""Writes a part of an archived mail to disk, a large one in bites as its lines come. Refuses to hold a large file."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from app.mail.imports.decoding import decoder_for
from app.mail.imports.reduced import Cut, Reduced
from app.mail.imports.resource import cut_in, part_of


def write_source(lines: Iterable[bytes], target: Path) -> None:
    """The whole mail."""
    with target.open("wb") as file:
        file.writelines(lines)


def write_part(mail: Reduced, lines: Iterable[bytes], part_id: str, target: Path) -> bool:
    """The decoded bytes of one part; `lines` are the mail's. False if there is none of that id."""
    data = part_of(mail.raw, part_id)
    if data is None:
        return False
    cut = cut_in(data, mail.cuts)
    with target.open("wb") as file:
        if cut is not None:
            decoder = decoder_for(cut.encoding)
            for piece in _between(lines, cut):
                file.write(decoder.feed(piece))
            file.write(decoder.end())
        else:
            _write_filled(data, mail.cuts, lines, file)
    return True


def _write_filled(data: bytes, cuts: tuple[Cut, ...], lines: Iterable[bytes], file: BinaryIO) -> None:
    """A mail within the mail, with what was cut from it in its place again."""
    by_mark = {cut.mark.encode(): cut for cut in cuts}
    marks = re.compile(b"|".join(map(re.escape, by_mark)) or rb"(?!)")
    at, source = 0, _Source(lines)
    for found in marks.finditer(data):
        file.write(data[at : found.start()])
        for piece in source.between(by_mark[found[0]]):
            file.write(piece)
        at = found.end()
    file.write(data[at:])


class _Source:
    """The lines of a mail, gone through once: cuts come in their order."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self._at = 0
        self._line = b""

    def between(self, cut: Cut) -> Iterator[bytes]:
        """The bytes of a cut."""
        while True:
            first, last = max(cut.start - self._at, 0), cut.end - self._at
            if first < len(self._line) and last > 0:
                yield self._line[first:last]
            if last <= len(self._line):
                return
            self._at += len(self._line)
            self._line = next(self._lines, b"")
            if not self._line:
                return


def _between(lines: Iterable[bytes], cut: Cut) -> Iterator[bytes]:
    return _Source(lines).between(cut)
