"""An mbox stream, mail by mail, in the order of the file. Reads on from any place it gave before.

A mail begins at a line `From `, with a time in it, at the start or after an empty line.
Refuses to hold more than one mail, and more than the beginning of one of absurd size.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

LARGEST = 200_000_000
BEGINNING = 2_000_000
"""So much is read of a larger mail: who wrote it, when, about what, and mostly its words; its files come behind them."""
_LONGEST_LINE = 1 << 20
_BEGINS = re.compile(rb"From [^\r\n]*\d{1,2}:\d{2}")
"""A line that begins a mail has a time in it; a sentence that begins with From seldom has, and few programs escape it."""
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Piece:
    """`start` is where the mail's `From ` line begins, `end` where the next mail's does, in bytes; `raw` is the mail itself, or
    the beginning of one that is too large."""

    start: int
    end: int
    raw: bytes


def read_mbox(stream: BinaryIO, start: int = 0) -> Iterator[Piece]:
    """The mails from `start` (0 or an `end` given before) on."""
    stream.seek(start)
    begin, at, lines, size, after_empty = start, start, list[bytes](), 0, True
    while line := stream.readline(_LONGEST_LINE):
        if after_empty and at > begin and _BEGINS.match(line):
            yield Piece(begin, at, _mail(lines, size))
            begin, size = at, 0
        at += len(line)
        size += len(line)
        if size <= LARGEST:
            lines.append(line)
        after_empty = line in (b"\n", b"\r\n")
    if at > begin:
        yield Piece(begin, at, _mail(lines, size))


def mail_at(stream: BinaryIO, start: int, length: int) -> bytes:
    """The mail in one stretch of the file, or the beginning of one that is too large."""
    stream.seek(start)
    lines = stream.read(length if length <= LARGEST else _LONGEST_LINE + BEGINNING).splitlines(keepends=True)
    return _mail(lines, length)


def _mail(lines: list[bytes], size: int) -> bytes:
    """Takes the lines out of their list, so that a large mail is not held twice while it is looked at."""
    if lines and lines[0].startswith(b"From "):
        del lines[0]
    raw = b"".join(lines)
    lines.clear()
    return _ESCAPED.sub(rb"\1", raw if size <= LARGEST else raw[:BEGINNING])
