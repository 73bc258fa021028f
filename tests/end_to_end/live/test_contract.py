"""What the program believes of Gmail, asked of Gmail: the facts that sync and sending rest on.

The same tests run against the local server always, and against a live account on purpose:

    REPLYROOM_LIVE_TOKEN=ya29... python3 packaging/dev.py test -m live tests/live

The token needs the scope gmail.modify. The account is sent two short mails, by itself and to itself; all that is made goes to
the trash afterwards.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import TypeVar
from uuid import uuid4

import pytest

from app.domain.errors import CursorExpired, NotFound
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId, HistoryId
from app.domain.mail.message import RemoteMessage
from app.mail.gmail.auth import static_credentials
from app.mail.gmail.client import GmailClient
from app.mail.gmail.endpoint import Endpoint
from fakes.gmail.client_box import connected
from fakes.gmail.sandbox import running_sandbox

TOKEN_VARIABLE = "REPLYROOM_LIVE_TOKEN"
INDEX_LAG_S = 60.0
NEW = GmailThreadId("")
T = TypeVar("T")


@dataclass
class Account:
    """The account asked, and what was made in it."""

    client: GmailClient
    address: str
    made: list[GmailId] = field(default_factory=list)

    def letter(self, subject: str, answers: str = "", marker: str = "") -> bytes:
        """A mail from the account to itself; `answers` is the Message-ID it replies to."""
        mail = EmailMessage()
        mail["From"] = mail["To"] = self.address
        mail["Subject"], mail["Message-ID"] = subject, f"<{marker or uuid4().hex}@replyroom.invalid>"
        mail["X-Replyroom-Outbox"] = marker or "contract"
        if answers:
            mail["In-Reply-To"] = mail["References"] = answers
        mail.set_content("A test of Replyroom's contract with Gmail. It may be deleted.\n")
        return mail.as_bytes()

    async def sent(self, subject: str, thread: GmailThreadId = NEW, answers: str = "") -> RemoteMessage:
        """Send one as a draft and read it back."""
        draft = await self.client.create_draft(self.letter(subject, answers), thread)
        return await self.read(await self.client.send_draft(await self.client.get_draft(draft.draft_id)))

    async def read(self, gmail_id: GmailId) -> RemoteMessage:
        """One message, noted for the trash."""
        self.made.append(gmail_id)
        message = (await self.client.fetch_messages([gmail_id]))[0].message
        assert message is not None
        return message


@asynccontextmanager
async def _connected(endpoint: Endpoint, token: str) -> AsyncIterator[Account]:
    """A client for the length of a `with`; what was made is in the trash afterwards."""
    async with connected(endpoint, static_credentials(token), None) as client:
        account = Account(client, (await client.profile()).email)
        yield account
        if account.made:
            await client.modify(account.made, ["TRASH"], ["INBOX"])


@pytest.fixture(params=["local", pytest.param("live", marks=pytest.mark.live)])
async def account(request: pytest.FixtureRequest) -> AsyncIterator[Account]:
    """The local server's account, or the live one."""
    if request.param == "local":
        with running_sandbox("--me", "owner@example.com") as sandbox:
            async with _connected(Endpoint(f"{sandbox.url}/"), sandbox.token) as one:
                yield one
        return
    if not os.environ.get(TOKEN_VARIABLE):
        pytest.skip(f"{TOKEN_VARIABLE} names no account.")
    async with _connected(Endpoint(), os.environ[TOKEN_VARIABLE]) as one:
        yield one


async def eventually(ask: Callable[[], Awaitable[T]], wanted: Callable[[T], bool]) -> T:
    """The first answer that is wanted; Gmail's index takes a moment."""
    end = time.monotonic() + INDEX_LAG_S
    while not wanted(answer := await ask()) and time.monotonic() < end:
        await asyncio.sleep(1.0)
    return answer


async def test_a_draft_is_found_by_its_message_id_and_gone_once_sent(account: Account) -> None:
    marker = uuid4().hex
    draft = await account.client.create_draft(account.letter("Contract: once", marker=marker), NEW)
    found = await eventually(lambda: account.client.find_drafts(f"<{marker}@replyroom.invalid>"), bool)
    assert [one.draft_id for one in found] == [draft.draft_id]
    read = await account.client.get_draft(draft.draft_id)
    assert (read.draft_id, read.rfc822_id, read.marker) == (draft.draft_id, f"<{marker}@replyroom.invalid>", marker)
    message = await account.read(await account.client.send_draft(read))
    assert "SENT" in message.labels
    with pytest.raises(NotFound):
        await account.client.get_draft(draft.draft_id)
    state = await account.client.thread_state(message.gmail_thread_id)
    assert marker in {one.marker for one in state}


async def test_a_second_sending_of_a_draft_is_refused(account: Account) -> None:
    draft = await account.client.create_draft(account.letter("Contract: twice"), NEW)
    read = await account.client.get_draft(draft.draft_id)
    account.made.append(await account.client.send_draft(read))
    with pytest.raises(NotFound):
        await account.client.send_draft(read)


async def test_a_reply_joins_the_thread_by_id_headers_and_subject(account: Account) -> None:
    first = await account.sent("Contract: thread")
    reply = await account.sent("Re: Contract: thread", first.gmail_thread_id, first.rfc822_id)
    assert reply.gmail_thread_id == first.gmail_thread_id
    assert first.rfc822_id in reply.references


async def test_history_tells_of_what_came_and_of_labels(account: Account) -> None:
    start = (await account.client.profile()).history_id
    message = await account.sent("Contract: history")
    await account.client.modify([message.gmail_id], ["STARRED"], [])

    async def changes() -> set[GmailId]:
        page = await account.client.history(start)
        return {change.gmail_id for change in page.changes}

    assert message.gmail_id in await eventually(changes, lambda seen: message.gmail_id in seen)
    await account.client.modify([message.gmail_id], [], ["STARRED"])
    assert "STARRED" not in (await account.read(message.gmail_id)).labels


async def test_an_old_cursor_has_expired(account: Account) -> None:
    with pytest.raises((CursorExpired, NotFound)):
        await account.client.history(HistoryId(1))


async def test_a_deleted_draft_stays_deleted(account: Account) -> None:
    draft = await account.client.create_draft(account.letter("Contract: deleted"), NEW)
    read = await account.client.get_draft(draft.draft_id)
    assert await account.client.delete_draft(read)
    assert await account.client.delete_draft(read)
    with pytest.raises(NotFound):
        await account.client.get_draft(GmailDraftId(draft.draft_id))
