"""Batches whose inner answers go wrong together, against the local server.

Drafts that are looked for or written anew: a wrong answer here would let a mail leave twice, or leave as it was before.

Files in answers: whole, or no success.
"""

import asyncio
import base64
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import LoginNeeded, Offline, PermissionMissing, ServerError
from app.domain.ids import GmailId, GmailThreadId
from app.domain.record import replace
from app.mail.gmail.auth import static_credentials
from app.mail.gmail.endpoint import Endpoint
from app.mail.gmail.wire import answers
from app.mail.gmail.wire.calls import Backoff, Calls, GmailCollections, decoded
from app.mail.gmail.wire.drafts import RECENT, SEARCHED
from app.mail.gmail.wire.errors import HttpAnswer
from app.mail.gmail.wire.transport import HttpCall, Transport, stream_to
from fakes.gmail.client_box import Box
from fakes.gmail.google_client import mail


class Renewed(Transport):
    """The sign-in gives a new token as often as it is asked to."""

    times = 0

    def refresh(self) -> None:
        """One more."""
        self.times += 1


@asynccontextmanager
async def calls_of(box: Box, transport: Transport, *chances: float) -> AsyncIterator[Calls]:
    """Calls to the account's server."""
    left = list(chances)
    calls = Calls(transport, None, sleep=box.pauses, chance=lambda: left.pop(0))
    try:
        yield calls
    finally:
        await calls.close()


async def batch(box: Box, calls: Calls, mails: int) -> int:
    """How many of these mails came."""
    ids = [box.deliver(str(number))["id"] for number in range(mails)]
    wanted = {each: HttpCall(f"/gmail/v1/users/me/messages/{each}?format=full", units=20) for each in ids}
    url = GmailCollections(Endpoint(f"{box.sandbox.url}/"), calls).batch_url
    found = await asyncio.wait_for(calls.batch(url, wanted, len), 20)
    return sum(isinstance(one, int) for one in found.values())


async def test_inner_answers_that_failed_wait_for_the_longest_of_their_pauses(box: Box) -> None:
    box.sandbox.faults.add("500", "gmail.users.messages.get", place="inner", times=2)
    transport = Transport(Endpoint(f"{box.sandbox.url}/"), static_credentials(box.token))
    async with calls_of(box, transport, 0.0, 1.0) as calls:
        assert await batch(box, calls, 3) == 3
    assert box.pauses.seconds == [1.0]


async def test_a_token_is_renewed_once_and_then_ends_in_a_sign_in(box: Box) -> None:
    for times in (2, 0):
        box.sandbox.faults.add("401", "gmail.users.messages.get", place="inner", times=times)
        transport = Renewed(Endpoint(f"{box.sandbox.url}/"), static_credentials(box.token))
        async with calls_of(box, transport) as calls:
            if times:
                assert await batch(box, calls, 3) == 3
            else:
                with pytest.raises(LoginNeeded):
                    await batch(box, calls, 2)
        assert transport.times == 1


@pytest.mark.parametrize(
    ("refused", "units"), [(1, [240, 20, 200, 40]), (12, [240, 240, 240])], ids=["one: fewer at once", "all: a spent minute"]
)
async def test_a_crowd_is_halved_down_to_a_least_where_a_part_is_refused(box: Box, refused: int, units: list[int]) -> None:
    ids = [GmailId(box.deliver(str(number))["id"]) for number in range(12)]
    box.sandbox.faults.add("429", "gmail.users.messages.get", place="inner", times=refused)
    for _ in range(2):
        assert all(each.message for each in await box.client.fetch_messages(ids))
    assert box.pace.units == units


class Forgetful(Transport):
    """The server answers every call of a batch but one."""

    def read(self, call: HttpCall) -> HttpAnswer:
        """The answer without it."""
        answer = super().read(call)
        return replace(answer, body=answer.body.replace(b"response-i1>", b"response-nobody>"))


