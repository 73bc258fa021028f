"""The Gmail client against the local server: real HTTP, Google's own client library, faults injected by the server."""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from app.domain.errors import (
    CursorExpired,
    LoginNeeded,
    NotFound,
    Offline,
    PermissionMissing,
    QuotaReached,
    RejectedByServer,
    ServerError,
    TemporarilyRejected,
)
from app.domain.ids import GmailDraftId, GmailId, GmailThreadId, HistoryId
from app.domain.mail.files import SOURCE_PART
from app.domain.mail.message import Vacation
from app.domain.ports.gmail import MailServer, ReadDraft
from app.domain.record import replace
from app.domain.sync import ChangeKind
from app.mail.gmail.auth import static_credentials
from app.mail.gmail.client import BATCH_MODIFY_MOST, connect
from app.mail.gmail.endpoint import Endpoint
from app.mail.gmail.wire.calls import Calls, GmailCollections
from app.mail.gmail.wire.transport import HttpCall, Transport
from fakes.gmail.client_box import Box, connected
from fakes.gmail.google_client import mail
from fakes.gmail.sandbox import Sandbox
from fakes.gmail.web_server import Handler, WebServer

NO_THREAD = GmailThreadId("")


def ids_of(*delivered: dict[str, str]) -> list[GmailId]:
    return [GmailId(each["id"]) for each in delivered]


async def test_labels_and_addresses_to_send_from(box: Box) -> None:
    assert ("INBOX", "system") in {(each.gmail_label_id, each.kind) for each in await box.client.labels()}
    box.deliver("One", labels=["STARRED"])
    assert [await box.client.label_total(label) for label in ("STARRED", "TRASH")] == [1, 0]
    with pytest.raises(NotFound):
        await box.client.label_total("Label_9")
    (own,) = await box.client.send_as()
    assert (own.email, own.is_default) == (box.address, True)


async def test_a_list_is_newest_first_and_narrowed_by_label_and_query(box: Box) -> None:
    first, second = box.deliver("One", internal_ms=1_000_000), box.deliver("Two", internal_ms=2_000_000, labels=["INBOX"])
    page = await box.client.list_messages()
    assert [each.gmail_id for each in page.entries] == ids_of(second, first)
    assert page.entries[0].gmail_thread_id == second["threadId"]
    assert page.next_page_token == ""
    unread = await box.client.list_messages(label_ids=("UNREAD",))
    assert [each.gmail_id for each in unread.entries] == ids_of(first)
    found = await box.client.list_messages(query="subject:Two")
    assert [each.gmail_id for each in found.entries] == ids_of(second)


async def test_spam_is_listed_only_when_asked_for(box: Box) -> None:
    spam = box.deliver("Win", labels=["SPAM"])
    assert (await box.client.list_messages()).entries == ()
    assert [each.gmail_id for each in (await box.client.list_messages(include_spam_trash=True)).entries] == ids_of(spam)


async def test_messages_come_parsed_and_in_order_with_those_that_are_gone(box: Box) -> None:
    one, two = box.deliver("One", "First."), box.deliver("Two", "Second.")
    wanted = [*ids_of(two), GmailId("ffffffffffff"), *ids_of(one)]
    fetched = await box.client.fetch_messages(wanted)
    assert [each.gmail_id for each in fetched] == wanted
    assert [each.gone for each in fetched] == [False, True, False]
    messages = [each.message for each in fetched if each.message]
    assert [(each.subject, each.body_text) for each in messages] == [("Two", "Second."), ("One", "First.")]
    assert messages[0].sender.email == "bob@example.org"
    assert "INBOX" in messages[0].labels


async def test_more_than_fifty_messages_go_in_several_batches(box: Box) -> None:
    wanted = ids_of(*(box.deliver(f"Mail {number}") for number in range(53)))
    fetched = await box.client.fetch_messages(wanted)
    assert [each.message.subject for each in fetched if each.message] == [f"Mail {number}" for number in range(53)]
    assert box.pace.units == [1000, 60]


