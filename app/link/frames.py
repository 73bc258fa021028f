"""Frames: a 4-byte big-endian length, then msgpack of `[kind, number, name, payload]`; their decoder and the connection's errors.

`name` is the class name of the payload. The decoder does no IO: engine, QProcess and tests feed it bytes in any pieces.
"""

import struct
from collections.abc import Iterator
from enum import StrEnum

import msgspec

from app.domain.errors import ExpectedError, NotAllowed

PROTOCOL_VERSION = 1
"""Raise it whenever frames or the domain's commands, queries, answers or events change their shape."""

EXIT_RESTART = 75
"""Exit code of an engine that has noted a repair or a wipe for its next start. The window starts it again at once."""

MAX_FRAME_BYTES = 16 * 1024 * 1024

LENGTH = struct.Struct(">I")


class FrameKind(StrEnum):
    """`answer` follows a query, and a command once it is handled; `failed` ends a query, `cancel` withdraws it."""

    HELLO = "hello"
    COMMAND = "command"
    QUERY = "query"
    CANCEL = "cancel"
    ANSWER = "answer"
    FAILED = "failed"
    EVENT = "event"


class Frame(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One frame. `number` pairs commands and queries with their answers (0 for hello and events); `payload` is msgpack."""

    kind: FrameKind
    number: int
    name: str
    payload: msgspec.Raw


def pack(frame: Frame) -> bytes:
    """The frame with its length prefix. Raises `NotAllowed` where it exceeds `MAX_FRAME_BYTES`."""
    body = msgspec.msgpack.encode(frame)
    if len(body) > MAX_FRAME_BYTES:
        raise NotAllowed(f"{frame.name} has {len(body)} bytes; {MAX_FRAME_BYTES} may cross the wire.", "Make the text shorter.")
    return LENGTH.pack(len(body)) + body


class LinkBroken(ExpectedError):
    """The other end sent an invalid frame or speaks another protocol version; the connection ends."""


class LinkClosed(ExpectedError):
    """The other end is gone; open queries stay unanswered."""


class FrameDecoder:
    """Splits bytes into frames and keeps an incomplete one for the next call. After a bad frame it stays broken."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._broken = ""

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yields the frames that `data` completes; frames not consumed come first the next time.

        Raises `LinkBroken` at the first bad or oversized frame, after the valid ones before it.
        """
        if not self._broken:
            self._buffer += data
        while (body := self._next_body()) is not None:
            try:
                yield msgspec.msgpack.decode(body, type=Frame)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise self._break(f"A frame of {len(body)} bytes cannot be read: {error}") from error

    @property
    def pending_bytes(self) -> int:
        """Bytes of an incomplete frame. More than 0 at the end of the stream means it was cut off."""
        return len(self._buffer)

    def _next_body(self) -> bytes | None:
        """The body of the next complete frame, or None."""
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

    def _break(self, detail: str) -> LinkBroken:
        self._broken = detail
        self._buffer.clear()
        return LinkBroken(detail)
