"""Frames out of bytes in any pieces, and clear errors for bytes that are none.

What is too big does not cross, and says so on the sending side.
"""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import ExpectedError, NotAllowed, Offline, OpenSlots
from app.domain.protocol.commands import SearchMail, SyncNow
from app.domain.protocol.events import IndexProgress
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


def test_good_frames_before_a_bad_one_still_arrive_and_nothing_after_it() -> None:
    good = pack(codec.event_frame(IndexProgress(1, 2)))
    decoder, got = FrameDecoder(), list[Event]()
    with pytest.raises(LinkBroken):
        got.extend(codec.decode_event(frame) for frame in decoder.feed(good + LENGTH.pack(3) + b"\x00\x01\x02" + good))
    with pytest.raises(LinkBroken):
        list(decoder.feed(good))
    assert decoder.pending_bytes == 0


@pytest.mark.parametrize(
    "parts", [["event", 0, "IndexProgress"], ["event", 0, "IndexProgress", {}, "more"], ["gossip", 0, "IndexProgress", {}]]
)
def test_a_frame_of_another_shape_is_none(parts: list[object]) -> None:
    body = msgspec.msgpack.encode(parts)
    with pytest.raises(LinkBroken, match="cannot be read"):
        list(FrameDecoder().feed(LENGTH.pack(len(body)) + body))


def test_a_cut_stream_leaves_pending_bytes() -> None:
    decoder = FrameDecoder()
    assert list(decoder.feed(pack(codec.event_frame(IndexProgress(1, 2)))[:-1])) == []
    assert decoder.pending_bytes > 0


def test_frames_that_were_left_over_come_first_the_next_time() -> None:
    sent = [IndexProgress(at, 9) for at in range(6)]
    halves = [b"".join(pack(codec.event_frame(one)) for one in part) for part in (sent[:4], sent[4:])]
    decoder = FrameDecoder()
    got = [next(decoder.feed(halves[0])), next(decoder.feed(b"")), *decoder.feed(halves[1])]
    assert [codec.decode_event(frame) for frame in got] == sent


def test_the_length_in_front_counts_the_body() -> None:
    data = pack(codec.query_frame(SearchMail("from:ann"), 1))
    assert LENGTH.unpack(data[:4]) == (len(data) - 4,)


def test_an_oversized_frame_is_refused_by_name() -> None:
    with pytest.raises(NotAllowed, match="SearchMail"):
        pack(codec.query_frame(SearchMail("x" * MAX_FRAME_BYTES), 1))


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


def test_a_finished_command_has_an_empty_answer() -> None:
    assert codec.decode_answer(crossed(codec.answer_frame(None, 3))) is None


def test_a_name_outside_the_union_is_refused() -> None:
    with pytest.raises(LinkBroken, match="No command is called 'SearchMail'"):
        codec.decode_command(Frame(FrameKind.COMMAND, 1, "SearchMail", msgspec.Raw(msgspec.msgpack.encode({"text": "x"}))))


def test_a_payload_with_other_types_is_refused() -> None:
    wrong = Frame(FrameKind.QUERY, 1, "SearchMail", msgspec.Raw(msgspec.msgpack.encode({"text": 5})))
    with pytest.raises(LinkBroken, match="SearchMail"):
        codec.decode_query(wrong)


def test_text_that_is_no_unicode_is_refused_and_not_sent() -> None:
    with pytest.raises(NotAllowed, match="SearchMail"):
        codec.query_frame(SearchMail("\ud800"), 1)


def test_expected_errors_cross_with_code_detail_and_class() -> None:
    back = codec.decode_failure(crossed(codec.failed_frame(codec.failure_of(Offline("no route", "Wait.")), 4)))
    assert isinstance(back, Offline)
    assert (back.code, back.detail) == ("offline", "no route Wait.")


def test_errors_with_fields_of_their_own_cross_by_code() -> None:
    back = codec.decode_failure(crossed(codec.failed_frame(codec.failure_of(OpenSlots(("date?", "place?"))), 4)))
    assert isinstance(back, ExpectedError)
    assert (back.code, back.detail) == ("open_slots", "date?; place?")


def test_hello_tells_versions() -> None:
    assert codec.check_hello(crossed(codec.hello_frame("0.1.0"))).program == "0.1.0"


def test_another_protocol_is_refused_with_both_versions_and_a_remedy() -> None:
    other = msgspec.Raw(msgspec.msgpack.encode({"protocol": PROTOCOL_VERSION + 1, "program": "9.9"}))
    with pytest.raises(LinkBroken, match=rf"9\.9.*protocol {PROTOCOL_VERSION + 1}.*{PROTOCOL_VERSION}"):
        codec.check_hello(Frame(FrameKind.HELLO, 0, "Hello", other))


@pytest.mark.parametrize("frame", [codec.command_frame(SyncNow(), 1), codec.event_frame(IndexProgress(1, 2))])
def test_nothing_comes_before_hello(frame: Frame) -> None:
    with pytest.raises(LinkBroken, match="hello"):
        codec.check_hello(frame)
