"""Reads a message without the bytes of its large files: headers, texts and small files, and for each large file its place and
size.

One pass over the lines; a message of 150 MB shrinks to some kilobytes. Never raises because of content, and finds the same files
as the standard library's parser. Transfer encodings are decoded in pieces, so a large file is never in memory.
"""

import binascii
import hashlib
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import Protocol

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_JUNK = bytes(sorted(set(range(256)) - set(_ALPHABET)))
_JUNK_BUT_PADDING = _JUNK.replace(b"=", b"")
_BITE = 1 << 16


class Decoder(Protocol):
    """Streaming decoder: feed it lines or pieces of lines, then call `end`."""

    def feed(self, piece: bytes) -> bytes:
        """Returns what could be decoded so far."""

    def end(self) -> bytes:
        """Returns the rest."""


def decoder_for(encoding: str) -> Decoder:
    """Returns a decoder for base64, quoted-printable, or unencoded content."""
    if encoding == "base64":
        return Base64Decoder()
    return QuotedPrintableDecoder() if encoding == "quoted-printable" else PlainDecoder()


class PlainDecoder:
    """Returns the bytes unchanged."""

    def feed(self, piece: bytes) -> bytes:
        return piece

    def end(self) -> bytes:
        return b""


class Base64Decoder:
    """Stops at the padding like the standard library; skips characters outside the alphabet."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._ended = False

    def feed(self, piece: bytes) -> bytes:
        """Decodes whole groups of four."""
        if self._ended:
            return b""
        self._held += piece.translate(None, _JUNK_BUT_PADDING)
        if len(self._held) < _BITE:
            return b""
        return self._decoded()

    def end(self) -> bytes:
        """Decodes the last groups and adds missing padding."""
        return b"" if self._ended else self._decoded(last=True)

    def _decoded(self, *, last: bool = False) -> bytes:
        stop = self._held.find(b"=")
        if stop >= 0:
            self._ended = last = True
            del self._held[stop:]
        whole = len(self._held) - (len(self._held) % 4)
        groups, rest = bytes(self._held[:whole]), bytes(self._held[whole:])
        del self._held[:whole]
        tail = binascii.a2b_base64(rest + b"=" * (4 - len(rest))) if last and len(rest) > 1 else b""
        return binascii.a2b_base64(groups) + tail


class QuotedPrintableDecoder:
    """Decodes line by line.

    Of an incomplete line, nothing that may be half an escape is decoded early.
    """

    def __init__(self) -> None:
        self._held = b""

    def feed(self, piece: bytes) -> bytes:
        """Decodes what does not depend on later input."""
        held = self._held + piece
        if held.endswith(b"\n"):
            self._held = b""
            return binascii.a2b_qp(held)
        begun = held.rfind(b"=", -2)
        cut = begun if begun >= 0 else len(held)
        self._held = held[cut:]
        return binascii.a2b_qp(held[:cut])

    def end(self) -> bytes:
        """Decodes the rest."""
        rest, self._held = self._held, b""
        return binascii.a2b_qp(rest)


class SizeCounter:
    """Counts a file's decoded size without keeping its bytes.

    Base64 is only counted; other encodings are decoded and discarded.
    """

    def __init__(self, encoding: str) -> None:
        self._base64 = encoding == "base64"
        self._decoder = decoder_for(encoding)
        self._letters = 0
        self._bytes = 0

    def feed(self, piece: bytes) -> None:
        if self._base64:
            self._letters += len(piece.translate(None, _JUNK))
        else:
            self._bytes += len(self._decoder.feed(piece))

    def end(self) -> int:
        """Returns the size in bytes."""
        return self._letters * 3 // 4 if self._base64 else self._bytes + len(self._decoder.end())


WHOLE = 1_000_000
"""Messages up to this size (bytes) are kept unchanged."""
LARGE_FILE = 256_000
LARGE_TEXT = 13_000_000
"""Bytes. Quoted-printable takes up to three characters for a byte, so a longer text is longer than we show."""
MOST = 64_000_000
MARK = "replyroom-cut-"
"""Prefix of the placeholder for a file; the random rest prevents a message from containing it."""
LONGEST_HEAD = 1_000_000
AT_ONCE = 1 << 16
"""Bytes of a large file that are counted together."""
_HEADER = re.compile(rb"From |[!-9;-~]*:|[\t ]")
_REST = re.compile(rb"(--)?[ \t]*(?:\r\n|\r|\n)?\Z")
_ENDS = b"\r\n"
_HEADS = BytesHeaderParser(policy=compat32)
_UU = frozenset({"x-uuencode", "uuencode", "uue", "x-uue"})


@dataclass(frozen=True, slots=True)
class CutFile:
    """A file that was left out.

    `mark` is its placeholder, `start` and `end` are its encoded bytes in the message, `size` is its decoded size.
    """

    mark: str
    start: int
    end: int
    size: int
    encoding: str


@dataclass(frozen=True, slots=True)
class ReducedMail:
    """A message without its cut files.

    `size` and `digest` (hexadecimal) are those of the whole message.
    """

    raw: bytes
    size: int
    digest: str
    cuts: tuple[CutFile, ...] = ()


def reduced(lines: Iterable[bytes]) -> ReducedMail:
    """Reduces a message given by its lines.

    Lines over a megabyte may come in pieces.
    """
    reducer = MailReducer()
    for line in lines:
        reducer.feed(line)
    return reducer.end()


def digest_of(raw: bytes) -> str:
    """Returns the message's digest.

    Trailing line ends do not count: the last message of a file has fewer than when another follows.
    """
    return hashlib.sha256(raw.rstrip(_ENDS)).hexdigest()[:16]


class MailReducer:
    """Reduces one message line by line."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._size = 0
        self._skeleton: _Skeleton | None = None

    def feed(self, line: bytes) -> None:
        """Adds the next line or piece of a long one."""
        self._size += len(line)
        if self._skeleton is not None:
            self._skeleton.feed(line)
            return
        self._lines.append(line)
        if self._size > WHOLE:
            self._skeleton = _Skeleton()
            for held in self._lines:
                self._skeleton.feed(held)
            self._lines.clear()

    def end(self) -> ReducedMail:
        """Returns the reduced message."""
        if self._skeleton is not None:
            return self._skeleton.end(self._size)
        raw = b"".join(self._lines)
        self._lines.clear()
        return ReducedMail(raw, len(raw), digest_of(raw))