async def test_a_crowd_that_was_refused_is_halved_and_everything_comes(box: Box) -> None:
    wanted = ids_of(*(box.deliver(str(number)) for number in range(48)))
    for nth in (30, 40):
        box.sandbox.faults.add("429", "gmail.users.messages.get", place="inner", nth=nth)
    for _ in range(2):
        fetched = await box.client.fetch_messages(wanted)
        assert [each.message.subject for each in fetched if each.message] == [str(number) for number in range(48)]
    assert box.pace.units == [960, 40, 480, 480]


async def test_threads_come_whole(box: Box) -> None:
    first = box.deliver("Plans")
    (message,) = await box.client.fetch_messages(ids_of(first))
    box.sandbox.mail.deliver(
        b"From: bob@example.org\r\nTo: x@example.com\r\nSubject: Re: Plans\r\nMessage-ID: <r1@example.org>\r\n"
        + f"In-Reply-To: {message.message.rfc822_id}\r\nReferences: {message.message.rfc822_id}\r\n\r\nMore.".encode(),
        account=box.address,
    )
    gone = GmailThreadId("ffffffffffff")
    (thread, fetched), (missing, outcome) = await box.client.fetch_threads([GmailThreadId(first["threadId"]), gone])
    assert (thread, missing) == (first["threadId"], gone)
    assert [each.message.body_text for each in fetched if each.message] == ["Hi there.", "More."]
    assert [(each.gmail_id, each.gone) for each in outcome] == [("", True)]


async def test_history_tells_of_arrivals_labels_and_deletions(box: Box) -> None:
    start = (await box.client.profile()).history_id
    one, two = box.deliver("One"), box.deliver("Two")
    await box.client.modify(ids_of(one), ["STARRED"], ["UNREAD"])
    box.sandbox.admin.call("POST", "delete", {"ids": [two["id"]], "account": box.address})
    page = await box.client.history(start)
    found = [(each.kind, each.gmail_id, each.labels) for each in page.changes]
    assert (ChangeKind.LABELS_ADDED, one["id"], frozenset({"STARRED"})) in found
    assert (ChangeKind.LABELS_REMOVED, one["id"], frozenset({"UNREAD"})) in found
    assert [gid for kind, gid, _ in found if kind is ChangeKind.ADDED][:1] == [one["id"]]
    assert [gid for kind, gid, _ in found if kind is ChangeKind.DELETED] == [two["id"]]
    assert page.history_id > start
    assert (await box.client.history(page.history_id)).changes == ()


class Endless(Handler):
    """Answers every page with the token of the second."""

    def respond(self) -> None:
        self.answer(200, b'{"messages": [{"id": "a"}], "historyId": "7", "nextPageToken": "2"}')


async def test_pages_end_where_the_next_is_the_same_again() -> None:
    with WebServer(Endless) as server:
        client = connect(Endpoint(f"{server.address}/"), static_credentials("t"), None)
        try:
            assert (await client.list_messages()).next_page_token == "2"
            assert (await client.list_messages("", (), "2")).next_page_token == ""
            assert (await client.history(HistoryId(1))).next_page_token == "2"
            with pytest.raises(RejectedByServer):  # what follows is unknown, so the lists have to tell
                await client.history(HistoryId(1), "2")
        finally:
            await client.close()


async def test_an_expired_cursor_has_an_error_of_its_own(box: Box) -> None:
    box.sandbox.faults.add("404-history", "gmail.users.history.list")
    with pytest.raises(CursorExpired):
        await box.client.history(HistoryId(1))


async def test_a_thread_is_read_again_with_markers_and_dates(box: Box) -> None:
    mime = (
        f"From: {box.address}\r\nTo: bob@example.org\r\nSubject: Hello\r\nMessage-ID: <m1@replyroom>\r\n"
        "X-Replyroom-Outbox: <m1@replyroom>\r\n\r\nHi"
    ).encode()
    draft = await box.client.create_draft(mime, NO_THREAD)
    (state,) = await box.client.thread_state(draft.gmail_thread_id)
    assert state.marker == "<m1@replyroom>"
    assert state.sender == box.address
    assert "DRAFT" in state.labels
    assert state.date.tzinfo is not None
    with pytest.raises(NotFound):
        await box.client.thread_state(GmailThreadId("ffffffffffff"))


