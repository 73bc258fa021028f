"""Frames: a 4-byte big-endian length, then msgpack of `[kind, number, name, payload]`.

`name` is the class name of what the payload encodes. Refuses frames over `MAX_FRAME_BYTES`, on both sides: what is
bigger does not belong on the wire (pages of mail are read from the database file).
"""

import struct
from enum import StrEnum

import msgspec

from app.domain.errors import Refused

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
    """The frame with its length in front. Raises `Refused` when it is too big to cross."""
    body = msgspec.msgpack.encode(frame)
    if len(body) > MAX_FRAME_BYTES:
        raise Refused(f"{frame.name} has {len(body)} bytes; {MAX_FRAME_BYTES} may cross the wire.", "Make the text shorter.")
    return LENGTH.pack(len(body)) + body
