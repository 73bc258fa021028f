"""Frames: a 4-byte big-endian length, then msgpack of `[kind, number, name, payload]`.

`name` is the class name of what the payload encodes.

Trouble of the wire itself.

Bytes in any pieces to frames. Sans-IO: the engine's pipe, QProcess and tests feed the same decoder.
"""

import struct
from collections.abc import Iterator
from enum import StrEnum

import msgspec

from app.domain.errors import ExpectedError, NotAllowed

PROTOCOL_VERSION = 1
"""Raised whenever frames or the domain's commands, queries, answers or events change their shape."""

MAX_FRAME_BYTES = 16 * 1024 * 1024

LENGTH = struct.Struct(">I")


class FrameKind(StrEnum):
    """`answer` follows a query, and a command once it is dealt with; `failed` ends a query, `cancel` withdraws it."""

    HELLO = "hello"
    COMMAND = "command"
    QUERY = "query"
    CANCEL = "cancel"
    ANSWER = "answer"
    FAILED = "failed"
    EVENT = "event"


class Frame(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One frame. `number` pairs queries and commands with their answers (0 for hello and events); `payload` is msgpack."""

    kind: FrameKind
    number: int
    name: str
    payload: msgspec.Raw


def pack(frame: Frame) -> bytes:
    """The frame with its length in front. Raises `NotAllowed` when it is too big to cross."""
    body = msgspec.msgpack.encode(frame)
    if len(body) > MAX_FRAME_BYTES:
        raise NotAllowed(f"{frame.name} has {len(body)} bytes; {MAX_FRAME_BYTES} may cross the wire.", "Make the text shorter.")
    return LENGTH.pack(len(body)) + body


class LinkBroken(ExpectedError):
    """The other end sent something that is no frame of this protocol, or another version of it; the connection ends."""

    code = "link_broken"


class LinkClosed(ExpectedError):
    """The other end is gone; what was asked and not answered will not be answered."""

    code = "link_closed"


class FrameDecoder:
    """Keeps the unfinished tail between calls. After a bad frame it stays broken: what follows cannot be trusted."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._broken = ""

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that `data` completes, decoded while iterating; those that were not asked for come first the next time.
        Raises `LinkBroken` at the first bad or oversized frame, after the good ones before it."""
        if not self._broken:
            self._buffer += data
        while (body := self._next_body()) is not None:
            yield self._parse(body)

    @property
    def pending_bytes(self) -> int:
        """Bytes of an unfinished frame; over 0 at the end of the stream means it was cut."""
        return len(self._buffer)

    def _next_body(self) -> bytes | None:
        """The next whole frame's body, or None while it is incomplete."""
        if self._broken:
            raise LinkBroken(self._broken)
        if len(self._buffer) < LENGTH.size:
            return None
        (size,) = LENGTH.unpack_from(self._buffer)
        if size > MAX_FRAME_BYTES:
            raise self._break(f"A frame announces {size} bytes; at most {MAX_FRAME_BYTES} are allowed.")
        end = LENGTH.size + size
        if len(self._buffer) < end:
            return None
        body = bytes(memoryview(self._buffer)[LENGTH.size : end])
        del self._buffer[:end]
        return body

    def _parse(self, body: bytes) -> Frame:
        """Decode a body. The payload is copied so that it does not keep the whole body alive."""
        try:
            frame = msgspec.msgpack.decode(body, type=Frame)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._break(f"A frame of {len(body)} bytes cannot be read: {error}") from error
        return frame

    def _break(self, detail: str) -> LinkBroken:
        self._broken = detail
        self._buffer.clear()
        return LinkBroken(detail)
