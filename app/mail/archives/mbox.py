"""Reads an mbox stream message by message, in the order of the file, from any place it gave before.

A message begins at a line `From ` with a time in it, at the start or after an empty line, followed by a header.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from app.domain.record import Record

LONGEST_LINE = 1 << 20
"""Longer lines are read in pieces (bytes)."""
LONGEST_MAIL = 60_000_000
"""Bytes of a message that are kept. Gmail accepts 50 MB; parsing takes six times as much memory."""
_BEGINS = re.compile(rb"From [^\r\n]*\d{1,2}:\d{2}")
"""A line that begins a message has a time in it. A sentence that begins with From rarely has one, and few programs escape it."""
_DATED = re.compile(
    rb"From .*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +(?:[A-Z][a-z]{2} +\d{1,2}|\d{1,2} +[A-Z][a-z]{2})[ ,].*\d{1,2}:\d{2}"
)
"""A line with a whole date needs no header after it."""
_FIELD = re.compile(rb"[!-9;-~]+[ \t]*:")
_EMPTY = (b"\n", b"\r\n")


class MboxMail(Record):
    """A message, from its `From ` line (`start`) to the next one (`end`)."""

    start: int
    end: int
    raw: bytes


def read_mbox(stream: BinaryIO, start: int = 0) -> Iterator[MboxMail]:
    """Yields the messages from `start` on (0, or an earlier `end`)."""
    stream.seek(start)
    mail, at, after_empty = _Mail(start), start, True
    candidate = b""
    while line := stream.readline(LONGEST_LINE):
        if candidate:
            if _FIELD.match(line) or (line in _EMPTY and _DATED.match(candidate)):
                yield mail.piece(at - len(candidate))
                mail = _Mail(at - len(candidate))
            mail.feed(candidate)
            candidate = b""
        if after_empty and at > mail.start and _BEGINS.match(line):
            candidate, after_empty = line, False
        else:
            mail.feed(line)
            after_empty = line in _EMPTY
        at += len(line)
    if candidate and _DATED.match(candidate):
        yield mail.piece(at - len(candidate))
        mail = _Mail(at - len(candidate))
    if candidate:
        mail.feed(candidate)
    if at > mail.start:
        yield mail.piece(at)


def lines_at(stream: BinaryIO, start: int, length: int) -> Iterator[bytes]:
    """Yields the lines of one message without its `From ` line and without escapes."""
    stream.seek(start)
    left, begins, first = length, True, True
    while left > 0 and (line := stream.readline(min(left, LONGEST_LINE))):
        left -= len(line)
        if not (first and line.startswith(b"From ")):
            yield _plain(line) if begins else line
        first, begins = False, line.endswith(b"\n")


def mail_at(stream: BinaryIO, start: int, length: int) -> bytes:
    """The message there, up to `LONGEST_MAIL`."""
    kept: list[bytes] = []
    size = 0
    for line in lines_at(stream, start, length):
        size += len(line)
        if size > LONGEST_MAIL:
            break
        kept.append(line)
    return b"".join(kept)


class _Mail:
    def __init__(self, start: int) -> None:
        self.start = start
        self._lines: list[bytes] = []
        self._size = 0
        self._first = self._begins = True

    def feed(self, line: bytes) -> None:
        if not (self._first and line.startswith(b"From ")):
            plain = _plain(line) if self._begins else line
            self._size += len(plain)
            if self._size <= LONGEST_MAIL:
                self._lines.append(plain)
        self._first, self._begins = False, line.endswith(b"\n")

    def piece(self, end: int) -> MboxMail:
        raw = b"".join(self._lines)
        self._lines.clear()  # a generator that waits would hold them
        return MboxMail(self.start, end, raw)


def _plain(line: bytes) -> bytes:
    """The line without one level of escapes."""
    return line[1:] if line.startswith(b">") and line.lstrip(b">").startswith(b"From ") else line