async def test_what_answers_leave_out_each_time_is_not_asked_for_without_end(box: Box) -> None:
    transport = Forgetful(Endpoint(f"{box.sandbox.url}/"), static_credentials(box.token))
    async with calls_of(box, transport, *[0.0] * 10) as calls:
        assert await batch(box, calls, 3) == 2
    assert len(box.pauses.seconds) == Backoff().attempts - 1


async def test_a_download_that_fails_each_time_is_given_up(box: Box, tmp_path: Path) -> None:
    url = f"{box.sandbox.url}/gmail/v1/users/me/messages/{box.deliver('one')['id']}?format=raw"
    box.sandbox.faults.add("503", "gmail.users.messages.get", times=0)
    transport = Transport(Endpoint(f"{box.sandbox.url}/"), static_credentials(box.token))
    async with calls_of(box, transport, *[0.0] * 10) as calls:
        with pytest.raises(ServerError):
            await asyncio.wait_for(calls.download(HttpCall(url), tmp_path / "part", lambda _: None), 20)
    assert len(box.pauses.seconds) == Backoff().attempts - 1


class Stuck(Transport):
    """Nothing comes before the test says so."""

    def read(self, call: HttpCall) -> HttpAnswer:
        """Wait, then ask."""
        assert self.free.wait(20)
        return super().read(call)

    @cached_property
    def free(self) -> threading.Event:
        """Set once answers may come."""
        return threading.Event()


async def test_a_call_that_waited_for_its_turn_at_the_end_is_offline_and_not_cancelled(box: Box) -> None:
    """Else a worker would take the end of a client for its own."""
    url = f"{box.sandbox.url}/gmail/v1/users/me/profile"
    transport = Stuck(Endpoint(f"{box.sandbox.url}/"), static_credentials(box.token))
    async with calls_of(box, transport) as calls:
        reads = [asyncio.ensure_future(calls.read(HttpCall(url), len)) for _ in range(12)]
        await asyncio.sleep(0.1)
        closing = asyncio.ensure_future(calls.close())
        await asyncio.sleep(0.1)
        transport.free.set()
        ends = await asyncio.gather(*reads, return_exceptions=True)
        await closing
    assert [type(one) for one in ends] == [Offline] * 12


@pytest.mark.expects_warnings
@pytest.mark.parametrize("fault", [IndexError, AttributeError, ZeroDivisionError, RecursionError, KeyError, UnicodeError])
def test_whatever_breaks_a_reader_is_the_servers_trouble(fault: type[Exception]) -> None:
    """Else one mail would end the sync of all."""

    def broken(_body: bytes) -> None:
        raise fault

    with pytest.raises(ServerError):
        decoded(b"", broken)


async def test_calls_cost_what_the_server_counts(box: Box) -> None:
    before = box.sandbox.counters()["units"]
    start = (await box.client.profile()).history_id
    gmail_id = GmailId(box.deliver("one")["id"])
    await box.client.history(start)
    await box.client.list_messages()
    await box.client.labels()
    assert len(await box.client.fetch_messages([gmail_id, gmail_id])) == 1
    assert sum(box.pace.units) == box.sandbox.counters()["units"] - before


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


def test_nobody_there(tmp_path: Path) -> None:
    with pytest.raises(Offline):
        stream_to("http://127.0.0.1:1/", {}, tmp_path / "x", lambda _: None, direct=True, timeout_s=2)


@given(st.binary(max_size=2000), st.booleans())
def test_any_file_is_decoded(data: bytes, escaped: bool) -> None:
    text = base64.urlsafe_b64encode(data).decode()
    body = json.dumps({"size": len(data), "data": text, "raw": text, "attachmentId": "x"}, indent=1)
    if escaped:
        body = body.replace("=", "\\u003d")
    assert decoded(body.encode(), answers.attachment_bytes) == decoded(body.encode(), answers.source_bytes) == data


@pytest.mark.parametrize("body", [b"", b"{}", b'{"size": 1}', b'{"data": "QUJD', b'{"raw": "QUJD"}', b'{"data": "QUJDR"}'])
def test_what_holds_no_whole_file_is_no_success(body: bytes) -> None:
    with pytest.raises(ServerError):
        decoded(body, answers.attachment_bytes)
