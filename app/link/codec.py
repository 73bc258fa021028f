"""Encodes domain records as payloads and back, by kind and class name."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from app.domain import errors
from app.domain.drafting import invitation
from app.domain.error_texts import ErrorText
from app.domain.errors import ExpectedError, NotAllowed
from app.domain.mail import files
from app.domain.protocol import (
    account_commands,
    agent_commands,
    archive_commands,
    assistant_commands,
    changes,
    commands,
    events,
    letter_commands,
    queries,
)
from app.domain.record import Record
from app.domain.wire import Answer, Command, Event, Query
from app.link.frames import PROTOCOL_VERSION, Frame, FrameKind, LinkBroken

T = TypeVar("T")

MODULES = (
    account_commands,
    agent_commands,
    archive_commands,
    assistant_commands,
    changes,
    commands,
    events,
    files,
    invitation,
    letter_commands,
    queries,
)
"""Where the classes that cross the link are defined."""


class Hello(Record):
    """The first frame of each end: its protocol and program version."""

    protocol: int
    program: str


class Failure(Record):
    """Why a query failed: the `code` of a `domain.errors` class (or `bug`) and its text."""

    code: str
    text: ErrorText


def hello_frame(program: str) -> Frame:
    """The frame that each end sends first."""
    return _frame(FrameKind.HELLO, 0, Hello(PROTOCOL_VERSION, program))


def check_hello(frame: Frame) -> Hello:
    """Decodes the other end's hello. Raises `LinkBroken` for another frame or another protocol version."""
    if frame.kind is not FrameKind.HELLO:
        raise LinkBroken(f"The first frame must be hello, not {frame.kind}.")
    hello = _decoded(frame, Hello)
    if hello.protocol != PROTOCOL_VERSION:
        raise LinkBroken(
            f"The other end (program {hello.program}) speaks protocol {hello.protocol}, this one {PROTOCOL_VERSION}.",
            "Quit Replyroom completely and start it again.",
        )
    return hello


def command_frame(command: Command, number: int) -> Frame:
    """A command. Raises `NotAllowed` for text that cannot be encoded."""
    return _frame(FrameKind.COMMAND, number, command)


def query_frame(query: Query, number: int) -> Frame:
    """A query to be answered under `number`. Raises `NotAllowed` for text that cannot be encoded."""
    return _frame(FrameKind.QUERY, number, query)


def cancel_frame(number: int) -> Frame:
    """Withdraws query `number`. No answer follows, or one that was already on its way."""
    return _frame(FrameKind.CANCEL, number, None)


def answer_frame(answer: Answer | None, number: int) -> Frame:
    """The answer to query `number`. None means that command `number` was handled."""
    return _engine_frame(FrameKind.ANSWER, number, answer)


def failed_frame(code: str, text: ErrorText, number: int) -> Frame:
    """Why query `number` failed."""
    return _engine_frame(FrameKind.FAILED, number, Failure(code, text))


def event_frame(event: Event) -> Frame:
    return _engine_frame(FrameKind.EVENT, 0, event)


def decode_command(frame: Frame) -> Command:
    """The command in a frame. Raises `LinkBroken`, as all decoders do."""
    return _decoded(frame, _named(Command, frame))


def decode_query(frame: Frame) -> Query:
    return _decoded(frame, _named(Query, frame))


def decode_answer(frame: Frame) -> Answer | None:
    """The answer in a frame; None for a handled command."""
    return _decoded(frame, _named(Answer, frame)) if frame.name else None


def decode_event(frame: Frame) -> Event:
    return _decoded(frame, _named(Event, frame))


def decode_failure(frame: Frame) -> ExpectedError:
    """The error of a failed query: the class with its code, where that class takes a text only, else `ExpectedError`."""
    failure = _decoded(frame, Failure)
    plain = (one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, ExpectedError))
    known = {one.code: one for one in plain if "__init__" not in vars(one) or one is ExpectedError}
    error = known.get(failure.code, ExpectedError)(failure.text)
    error.code = failure.code
    return error


def _frame(kind: FrameKind, number: int, value: object) -> Frame:
    name = "" if value is None else type(value).__name__
    try:
        payload = msgspec.msgpack.encode(value, enc_hook=_encode_hook)
    except (UnicodeEncodeError, OverflowError) as error:
        reason = error.reason if isinstance(error, UnicodeEncodeError) else str(error)
        raise NotAllowed(
            f"{name} holds text or a number that cannot be encoded: {reason}.", "Remove the odd characters."
        ) from error
    return Frame(kind, number, name, msgspec.Raw(payload))


def _engine_frame(kind: FrameKind, number: int, value: object) -> Frame:
    """A frame from the engine. Lone surrogates (as in odd file names) become question marks, so that every answer can be sent.

    Commands are never changed like this.
    """
    try:
        return _frame(kind, number, value)
    except NotAllowed:
        plain = _without_surrogates(msgspec.to_builtins(value, enc_hook=_encode_hook))
        return replace(_frame(kind, number, plain), name=type(value).__name__)


def _without_surrogates(value: object) -> object:
    """Replaces lone surrogates in builtin values."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _without_surrogates(one) for key, one in value.items()}
    return [_without_surrogates(one) for one in value] if isinstance(value, list | tuple) else value


def _decoded(frame: Frame, kind: type[T]) -> T:
    try:
        return msgspec.msgpack.decode(frame.payload, type=kind, dec_hook=_decode_hook)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise LinkBroken(f"The payload of {frame.kind} {frame.name} cannot be read: {error}") from error


def _named(kind: type[T], frame: Frame) -> type[T]:
    found = known_classes().get(frame.name)
    if found is None or not issubclass(found, kind):
        raise LinkBroken(f"No {frame.kind} is called {frame.name!r}.")
    return found


@cache
def known_classes() -> dict[str, type[object]]:
    """All commands, queries, answers and events by name."""
    found = (one for module in MODULES for one in vars(module).values() if isinstance(one, type))
    kinds = (Command, Query, Answer, Event)
    return {one.__name__: one for one in found if issubclass(one, kinds) and one not in kinds}


def _encode_hook(value: object) -> object:
    """Encodes types that msgspec does not know."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} does not cross the wire")


def _decode_hook(kind: type[object], value: object) -> object:
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise TypeError(f"{kind.__name__} does not cross the wire")
