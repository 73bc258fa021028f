"""Frames that no window of this program would send: each is refused by name, and what is good around it happens once."""

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.drafting.review import Action
from app.domain.errors import ExpectedError
from app.domain.ids import ReviewId
from app.domain.protocol.commands import Decide, SearchMail, ThreadIds
from app.domain.wire import Answer, Command, Query
from app.link import codec
from app.link.client import Answered, ClientEnd, Failed
from app.link.frames import Frame, FrameKind, LinkBroken, pack
from app.link.server import ServerEnd

pytestmark = pytest.mark.expects_warnings

GOOD = ("command", "query")
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=8) | st.floats() | st.binary(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["Decide", "SearchMail", "Undo", "Format", "", "Answer", "__class__", "ReviewDecided"])


def decide(number: int) -> Decide:
    """A decision that can be told from others."""
    return Decide(ReviewId(number), 1, Action.IGNORE)


@dataclass
class Heard:
    """What an engine was made to do, and what it wrote."""

    commands: list[Command] = field(default_factory=list)
    queries: list[Query] = field(default_factory=list)
    written: bytes = b""

    @property
    def said(self) -> list[Answered | Failed]:
        """Answers and failures in order."""
        asking = ClientEnd("window")
        return [one for one in asking.receive(self.written) if isinstance(one, Answered | Failed)]


async def heard(stream: bytes) -> Heard:
    """An engine's end that is given a stream which then ends."""
    source, window_out = os.pipe()
    window_in, sink = os.pipe()
    found = Heard()

    async def on_command(command: Command) -> None:
        found.commands.append(command)

    async def on_query(query: Query) -> Answer:
        found.queries.append(query)
        return ThreadIds(())

    end = ServerEnd(source, sink, "engine")
    os.write(window_out, stream)
    os.close(window_out)
    await end.serve(on_command, on_query)
    await asyncio.sleep(0)  # what was begun last
    await end.close()
    for descriptor in (sink, source):
        os.close(descriptor)
    while data := os.read(window_in, 65536):
        found.written += data
    os.close(window_in)
    return found


def raw(kind: FrameKind, number: int, name: str, value: object) -> bytes:
    """A frame as it may come from anywhere."""
    return pack(Frame(kind, number, name, msgspec.Raw(msgspec.msgpack.encode(value))))


def _is_none(kind: FrameKind, name: str, value: object) -> bool:
    """Whether this happens to be a command or a query after all."""
    frame = Frame(kind, 1, name, msgspec.Raw(msgspec.msgpack.encode(value)))
    with suppress(LinkBroken):
        codec.decode_command(frame) if kind is FrameKind.COMMAND else codec.decode_query(frame)
        return False
    return True


FORGED = st.tuples(st.sampled_from([FrameKind.COMMAND, FrameKind.QUERY]), NAMES, JUNK).filter(lambda one: _is_none(*one))


@given(st.lists(st.one_of(st.sampled_from(GOOD), FORGED), max_size=8))
def test_each_forged_frame_fails_under_its_number_and_each_good_one_happens_once(
    sent: list[str | tuple[FrameKind, str, object]],
) -> None:
    stream = pack(codec.hello_frame("window"))
    for number, one in enumerate(sent, 1):
        if one == "command":
            stream += pack(codec.command_frame(decide(number), number))
        elif one == "query":
            stream += pack(codec.query_frame(SearchMail(str(number)), number))
        else:
            kind, name, value = one
            assert isinstance(kind, FrameKind)
            stream += raw(kind, number, name, value)
    found = asyncio.run(heard(stream))
    good = {kind: [number for number, one in enumerate(sent, 1) if one == kind] for kind in GOOD}
    forged = [number for number, one in enumerate(sent, 1) if one not in GOOD]
    assert found.commands == [decide(number) for number in good["command"]]
    assert found.queries == [SearchMail(str(number)) for number in good["query"]]
    failed = {one.number: one.error for one in found.said if isinstance(one, Failed)}
    assert sorted(one for one in failed if one in forged) == forged
    assert all(failed[number].code == LinkBroken.code and str(failed[number]) for number in forged)
    assert {one.number for one in found.said if isinstance(one, Answered)} >= set(good["command"])


@pytest.mark.parametrize("again", [1, 0, -1, -(2**63)])
def test_a_number_that_comes_again_ends_the_connection_and_does_nothing_twice(again: int) -> None:
    stream = pack(codec.hello_frame("window")) + pack(codec.command_frame(decide(1), 1))
    replayed = pack(codec.command_frame(decide(1), again))
    after = pack(codec.command_frame(decide(2), 2))
    assert asyncio.run(heard(stream + replayed + after)).commands == [decide(1)]


@given(st.sampled_from([FrameKind.EVENT, FrameKind.ANSWER]), NAMES, JUNK)
def test_the_window_understands_a_frame_or_says_that_the_wire_is_broken(kind: FrameKind, name: str, value: object) -> None:
    asking = ClientEnd("window")
    list(asking.receive(pack(codec.hello_frame("engine"))))
    try:
        list(asking.receive(raw(kind, 1, name, value)))
    except ExpectedError as error:
        assert isinstance(error, LinkBroken)
        assert name in str(error) or "payload" in str(error)
