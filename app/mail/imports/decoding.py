"""Transfer encodings undone piece by piece, so that a large file is never held whole. Never raises on content."""

import binascii
from typing import Protocol

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_JUNK = bytes(sorted(set(range(256)) - set(_ALPHABET)))
_JUNK_BUT_PADDING = _JUNK.replace(b"=", b"")
_BITE = 1 << 16


class Decoder(Protocol):
    """Feed it lines or pieces of lines, then end it."""

    def feed(self, piece: bytes) -> bytes:
        """What is decoded so far."""

    def end(self) -> bytes:
        """The rest."""


def decoder_for(encoding: str) -> Decoder:
    """A decoder of base64, quoted-printable, or of nothing."""
    if encoding == "base64":
        return Base64()
    return Quoted() if encoding == "quoted-printable" else Plain()


class Plain:
    """Bytes as they are."""

    def feed(self, piece: bytes) -> bytes:
        """The same."""
        return piece

    def end(self) -> bytes:
        """Nothing."""
        return b""


class Base64:
    """Ends at the padding, as the standard library's does; what is no base64 is passed over."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._over = False

    def feed(self, piece: bytes) -> bytes:
        """Whole groups of four."""
        if self._over:
            return b""
        self._held += piece.translate(None, _JUNK_BUT_PADDING)
        if len(self._held) < _BITE:
            return b""
        return self._decoded()

    def end(self) -> bytes:
        """The last groups; missing padding is put there."""
        return b"" if self._over else self._decoded(last=True)

    def _decoded(self, *, last: bool = False) -> bytes:
        stop = self._held.find(b"=")
        if stop >= 0:
            self._over = last = True
            del self._held[stop:]
        whole = len(self._held) - (len(self._held) % 4)
        groups, rest = bytes(self._held[:whole]), bytes(self._held[whole:])
        del self._held[:whole]
        tail = binascii.a2b_base64(rest + b"=" * (4 - len(rest))) if last and len(rest) > 1 else b""
        return binascii.a2b_base64(groups) + tail


class Quoted:
    """Line by line; of a line without end, nothing that may be half an escape is decoded early."""

    def __init__(self) -> None:
        self._held = b""

    def feed(self, piece: bytes) -> bytes:
        """What does not depend on what follows."""
        held = self._held + piece
        if held.endswith(b"\n"):
            self._held = b""
            return binascii.a2b_qp(held)
        begun = held.rfind(b"=", -2)
        cut = begun if begun >= 0 else len(held)
        self._held = held[cut:]
        return binascii.a2b_qp(held[:cut])

    def end(self) -> bytes:
        """The rest."""
        rest, self._held = self._held, b""
        return binascii.a2b_qp(rest)


class SizeOf:
    """The size of a file without its bytes: base64 is counted, anything else decoded and thrown away."""

    def __init__(self, encoding: str) -> None:
        self._base64 = encoding == "base64"
        self._decoder = decoder_for(encoding)
        self._letters = 0
        self._bytes = 0

    def feed(self, piece: bytes) -> None:
        """One more piece."""
        if self._base64:
            self._letters += len(piece.translate(None, _JUNK))
        else:
            self._bytes += len(self._decoder.feed(piece))

    def end(self) -> int:
        """In bytes."""
        return self._letters * 3 // 4 if self._base64 else self._bytes + len(self._decoder.end())
