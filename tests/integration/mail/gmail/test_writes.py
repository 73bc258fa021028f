"""Every write leaves as one HTTP request, also when the connection is cut and the transport below would send it again."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from app.domain.errors import RejectedByServer, ServerError
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId
from app.domain.ports.gmail import MailServer, ReadDraft
from fakes.gmail.client_box import Box

pytestmark = pytest.mark.anyio

NO_THREAD = GmailThreadId("")
HEAD = b"Subject: x\r\nTo: a@example.org\r\n\r\n"
Write = Callable[[MailServer, GmailDraftId, list[GmailId]], Awaitable[object]]


def as_read(draft_id: GmailDraftId) -> ReadDraft:
    """A draft of which nothing more is needed than its id."""
    return ReadDraft(draft_id, GmailId(""), GmailThreadId(""))


async def deleted(client: MailServer, draft_id: GmailDraftId) -> bool:
    """Delete a draft as it is now."""
    return await client.delete_draft(await client.get_draft(draft_id))


WRITES: dict[str, tuple[str, Write]] = {
    "send": ("drafts.send", lambda client, draft, _: client.send_draft(as_read(draft))),
    "create": ("drafts.create", lambda client, _, __: client.create_draft(HEAD + b"x", NO_THREAD)),
    "upload": ("drafts.create", lambda client, _, __: client.create_draft(HEAD + b"0123456\r\n" * 600_000, NO_THREAD)),
    "update": ("drafts.update", lambda client, draft, _: client.update_draft(draft, HEAD + b"y", NO_THREAD)),
    "upload update": (
        "drafts.update",
        lambda client, draft, _: client.update_draft(draft, HEAD + b"0123456\r\n" * 600_000, NO_THREAD),
    ),
    "delete": ("drafts.delete", lambda client, draft, _: deleted(client, draft)),
    "modify": ("messages.modify", lambda client, _, ids: client.modify(ids[:1], ["STARRED"], [])),
    "batch modify": ("messages.batchModify", lambda client, _, ids: client.modify(ids, ["STARRED"], [])),
}


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("name", WRITES)
async def test_a_write_whose_connection_is_cut_is_not_sent_again(box: Any, name: str, when: str) -> None:
    method, write = WRITES[name]
    ids = [GmailId(box.deliver(str(number))["id"]) for number in range(12)]
    draft = await box.client.create_draft(HEAD + b"x", NO_THREAD)
    before = len(box.requests(f"gmail.users.{method}"))
    box.sandbox.faults.add("cut", f"gmail.users.{method}", when=when)
    with pytest.raises(ServerError):
        await write(box.client, draft.draft_id, ids)
    assert len(box.requests(f"gmail.users.{method}")) == before + 1
    assert box.pauses.seconds == []


async def test_a_label_that_is_there_is_the_label_that_was_wanted(box: Box) -> None:
    made = await box.client.create_label("Trips")
    assert await box.client.create_label("Trips") == await box.client.create_label("TRIPS") == made
    with pytest.raises(RejectedByServer):
        await box.client.create_label("")