async def test_labels_change_one_by_one_below_eleven_and_in_bulk_above(box: Box) -> None:
    few = ids_of(*(box.deliver(str(number)) for number in range(2)))
    await box.client.modify(few, ["STARRED"], ["UNREAD"])
    assert len(box.requests("gmail.users.messages.modify")) == 2
    many = ids_of(*(box.deliver(str(number)) for number in range(11)))
    await box.client.modify(many, [], ["INBOX"])
    assert len(box.requests("gmail.users.messages.batchModify")) == 1
    inbox = await box.client.list_messages(label_ids=("INBOX",))
    assert {each.gmail_id for each in inbox.entries} == set(few)


async def test_a_change_that_met_another_is_refused_for_the_moment(box: Box) -> None:
    few = ids_of(box.deliver())
    for method in ("messages.modify", "labels.create"):
        box.sandbox.faults.add("400-precondition", f"gmail.users.{method}")
    with pytest.raises(TemporarilyRejected):
        await box.client.modify(few, ["STARRED"], [])
    with pytest.raises(TemporarilyRejected):
        await box.client.create_label("Trips")
    await box.client.modify(few, ["STARRED"], [])
    assert [each.gmail_id for each in (await box.client.list_messages(label_ids=("STARRED",))).entries] == few


async def test_a_message_that_is_gone_does_not_stop_the_others_from_being_labelled(box: Box) -> None:
    one = box.deliver()
    gone = GmailId("ffffffffffff")
    await box.client.modify([gone, *ids_of(one)], ["STARRED"], [])
    assert [each.gmail_id for each in (await box.client.list_messages(label_ids=("STARRED",))).entries] == ids_of(one)
    with pytest.raises(NotFound):
        await box.client.modify([gone], ["STARRED"], [])


async def test_thousands_whose_first_are_all_gone_are_labelled_all_the_same(box: Box) -> None:
    there = ids_of(box.deliver())
    gone = [GmailId(f"{number:012x}") for number in range(1, BATCH_MODIFY_MOST + 1)]
    await box.client.modify([*gone, *there], ["STARRED"], [])
    assert [each.gmail_id for each in (await box.client.list_messages(label_ids=("STARRED",))).entries] == there


async def test_a_batch_that_is_refused_for_one_missing_message_labels_the_others(box: Box) -> None:
    """Nobody promises that Gmail passes over what is gone."""
    box.sandbox.set_habits(batches_refuse_gaps=True)
    there = ids_of(*(box.deliver(str(number)) for number in range(60)))
    await box.client.modify([*there[:30], GmailId("ffffffffffff"), *there[30:]], ["STARRED"], [])
    starred = await box.client.list_messages(label_ids=("STARRED",))
    assert {each.gmail_id for each in starred.entries} == set(there)
    assert len(box.requests("gmail.users.messages.batchModify")) < 10
    box.sandbox.set_habits()


async def test_an_attachment_comes_by_its_part_and_as_a_file(box: Box, tmp_path: Path) -> None:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "bob@example.org", box.address, "File"
    made.set_content("See the file.")
    made.add_attachment(bytes(range(256)) * 40, maintype="application", subtype="octet-stream", filename="data.bin")
    delivered = box.sandbox.deliver(made.as_bytes(), account=box.address)
    (fetched,) = await box.client.fetch_messages(ids_of(delivered))
    (attachment,) = fetched.message.attachments
    assert (attachment.filename, attachment.size) == ("data.bin", 10_240)
    assert await box.client.attachment(fetched.gmail_id, attachment.part_id) == bytes(range(256)) * 40
    told: list[int] = []
    box.sandbox.faults.add("truncate", "gmail.users.messages.attachments.get")
    await box.client.download(fetched.gmail_id, attachment.part_id, tmp_path / "data.bin", told.append)
    await box.client.download(fetched.gmail_id, SOURCE_PART, tmp_path / "whole.eml", told.append)
    assert (tmp_path / "data.bin").read_bytes() == bytes(range(256)) * 40
    assert b"See the file." in (tmp_path / "whole.eml").read_bytes()
    assert (len(list(tmp_path.iterdir())), told[0] > 0, box.pauses.seconds) == (2, True, [1.0])
    with pytest.raises(NotFound):
        await box.client.attachment(fetched.gmail_id, "99")


