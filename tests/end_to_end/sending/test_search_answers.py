"""A server that answers searches with whatever it has, through the real engine: the owner's own drafts stay as they are."""

from contextlib import suppress
from uuid import uuid4

import pytest

from app.domain.ids import LetterId
from app.domain.mail.letter import Letter, LetterKind
from app.domain.mail.outbox import OutboxState
from app.domain.protocol.letter_commands import DiscardLetter, SaveLetter
from app.domain.record import replace
from fakes.gmail.google_client import encoded, google_service
from fakes.gmail.sandbox import AdminError
from fakes.gmail.sending import ANN, Stage

ANYTHING = ["wrong", "right"]


def begun(stage: Stage, count: int) -> dict[str, bytes]:
    """Drafts that the owner has begun elsewhere, fit to be sent: their bytes by draft."""
    drafts = google_service("gmail.v1", stage.sandbox.url, stage.sandbox.token).users().drafts()
    for number in range(count):
        raw = f"To: boss@work.example\r\nMessage-ID: <own{number}@mail.example>\r\nSubject: Own {number}\r\n\r\nI qu".encode()
        drafts.create(userId="me", body={"message": {"raw": encoded(raw)}}).execute()
    return standing(stage)


def standing(stage: Stage) -> dict[str, bytes]:
    """Every draft on the server with its bytes."""
    found: dict[str, bytes] = {}
    for one in stage.sandbox.mail.drafts():
        with suppress(AdminError):  # it was written anew meanwhile
            found[one["id"]] = stage.sandbox.mail.raw(one["message"]["id"])
    return found


async def test_an_approval_deletes_no_draft_of_the_owners(stage: Stage) -> None:
    own = begun(stage, 3)
    stage.sandbox.set_habits(search_answers=ANYTHING)
    review = await stage.approved()
    item = await stage.rested(review.id)
    assert (item.state, stage.copies(item)) == (OutboxState.SENT, 1)
    await stage.engine.until(lambda: stage.jobs("sweep") == 0)
    assert standing(stage) == own
    assert stage.sends()["gmail.users.drafts.delete"] == 0


@pytest.mark.parametrize("when", ["before", "after"])
async def test_after_a_lost_request_no_draft_of_the_owners_leaves(stage: Stage, when: str) -> None:
    """Whether the lost one arrived or not."""
    own = begun(stage, 1)
    stage.sandbox.set_habits(search_answers=ANYTHING)
    stage.sandbox.faults.add("cut", "gmail.users.drafts.create", when=when)
    review = await stage.approved()
    item = await stage.rested(review.id)
    assert [one["subject"] for one in stage.sandbox.sent()] == [item.subject]
    assert (item.state, stage.copies(item)) == (OutboxState.SENT, 1)
    await stage.no_drafts(item)
    assert standing(stage) == own


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_letter_is_written_over_no_draft_of_the_owners_and_takes_none_along(stage: Stage, when: str) -> None:
    own = begun(stage, 2)
    stage.sandbox.set_habits(search_answers=ANYTHING)
    account = stage.engine.reader.accounts()[0]
    letter = Letter(LetterId(str(uuid4())), account.id, LetterKind.NEW, to=(ANN,), subject="Plan", body="Hello Ann.")
    stage.sandbox.faults.add("cut", "gmail.users.drafts.create", when=when)
    await stage.engine.do(SaveLetter(letter, 1))
    await stage.engine.until(lambda: any(b"Subject: Plan" in raw for raw in standing(stage).values()))
    await stage.engine.do(SaveLetter(replace(letter, body="Hello Ann, and more."), 2))
    await stage.engine.until(lambda: any(b"and more" in raw for raw in standing(stage).values()))
    assert own.items() <= standing(stage).items()
    assert len(standing(stage)) == 3
    await stage.engine.do(DiscardLetter(letter.id))
    await stage.engine.until(lambda: len(standing(stage)) <= 2)
    assert standing(stage) == own
