"""The asking end: numbers, order and protocol errors, without any IO."""

import pytest

from app.domain.errors import Offline
from app.domain.ids import ThreadId
from app.domain.protocol.commands import SearchMail, SyncNow, ThreadIds
from app.domain.protocol.events import IndexProgress
from app.link import codec
from app.link.exchange import Answered, ClientEnd, Failed
from app.link.frames import FrameDecoder, LinkBroken, pack


def test_numbers_differ_and_frames_say_what_was_asked() -> None:
    end = ClientEnd("1.0")
    first, command = end.command(SyncNow())
    second, query = end.query(SearchMail("x"))
    hello, sent, asked = FrameDecoder().feed(end.hello() + command + query)
    assert codec.check_hello(hello).program == "1.0"
    assert (sent.number, codec.decode_command(sent)) == (first, SyncNow())
    assert (asked.number, codec.decode_query(asked)) == (second, SearchMail("x"))
    assert first != second


def test_everything_the_engine_sends_is_understood_in_order() -> None:
    end = ClientEnd("1.0")
    stream = [
        codec.hello_frame("2.0"),
        codec.event_frame(IndexProgress(1, 2)),
        codec.answer_frame(ThreadIds((ThreadId(4),)), 9),
        codec.failed_frame(codec.failure_of(Offline("gone")), 10),
        codec.answer_frame(None, 11),
    ]
    hello, event, answered, failed, done = end.receive(b"".join(pack(frame) for frame in stream))
    assert isinstance(hello, codec.Hello)
    assert hello.program == "2.0"
    assert event == IndexProgress(1, 2)
    assert answered == Answered(9, ThreadIds((ThreadId(4),)))
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, Offline)
    assert failed.number == 10
    assert done == Answered(11, None)


def test_a_command_from_the_engine_breaks_the_wire() -> None:
    end = ClientEnd("1.0")
    with pytest.raises(LinkBroken, match="command"):
        list(end.receive(pack(codec.hello_frame("2.0")) + pack(codec.command_frame(SyncNow(), 1))))