async def test_a_mail_inside_a_mail_comes_whole(box: Box) -> None:
    inner, made = EmailMessage(), EmailMessage()
    inner["From"], inner["Subject"] = "eva@example.org", "Old news"
    inner.set_content("Inner text.")
    made["From"], made["To"], made["Subject"] = "bob@example.org", box.address, "Fwd"
    made.set_content("See below.")
    made.add_attachment(inner)
    (fetched,) = await box.client.fetch_messages(ids_of(box.sandbox.deliver(made.as_bytes(), account=box.address)))
    (attachment,) = fetched.message.attachments
    assert attachment.filename.endswith(".eml")
    data = await box.client.attachment(fetched.gmail_id, attachment.part_id)
    assert message_from_bytes(data)["Subject"] == "Old news"
    assert b"Inner text." in data


async def test_units_are_taken_before_each_call(box: Box) -> None:
    await box.client.profile()
    await box.client.list_messages()
    assert box.pace.units == [1, 5]


@pytest.mark.parametrize("kind", ["500", "502", "503", "400-precondition", "403-rate", "429", "cut", "truncate"])
async def test_a_read_that_fails_for_a_moment_is_tried_again(box: Box, kind: str) -> None:
    box.sandbox.faults.add(kind, "gmail.users.labels.list", times=2)
    assert await box.client.labels()
    assert len(box.requests("gmail.users.labels.list")) in (3, 4)
    # httplib2 itself opens a connection again that died without an answer.
    assert box.pauses.seconds == ([1.0] if kind == "cut" else [1.0, 2.0])
    assert box.pace.refusals == (2 if kind in {"403-rate", "403-user-rate", "429"} else 0)


@pytest.mark.parametrize(
    ("kind", "error"), [("500", ServerError), ("429", QuotaReached), ("403-rate", QuotaReached), ("cut", ServerError)]
)
async def test_a_read_gives_up_after_five_tries(box: Box, kind: str, error: type[Exception]) -> None:
    box.sandbox.faults.add(kind, "gmail.users.labels.list", times=0)
    with pytest.raises(error):
        await box.client.labels()
    assert box.pauses.seconds == [1.0, 2.0, 4.0, 8.0]


async def test_retry_after_is_obeyed(box: Box) -> None:
    box.sandbox.set_quota(enforce=True, units_a_minute=5, refusal="429", retry_after=True)
    await box.client.list_messages()
    with pytest.raises(QuotaReached) as refused:
        await box.client.list_messages()
    assert refused.value.retry_after_s
    assert all(pause >= 1 for pause in box.pauses.seconds)


async def test_a_missing_permission_is_told_from_a_spent_quota(box: Box) -> None:
    box.sandbox.faults.add("403-permission", "gmail.users.labels.list")
    with pytest.raises(PermissionMissing):
        await box.client.labels()
    assert box.pauses.seconds == []


async def test_a_refused_static_token_asks_for_a_sign_in(server: Sandbox) -> None:
    async with connected(Endpoint(f"{server.url}/"), static_credentials("nonsense"), None) as client:
        with pytest.raises(LoginNeeded):
            await client.profile()
        with pytest.raises(LoginNeeded):
            await client.create_draft(b"Subject: x\r\n\r\nx", NO_THREAD)


async def test_a_server_that_is_not_there_is_offline() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        async with connected(Endpoint(f"http://127.0.0.1:{taken.getsockname()[1]}/"), static_credentials("t"), None) as client:
            with pytest.raises(Offline):
                await client.profile()


