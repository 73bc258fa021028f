"""Forged, doubled and oversized frames to a real engine over a real store: clear errors, nothing lost, nothing sent twice."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest

from app.domain.drafting.review import Action, Review, ReviewStatus
from app.domain.errors import ExpectedError
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.commands import Decide
from app.domain.protocol.events import CommandFailed
from app.link import codec
from app.link.frames import LENGTH, MAX_FRAME_BYTES, Frame, FrameKind, pack
from fakes.gmail.sending import Stage, staged

pytestmark = pytest.mark.module_processes

PATIENCE_S = 60
FAR = 1000
"""Beyond the numbers that the client has used."""


@pytest.fixture(scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One mailbox; its engine is started anew by tests that end it."""
    async with staged(tmp_path_factory.mktemp("forged") / "data") as made:
        yield made


def write(stage: Stage, data: bytes) -> None:
    """Put bytes on the wire, past everything that the client checks."""
    stage.engine.client._write(data)


async def refused(stage: Stage, name: str, payload: object) -> ExpectedError:
    """What becomes of a command that none of this program's ends would send."""
    client = stage.engine.client
    number = next(client._end._ids)
    frame = Frame(FrameKind.COMMAND, number, name, msgspec.Raw(msgspec.msgpack.encode(payload)))
    with pytest.raises(ExpectedError) as caught:
        await asyncio.wait_for(client._expect(number, pack(frame)), PATIENCE_S)
    return caught.value


def yes(review: Review) -> Decide:
    """The approval of a review."""
    return Decide(review.id, review.revision, Action.ACCEPT)


async def ended(stage: Stage) -> None:
    """Wait for the engine's own end, and start the next one."""
    await asyncio.wait_for(stage.engine.client.wait(), PATIENCE_S)
    stage.engine.reader.close()
    await stage.restart()


async def test_a_forged_command_is_refused_and_the_good_one_behind_it_counts(stage: Stage) -> None:
    review = stage.propose(await stage.ask())
    payload = {"review_id": review.id, "revision": "one", "action": "accept"}
    assert "Decide" in str(await refused(stage, "Decide", payload))
    assert "'Format'" in str(await refused(stage, "Format", {}))
    assert "revision" in str(await refused(stage, "Decide", {"review_id": review.id}))
    assert stage.item(review.id) is None
    await stage.decide(review)
    item = await stage.rested(review.id)
    assert (item.state, stage.copies(item)) == (OutboxState.SENT, 1)


async def test_a_decision_on_what_is_decided_is_refused_and_sends_no_second_mail(stage: Stage) -> None:
    review = stage.propose(await stage.ask())
    seen = len(stage.engine.seen)
    for _ in range(3):
        await stage.engine.do(yes(review))
    first = await stage.engine.event(CommandFailed, after=seen)
    assert (first.command, first.code) == ("Decide", "stale_decision")
    item = await stage.rested(review.id)
    assert (item.state, stage.copies(item), stage.sent_in(review)) == (OutboxState.SENT, 1, 1)


@pytest.mark.parametrize("nonsense", [pytest.param("oversized", marks=pytest.mark.soak), "replayed"])
async def test_an_engine_whose_wire_is_broken_ends_in_order_and_the_next_one_goes_on(stage: Stage, nonsense: str) -> None:
    decided, waiting = stage.propose(await stage.ask()), stage.propose(await stage.ask())
    frame = pack(codec.command_frame(yes(decided), FAR))
    write(stage, frame)
    write(stage, frame if nonsense == "replayed" else LENGTH.pack(MAX_FRAME_BYTES + 1))
    write(stage, pack(codec.command_frame(yes(waiting), FAR + 1)))
    await ended(stage)
    assert "end of the wire is broken" in stage.engine.log()
    item = await stage.rested(decided.id)
    assert (item.state, stage.copies(item), stage.sent_in(decided)) == (OutboxState.SENT, 1, 1)
    still = stage.engine.reader.review(waiting.id)
    assert (still.status, stage.item(waiting.id)) == (ReviewStatus.PENDING, None)
    await stage.decide(waiting)
    assert (await stage.rested(waiting.id)).state is OutboxState.SENT
