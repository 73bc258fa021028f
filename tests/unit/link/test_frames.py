"""Frames out of bytes in any pieces, and clear errors for bytes that are none.

What is too big does not cross, and says so on the sending side.
"""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import ExpectedError, NotAllowed, Offline
from app.domain.protocol.commands import SearchMail
from app.domain.wire import Answer, Command, Event, Query
from app.link import codec
from app.link.frames import LENGTH, MAX_FRAME_BYTES, PROTOCOL_VERSION, Frame, FrameDecoder, FrameKind, LinkBroken, pack
from fakes.engine.wire_values import answers, commands, events, queries


@given(st.lists(events(), max_size=6), st.data())
def test_pieces_of_any_size_give_the_same_frames(sent: list[Event], data: st.DataObject) -> None:
    stream = b"".join(pack(codec.event_frame(event)) for event in sent)
    decoder, got, at = FrameDecoder(), list[Event](), 0
    while at < len(stream):
        size = data.draw(st.integers(1, max(1, len(stream) - at)))
        got += [codec.decode_event(frame) for frame in decoder.feed(stream[at : at + size])]
        at += size
    assert got == sent
    assert decoder.pending_bytes == 0


@given(st.binary(max_size=200))
def test_garbage_gives_frames_or_link_broken_and_nothing_else(garbage: bytes) -> None:
    try:
        list(FrameDecoder().feed(garbage))
    except LinkBroken as error:
        assert error.detail


def test_an_oversized_announcement_is_refused_before_it_is_read() -> None:
    with pytest.raises(LinkBroken, match=str(MAX_FRAME_BYTES + 1)):
        list(FrameDecoder().feed(LENGTH.pack(MAX_FRAME_BYTES + 1)))


def crossed(frame: Frame) -> Frame:
    """The frame after a real trip through bytes."""
    (back,) = FrameDecoder().feed(pack(frame))
    return back


@given(commands())
def test_every_command_round_trips(command: Command) -> None:
    assert codec.decode_command(crossed(codec.command_frame(command, 7))) == command


@given(queries())
def test_every_query_round_trips(query: Query) -> None:
    frame = crossed(codec.query_frame(query, 7))
    assert (frame.number, codec.decode_query(frame)) == (7, query)


@given(answers())
def test_every_answer_round_trips(answer: Answer) -> None:
    assert codec.decode_answer(crossed(codec.answer_frame(answer, 7))) == answer


@given(events())
def test_every_event_round_trips(event: Event) -> None:
    assert codec.decode_event(crossed(codec.event_frame(event))) == event


def test_a_name_outside_the_union_is_refused() -> None:
    with pytest.raises(LinkBroken, match="No command is called 'SearchMail'"):
        codec.decode_command(Frame(FrameKind.COMMAND, 1, "SearchMail", msgspec.Raw(msgspec.msgpack.encode({"text": "x"}))))


def test_text_that_is_no_unicode_is_refused_and_not_sent() -> None:
    with pytest.raises(NotAllowed, match="SearchMail"):
        codec.query_frame(SearchMail("\ud800"), 1)


def failed(error: ExpectedError) -> Frame:
    return codec.failed_frame(error.code, error.text, 4)


def test_expected_errors_cross_with_code_detail_and_class() -> None:
    back = codec.decode_failure(crossed(failed(Offline("no route", "Wait."))))
    assert isinstance(back, Offline)
    assert (back.code, back.detail) == ("offline", "no route Wait.")


def test_another_protocol_is_refused_with_both_versions_and_a_remedy() -> None:
    other = msgspec.Raw(msgspec.msgpack.encode({"protocol": PROTOCOL_VERSION + 1, "program": "9.9"}))
    with pytest.raises(LinkBroken, match=rf"9\.9.*protocol {PROTOCOL_VERSION + 1}.*{PROTOCOL_VERSION}"):
        codec.check_hello(Frame(FrameKind.HELLO, 0, "Hello", other))