class Trickle(Handler):
    """Sends a space at a time, without end."""

    def respond(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        with suppress(OSError):
            while True:
                self.wfile.write(b" ")
                time.sleep(0.02)


async def test_an_answer_that_trickles_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("LONGEST_READ_S", "LONGEST_WRITE_S"):
        monkeypatch.setattr(f"app.mail.gmail.wire.transport.{limit}", 0.2)
    with WebServer(Trickle) as server:
        client = connect(Endpoint(f"{server.address}/"), static_credentials("t"), None)
        try:
            for call in (client.profile(), client.profile(), client.create_label("Work")):
                with pytest.raises(Offline, match="longer"):
                    await asyncio.wait_for(call, 20)
        finally:
            await client.close()


async def test_a_server_that_never_answers_is_offline(box: Box) -> None:
    box.sandbox.faults.add("slow", "gmail.users.labels.list", seconds=5)
    endpoint, credentials = Endpoint(f"{box.sandbox.url}/"), static_credentials(box.token)
    impatient = connect(endpoint, credentials, None, timeout_s=0.2)
    try:
        with pytest.raises(Offline):
            await impatient.labels()
    finally:
        await impatient.close()


async def test_each_inner_answer_of_a_batch_is_judged_alone(box: Box) -> None:
    wanted = ids_of(*(box.deliver(str(number)) for number in range(4)))
    for nth, kind in enumerate(["500", "429", "403-user-rate"], 2):
        box.sandbox.faults.add(kind, "gmail.users.messages.get", place="inner", nth=nth)
    fetched = await box.client.fetch_messages(wanted)
    assert [each.message.subject for each in fetched if each.message] == ["0", "1", "2", "3"]
    assert len(box.requests("gmail.users.messages.get")) == 7, "only what failed is asked for again"
    assert (box.pace.units[0], sum(box.pace.units)) == (80, 140)
    assert box.pace.refusals


async def test_what_cannot_be_fetched_is_named_and_the_rest_comes(box: Box) -> None:
    wanted = ids_of(box.deliver("0"), box.deliver("1"))
    box.sandbox.faults.add("500", "gmail.users.messages.get", place="inner", times=5)
    first, second = await box.client.fetch_messages(wanted)
    assert {first.code, second.code} <= {"", "server_trouble"}
    assert first.message or second.message
    box.sandbox.faults.clear()
    box.sandbox.faults.add("403-permission", "gmail.users.messages.get", place="inner", times=0)
    assert {each.code for each in await box.client.fetch_messages(wanted)} == {"permission_missing"}


@pytest.mark.expects_warnings
async def test_a_mail_that_breaks_its_reader_holds_no_other_up(box: Box) -> None:
    whole, poison = ids_of(box.deliver("whole"), box.deliver("poison"))

    def read(body: bytes) -> int:
        if b"poison" in body:
            raise RecursionError(body.decode())
        return len(body)

    endpoint = Endpoint(f"{box.sandbox.url}/")
    calls = Calls(Transport(endpoint, static_credentials(box.token)), None, sleep=box.pauses)
    wanted = {each: HttpCall(f"/gmail/v1/users/me/messages/{each}?format=full", units=20) for each in (whole, poison)}
    try:
        outcomes = await calls.batch(GmailCollections(endpoint, calls).batch_url, wanted, read)
    finally:
        await calls.close()
    assert isinstance(outcomes[whole], int)
    trouble = outcomes[poison]
    assert isinstance(trouble, ServerError)
    assert "RecursionError" in trouble.detail
    assert "Hi there" not in str(trouble)


@pytest.mark.parametrize("kind", ["cut", "truncate", "503"])
async def test_a_batch_whose_answer_is_cut_is_asked_for_again(box: Box, kind: str) -> None:
    wanted = ids_of(*(box.deliver(str(number), "x" * 2000) for number in range(6)))
    box.sandbox.faults.add(kind, place="outer", times=2)
    fetched = await box.client.fetch_messages(wanted)
    assert [each.message.subject for each in fetched if each.message] == [str(number) for number in range(6)]
    assert box.pauses.seconds


@pytest.mark.expects_warnings
async def test_mail_comes_from_a_server_without_batches(box: Box) -> None:
    there = [box.deliver(str(number)) for number in range(3)]
    box.sandbox.faults.add("404-history", "batch", times=0)
    box.sandbox.faults.add("500", "gmail.users.messages.get", nth=2)
    gone = GmailId("ffffffffffff")
    fetched = await box.client.fetch_messages([*ids_of(*there), gone])
    assert [one.message.subject for one in fetched if one.message] == ["0", "1", "2"]
    assert [(one.gmail_id, one.gone) for one in fetched if not one.message] == [(gone, True)]
    draft = await box.client.create_draft(mail("Hi", X_Replyroom_Outbox="<m1@replyroom>"), NO_THREAD)
    assert [one.draft_id for one in await box.client.find_drafts("<m1@replyroom>")] == [draft.draft_id]


class Nowhere(Handler):
    """A gateway that has lost the server."""

    def respond(self) -> None:
        self.answer(404, b"<html>Not found</html>", {"Content-Type": "text/html"})


@pytest.mark.expects_warnings
async def test_a_page_that_is_not_found_is_no_message_that_is_gone(box: Box) -> None:
    with WebServer(Nowhere) as server:
        client = connect(Endpoint(f"{server.address}/"), static_credentials("t"), None, sleep=box.pauses)
        try:
            (fetched,) = await client.fetch_messages([GmailId("a")])
            with pytest.raises(ServerError):
                await client.modify([GmailId("a")], ["STARRED"], [])
        finally:
            await client.close()
    assert (fetched.gone, fetched.code) == (False, ServerError.code)


async def test_an_inner_401_ends_in_a_sign_in_not_in_lost_messages(box: Box) -> None:
    wanted = ids_of(box.deliver())
    box.sandbox.faults.add("401", "gmail.users.messages.get", place="inner", times=0)
    with pytest.raises(LoginNeeded):
        await box.client.fetch_messages(wanted)


async def test_a_small_and_a_large_draft_arrive_byte_for_byte(box: Box) -> None:
    head = f"From: {box.address}\r\nTo: bob@example.org\r\nSubject: S\r\n\r\n".encode()
    for body in (b"caf\xc3\xa9 .\r\n.\r\nFrom x\r\n", b"0123456789\xc3\xa9\r\n" * 450_000):
        draft = await box.client.create_draft(head + body, NO_THREAD)
        stored = box.sandbox.mail.raw(draft.message_gmail_id, box.address)
        assert stored.endswith(body)
    uploads = [each for each in box.requests("gmail.users.drafts.create") if "/upload/" in each["path"]]
    assert len(uploads) == 1


async def test_a_draft_joins_its_thread(box: Box) -> None:
    delivered = box.deliver("Plans")
    (fetched,) = await box.client.fetch_messages(ids_of(delivered))
    mime = (
        f"From: {box.address}\r\nTo: bob@example.org\r\nSubject: Re: Plans\r\nMessage-ID: <m2@replyroom>\r\n"
        f"In-Reply-To: {fetched.message.rfc822_id}\r\nReferences: {fetched.message.rfc822_id}\r\n\r\nYes."
    ).encode()
    draft = await box.client.create_draft(mime, GmailThreadId(delivered["threadId"]))
    assert draft.gmail_thread_id == delivered["threadId"]
    read = await box.client.get_draft(draft.draft_id)
    assert read == ReadDraft(draft.draft_id, draft.message_gmail_id, draft.gmail_thread_id, "<m2@replyroom>", "")
    sent = await box.client.send_draft(read)
    states = await box.client.thread_state(draft.gmail_thread_id)
    assert [each.gmail_id for each in states if "SENT" in each.labels] == [sent]
    with pytest.raises(NotFound):
        await box.client.get_draft(draft.draft_id)


async def test_deleting_a_draft_twice_is_fine(box: Box) -> None:
    draft = await box.client.create_draft(b"Subject: x\r\nTo: a@example.org\r\n\r\nx", NO_THREAD)
    read = await box.client.get_draft(draft.draft_id)
    assert await box.client.delete_draft(read)
    assert await box.client.delete_draft(read)
    with pytest.raises(NotFound):
        await box.client.send_draft(read)


@pytest.mark.parametrize("lag_s", [0, 3600])
async def test_a_lost_draft_is_found_by_its_marker_even_while_the_index_lags(box: Box, lag_s: int) -> None:
    box.sandbox.set_lag(lag_s)
    mime = b"Subject: x\r\nTo: a@example.org\r\nMessage-ID: <lost@replyroom>\r\nX-Replyroom-Outbox: <lost@replyroom>\r\n\r\nx"
    draft = await box.client.create_draft(mime, NO_THREAD)
    await box.client.create_draft(mime.replace(b"lost@", b"other@"), NO_THREAD)
    assert [each.draft_id for each in await box.client.find_drafts("<lost@replyroom>")] == [draft.draft_id]
    assert await box.client.find_drafts("<never@replyroom>") == ()


WRITE_FAULTS = [
    ("500", "before", ServerError, 0),
    ("500", "after", ServerError, 1),
    ("429", "before", QuotaReached, 0),
    ("403-rate", "before", QuotaReached, 0),
    ("403-permission", "before", PermissionMissing, 0),
    ("cut", "before", ServerError, 0),
    ("cut", "after", ServerError, 1),
    ("truncate", "after", ServerError, 1),
]


@pytest.mark.parametrize(("kind", "when", "error", "copies"), WRITE_FAULTS)
async def test_a_send_is_one_request_whatever_happens(
    box: Box, kind: str, when: str, error: type[Exception], copies: int
) -> None:
    draft = await box.client.create_draft(b"Subject: x\r\nTo: a@example.org\r\n\r\nx", NO_THREAD)
    read = await box.client.get_draft(draft.draft_id)
    box.sandbox.faults.add(kind, "gmail.users.drafts.send", when=when)
    with pytest.raises(error):
        await box.client.send_draft(read)
    assert len(box.requests("gmail.users.drafts.send")) == 1
    assert len(box.sandbox.mail.sent(box.address)) == copies
    assert box.pauses.seconds == []


@pytest.mark.parametrize("kind", ["500", "cut"])
async def test_creating_a_draft_is_one_request(box: Box, kind: str) -> None:
    box.sandbox.faults.add(kind, "gmail.users.drafts.create", when="after")
    with pytest.raises(ServerError):
        await box.client.create_draft(b"Subject: x\r\nTo: a@example.org\r\n\r\nx", NO_THREAD)
    assert len(box.requests("gmail.users.drafts.create")) == 1


async def test_a_bad_request_is_a_refusal(box: Box) -> None:
    one = box.deliver()
    with pytest.raises(RejectedByServer):
        await box.client.modify(ids_of(one), ["NoSuchLabel"], [])


async def test_a_connection_that_went_stale_is_no_trouble(box: Box) -> None:
    await box.client.labels()
    box.sandbox.faults.add("cut", "gmail.users.getProfile")
    assert (await box.client.profile()).email == box.address


async def test_closing_while_a_call_waits_does_not_hang(server: Sandbox) -> None:
    rule = server.faults.add("slow", "gmail.users.labels.list", seconds=30)
    client = connect(Endpoint(f"{server.url}/"), static_credentials(server.token), None)
    waiting = asyncio.create_task(client.labels())
    async with asyncio.timeout(60):
        while not any(one["id"] == rule and one["fired"] for one in server.faults.listed()):
            await asyncio.sleep(0.02)
    await asyncio.wait_for(client.close(), timeout=20)
    with pytest.raises((ServerError, Offline)):
        await waiting


async def test_signature_and_vacation_are_read_and_written(box: Box) -> None:
    await box.client.set_signature(box.address, "<b>Mia</b>")
    (own,) = await box.client.send_as()
    assert own.signature == "<b>Mia</b>"
    assert await box.client.vacation() == Vacation()
    away = Vacation(True, "Away", "Back on Monday.", 1_800_000_000_000, 1_800_600_000_000, contacts_only=True)
    await box.client.set_vacation(away)
    assert await box.client.vacation() == away
    await box.client.set_vacation(replace(away, on=False, from_ms=0, until_ms=0))
    assert await box.client.vacation() == replace(away, on=False, from_ms=0, until_ms=0)
    with pytest.raises(RejectedByServer):
        await box.client.set_vacation(Vacation(on=True))


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
