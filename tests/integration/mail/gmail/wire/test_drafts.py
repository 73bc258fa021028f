"""Drafts that are looked for or written anew: a wrong answer here would let a mail leave twice, or leave as it was before."""

import pytest

from app.domain.errors import PermissionMissing
from app.domain.ids import GmailThreadId
from app.mail.gmail.wire.drafts import RECENT, SEARCHED
from fakes.gmail.client_box import Box
from fakes.gmail.google_client import mail

pytestmark = pytest.mark.anyio

NO_THREAD = GmailThreadId("")
LOST = b"Subject: x\r\nTo: a@example.org\r\nMessage-ID: <lost@replyroom>\r\n\r\nx"


async def test_a_draft_that_cannot_be_read_may_be_the_one(box: Box) -> None:
    box.sandbox.set_lag(3600)
    draft = await box.client.create_draft(LOST, NO_THREAD)
    rule = box.sandbox.faults.add("403-permission", "gmail.users.drafts.get", place="inner", times=0)
    with pytest.raises(PermissionMissing):
        await box.client.find_drafts("<lost@replyroom>")
    box.sandbox.faults.remove(rule)
    assert [one.draft_id for one in await box.client.find_drafts("<lost@replyroom>")] == [draft.draft_id]


async def test_a_draft_that_vanished_while_it_was_looked_for_is_none(box: Box) -> None:
    box.sandbox.set_lag(3600)
    await box.client.create_draft(LOST, NO_THREAD)
    box.sandbox.faults.add("404-history", "gmail.users.drafts.get", place="inner")
    assert await box.client.find_drafts("<lost@replyroom>") == ()


def words(number: int, **more: str) -> bytes:
    """A draft of the owner's."""
    return mail(f"Own {number}", "Half a w", "", To="boss@work.example", **more)


@pytest.mark.parametrize("searches", [["wrong"], ["right", "wrong", "right"], ["ghosts", "nameless", "right"], []], ids=str)
@pytest.mark.parametrize("lists", [None, ["wrong", "wrong"], []], ids=str)
async def test_whatever_a_search_answers_only_what_carries_the_mark_is_found(
    box: Box, searches: list[str], lists: list[str] | None
) -> None:
    for number in range(3):
        await box.client.create_draft(words(number), NO_THREAD)
    draft = await box.client.create_draft(LOST, NO_THREAD)
    box.sandbox.set_habits(search_answers=searches, list_answers=lists)
    found = [one.draft_id for one in await box.client.find_drafts("<lost@replyroom>")]
    assert found == ([draft.draft_id] if "right" in searches or lists is None else [])
    assert await box.client.find_drafts("<never@replyroom>") == ()


async def test_of_a_huge_answer_a_part_is_read(box: Box) -> None:
    for number in range(3 * SEARCHED):
        await box.client.create_draft(words(number), NO_THREAD)
    box.sandbox.set_habits(search_answers=["wrong"], list_answers=["wrong", "right"])
    assert await box.client.find_drafts("<lost@replyroom>") == ()
    assert len(box.requests("gmail.users.drafts.get")) <= SEARCHED + RECENT


@pytest.mark.parametrize("mark", ["<lost@replyroom>", ""], ids=["mark kept", "mark lost"])
async def test_a_draft_that_was_changed_since_it_was_read_is_not_deleted(box: Box, mark: str) -> None:
    draft = await box.client.create_draft(LOST, NO_THREAD)
    (found,) = await box.client.find_drafts("<lost@replyroom>")
    box.sandbox.mail.edit_draft(draft.draft_id, words(1, X_Replyroom_Outbox=mark), box.address)
    assert not await box.client.delete_draft(found)
    (left,) = box.sandbox.mail.drafts(box.address)
    assert left["id"] == draft.draft_id
    assert await box.client.delete_draft(await box.client.get_draft(draft.draft_id))
    assert box.sandbox.mail.drafts(box.address) == []


async def test_a_small_and_a_large_draft_are_written_anew_byte_for_byte(box: Box) -> None:
    head = f"From: {box.address}\r\nTo: bob@example.org\r\nSubject: S\r\n\r\n".encode()
    draft = await box.client.create_draft(head + b"before\r\n", NO_THREAD)
    for body in (b"after\r\n", b"0123456789\xc3\xa9\r\n" * 450_000):
        again = await box.client.update_draft(draft.draft_id, head + body, NO_THREAD)
        assert again.draft_id == draft.draft_id
        assert box.sandbox.mail.raw(again.message_gmail_id, box.address).endswith(body)
    assert len(box.sandbox.mail.drafts(box.address)) == 1