class _Skeleton:
    """Follows a large message's structure as the standard library's parser does."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._unhashed: list[bytes] = []
        self._unhashed_size = 0
        self._kept: list[bytes] = []
        self._kept_size = 0
        self._at = 0
        self._begins_line = True
        self._boundaries: list[bytes] = []
        self._head: list[bytes] | None = []
        self._head_size = 0
        self._body = _Body(0, LARGE_TEXT, "")
        self._cuts: list[CutFile] = []

    def feed(self, line: bytes) -> None:
        """Adds the next line or piece of a long one."""
        self._unhashed.append(line)
        self._unhashed_size += len(line)
        if self._unhashed_size > AT_ONCE:
            self._hash()
        if self._begins_line and self._boundaries and line.startswith(b"--") and self._delimits(line):
            pass
        elif self._head is None:
            self._body.feed(line)
        elif self._begins_line and not _HEADER.match(line):
            self._end_head(line)
        else:
            self._head_size += len(line)
            if self._head_size <= LONGEST_HEAD:
                self._head.append(line)
                self._keep(line)
        self._at += len(line)
        self._begins_line = line.endswith((b"\n", b"\r"))

    def end(self, size: int) -> ReducedMail:
        """Returns the reduced message."""
        self._end_body(delimited=False)
        self._hash()
        raw = b"".join(self._kept)
        self._kept.clear()
        return ReducedMail(raw, size, self._digest.hexdigest()[:16], tuple(self._cuts))

    def _hash(self) -> None:
        """Hashes the pending lines without trailing line ends, which count only if something follows."""
        lines = b"".join(self._unhashed)
        content = lines.rstrip(_ENDS)
        self._digest.update(content)
        self._unhashed = [lines[len(content) :]]
        self._unhashed_size = 0

    def _delimits(self, line: bytes) -> bool:
        """Whether the line is the boundary of an open multipart.

        If so, ends the current part and starts the next one.
        """
        for depth in range(len(self._boundaries) - 1, -1, -1):
            mark = self._boundaries[depth]
            if not line.startswith(mark):
                continue
            rest = _REST.match(line, len(mark))
            if rest is None:
                continue
            self._end_body(delimited=True)
            self._keep(line)
            if rest[1]:  # the last boundary: what follows belongs to no part
                del self._boundaries[depth:]
                self._head, self._body = None, _Body(self._at + len(line), LARGE_FILE, "", unread=True)
            else:
                del self._boundaries[depth + 1 :]
                self._head, self._head_size = [], 0
            return True
        return False

    def _end_head(self, line: bytes) -> None:
        head = _HEADS.parsebytes(b"".join(self._head or []))
        kind, blank = head.get_content_maintype(), not line.strip(_ENDS)
        boundary = head.get_boundary() if kind == "multipart" else None
        if blank:
            self._keep(line)
        start = self._at + len(line) if blank else self._at
        if kind == "message" and head.get_content_type() != "message/delivery-status":
            self._head, self._head_size = [], 0
        else:
            self._head = None
        if boundary is not None:
            self._boundaries.append(b"--" + boundary.encode("ascii", "surrogateescape"))
            self._body = _Body(start, LARGE_FILE, "", unread=True)
        else:
            self._body = _Body(start, _limit(head), _encoding(head))
        if not blank and self._head is None:
            self._body.feed(line)

    def _end_body(self, *, delimited: bool) -> None:
        """Keeps the lines of a body, or the placeholder of what was cut."""
        kept, cut = self._body.end(delimited=delimited)
        for line in kept:
            self._keep(line)
        if cut is not None:
            self._cuts.append(cut)
        self._body = _Body(self._at, LARGE_TEXT, "")

    def _keep(self, line: bytes) -> None:
        self._kept_size += len(line)
        if self._kept_size <= MOST:
            self._kept.append(line)


class _Body:
    """Holds the lines of one part until there are too many.

    A body that is `unread` leaves no placeholder.
    """

    def __init__(self, start: int, limit: int, encoding: str, *, unread: bool = False) -> None:
        self._start = self._end = self._counted = start
        self._limit = limit
        self._encoding = encoding
        self._unread = unread
        self._held: list[bytes] = []
        self._size: SizeCounter | None = None

    def feed(self, line: bytes) -> None:
        self._end += len(line)
        self._held.append(line)
        if self._end - self._counted > self._limit:
            self._size = self._size or SizeCounter(self._encoding)
            last = self._held.pop()
            self._size.feed(b"".join(self._held))
            self._held = [last]
            self._counted, self._limit = self._end, AT_ONCE

    def end(self, *, delimited: bool) -> tuple[list[bytes], CutFile | None]:
        """Returns the lines, or the placeholder and the cut.

        The line end before a delimiter belongs to the delimiter.
        """
        if self._size is None:
            return self._held, None
        if self._unread:
            return [b"\n"], None
        last = b"".join(self._held)
        ends = len(last) - len(_without_end(last)) if delimited else 0
        self._size.feed(last[: len(last) - ends])
        mark = f"{MARK}{secrets.token_hex(16)}"
        cut = CutFile(mark, self._start, self._end - ends, self._size.end(), self._encoding)
        return [mark.encode(), last[len(last) - ends :]], cut


def _without_end(line: bytes) -> bytes:
    """The line without its line end."""
    return line[:-2] if line.endswith(b"\r\n") else line[:-1] if line.endswith((b"\n", b"\r")) else line


def _encoding(head: Message) -> str:
    return str(head.get("content-transfer-encoding", "")).lower()


def _limit(head: Message) -> int:
    """The length from which a part is cut."""
    if _encoding(head) in _UU:  # can only be decoded in one piece
        return MOST
    try:
        named = bool(head.get_filename())
    except (LookupError, ValueError, TypeError):
        named = True
    return LARGE_FILE if named or head.get_content_maintype() not in ("text", "multipart", "message") else LARGE_TEXT
