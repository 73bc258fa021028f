"""The client side of the protocol, without IO: bytes to write, meaning of received bytes. The window uses it over QProcess."""

from collections.abc import Iterator
from itertools import count

from app.domain.errors import ExpectedError
from app.domain.record import Record
from app.domain.wire import Answer, Command, Event, Query
from app.link import codec
from app.link.codec import Hello
from app.link.frames import Frame, FrameDecoder, FrameKind, LinkBroken, pack


class Answered(Record):
    """Query `number` has its answer. `answer` is None where command `number` was handled."""

    number: int
    answer: Answer | None


class Failed(Record):
    """Query `number` failed."""

    number: int
    error: ExpectedError


Received = Hello | Event | Answered | Failed


class ClientEnd:
    """Numbers commands and queries and decodes what comes back. Write `hello()` first."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._decoder = FrameDecoder()
        self._ids = count(1)
        self._greeted = False

    def hello(self) -> bytes:
        """The first bytes to write."""
        return pack(codec.hello_frame(self._program))

    def command(self, command: Command) -> tuple[int, bytes]:
        """Number and bytes of a command. `Answered(number, None)` follows once the engine handled it. Raises `NotAllowed`."""
        number = next(self._ids)
        return number, pack(codec.command_frame(command, number))

    def query(self, query: Query) -> tuple[int, bytes]:
        """Number and bytes of a query. `Answered` or `Failed` with that number follows. Raises `NotAllowed`."""
        number = next(self._ids)
        return number, pack(codec.query_frame(query, number))

    def cancel(self, number: int) -> bytes:
        return pack(codec.cancel_frame(number))

    def receive(self, data: bytes) -> Iterator[Received]:
        """Decodes `data` and yields what is complete, in order. Raises `LinkBroken`; close the connection then."""
        for frame in self._decoder.feed(data):
            yield self._understand(frame)

    def _understand(self, frame: Frame) -> Received:
        if not self._greeted:
            hello = codec.check_hello(frame)
            self._greeted = True
            return hello
        if frame.kind is FrameKind.EVENT:
            return codec.decode_event(frame)
        if frame.kind is FrameKind.ANSWER:
            return Answered(frame.number, codec.decode_answer(frame))
        if frame.kind is FrameKind.FAILED:
            return Failed(frame.number, codec.decode_failure(frame))
        raise LinkBroken(f"The engine sent a {frame.kind} frame.")
