"""The disk is full while the engine runs: it says so, stays up, loses nothing, refuses decisions with words, and goes on."""

import resource
import sys

import pytest

from app.domain.ids import GmailId
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.events import CommandFailed, ErrorReported
from app.store.db.migrate import is_whole
from fakes.gmail.sending import Stage, question

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of another process")

LARGE = b"A long letter with many words.\r\n" * 4000


def limit(stage: Stage, size: int) -> None:
    """No file of the engine may grow beyond `size` bytes."""
    resource.prlimit(stage.engine.client.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


async def test_it_waits_for_room_and_loses_nothing(stage: Stage) -> None:
    review = stage.propose(await stage.ask())
    limit(stage, 4096)
    ids = [GmailId(stage.sandbox.deliver(question(700 + at) + LARGE)["id"]) for at in range(3)]
    told = await stage.engine.event(ErrorReported)
    assert (told.code, bool(told.text)) == ("disk_full", True)
    await stage.decide(review)
    refused = await stage.engine.event(CommandFailed)
    assert (refused.command, refused.code) == ("Decide", "disk_full")
    assert stage.item(review.id) is None
    limit(stage, resource.RLIM_INFINITY)
    for one in ids:
        assert (await stage.mirrored(one)).body_text.count("A long letter") == 4000
    await stage.decide(review)
    item = await stage.in_state(review.id, OutboxState.SENT)
    assert stage.copies(item) == 1
    assert [one.code for one in stage.engine.seen if isinstance(one, ErrorReported)] == ["disk_full"]
    await stage.engine.close()
    assert is_whole(stage.data / "mail.db")
    assert "Traceback" not in stage.engine.log()
    await stage.restart()


async def test_a_send_that_meets_a_full_disk_leaves_once(stage: Stage) -> None:
    """The disk fills up between the draft and the note of it: nothing is lost, and there is one copy when there is room."""
    review = stage.propose(await stage.ask())
    rule = stage.sandbox.faults.add("slow", "gmail.users.drafts.create", when="after", seconds=2)
    await stage.decide(review)
    await stage.fired(rule)
    limit(stage, 4096)
    told = await stage.engine.event(ErrorReported)
    assert told.code == "disk_full"
    limit(stage, resource.RLIM_INFINITY)
    item = await stage.in_state(review.id, OutboxState.SENT)
    assert stage.copies(item) == 1
    assert stage.sends()["gmail.users.drafts.send"] == 1


async def test_it_ends_in_order_while_the_disk_is_full(stage: Stage) -> None:
    """Whoever waits for room does not hold the end up."""
    await stage.ask()
    limit(stage, 4096)
    stage.sandbox.deliver(question(800) + LARGE)
    await stage.engine.event(ErrorReported)
    assert await stage.engine.close() == 0
    await stage.restart()
    await stage.engine.until(lambda: stage.engine.reader.counts().messages == 2)
