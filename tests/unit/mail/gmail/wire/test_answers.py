"""What Gmail's answers say, in whatever order and spelling they come."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import ServerError
from app.engine.outbox.mail_sender import carries
from app.mail.gmail.wire.answers import draft_ids, history_page, label_total, labels, list_page, profile, read_draft, thread_state
from app.mail.gmail.wire.calls import split_batch
from app.mail.gmail.wire.errors import HttpAnswer


def body(**fields: Any) -> bytes:
    """An answer."""
    return json.dumps(fields).encode()


def message(number: int, at_ms: int = 0, **headers: str) -> dict[str, Any]:
    """A message with headers, whose names have dashes for underscores."""
    named = [{"name": name.replace("_", "-"), "value": value} for name, value in headers.items()]
    return {"id": f"m{number}", "threadId": "t", "internalDate": str(at_ms), "payload": {"headers": named}}


@given(st.lists(st.integers(0, 10**13), max_size=8))
def test_a_thread_is_told_oldest_first_in_whatever_order_it_comes(moments_ms: list[int]) -> None:
    told = thread_state(body(messages=[message(number, at_ms) for number, at_ms in enumerate(moments_ms)]))
    assert [round(one.date.timestamp() * 1000) for one in told] == sorted(moments_ms)


MARK = "<mark@replyroom>"


@pytest.mark.parametrize("name", ["Message_ID", "message_id", "Message_Id ", "X_Replyroom_Outbox", "X_REPLYROOM_OUTBOX"])
@pytest.mark.parametrize("value", [MARK, f" {MARK}  ", f"\r\n\t{MARK}\r\n", "<mark\r\n @replyroom>"])
def test_a_draft_and_a_mail_are_known_by_either_of_their_marks(name: str, value: str) -> None:
    """Google may give a mail another Message-ID; a mark that is overlooked would let it leave twice."""
    told = message(1, **{name: value})
    draft = read_draft(body(id="d1", message=told))
    assert (draft.draft_id, draft.carries(MARK)) == ("d1", True)
    (mail,) = thread_state(body(messages=[told]))
    assert carries(mail, MARK)


@pytest.mark.parametrize(
    "value", ["", "<other@replyroom>", "mark@replyroom.org", "<Mark@replyroom>", "x<mark@replyroom", f"<other@x> {MARK}"]
)
def test_what_is_only_like_the_mark_is_none(value: str) -> None:
    told = message(1, Message_ID=value, X_Replyroom_Outbox=value, Subject=MARK, In_Reply_To=MARK, References=MARK)
    assert not read_draft(body(id="d1", message=told)).carries(MARK)
    (mail,) = thread_state(body(messages=[told]))
    assert not carries(mail, MARK)


def test_an_empty_mark_is_nobodys() -> None:
    assert not read_draft(body(id="d1", message=message(1))).carries("")
    (mail,) = thread_state(body(messages=[message(1)]))
    assert not carries(mail, "")


def test_a_list_of_drafts_names_each_once_and_none_without_an_id() -> None:
    listed = [{"id": "d1"}, {}, {"id": "", "message": {}}, {"id": "d2", "message": {"threadId": "t"}}, {"id": "d1"}]
    assert draft_ids(body(drafts=listed)) == ("d1", "d2")
    assert draft_ids(body(resultSizeEstimate=0)) == ()


def test_addresses_are_compared_in_lower_case() -> None:
    assert profile(body(emailAddress="Me@Example.COM", historyId="7", messagesTotal=3)).email == "me@example.com"


def test_the_last_page_has_no_token() -> None:
    first = list_page(body(messages=[{"id": "m1", "threadId": "t"}], nextPageToken="more"))
    assert ([one.gmail_id for one in first.entries], first.next_page_token) == (["m1"], "more")
    assert list_page(body(resultSizeEstimate=0)).next_page_token == ""


@pytest.mark.parametrize("told", [10**18, str(2**63 - 1), "-" + "9" * 30, "soon", 1.5, None], ids=str)
@pytest.mark.parametrize(("written", "place"), [("Tue, 03 Mar 2026 10:00:00 +0000", 1), ("some day", 2), ("", 2)])
def test_a_mail_of_no_possible_time_hides_no_other_and_is_not_hidden(told: object, written: str, place: int) -> None:
    """It counts by its own date, else as the newest: so it holds an answer that was written before anybody saw it."""
    honest = [message(number, at_ms, Date="x") for number, at_ms in ((1, 1772445600000), (2, 1772618400000))]
    odd = {**message(9, 0, Date=written), "internalDate": told}
    found = [one.gmail_id for one in thread_state(body(messages=[odd, *honest]))]
    assert found.index("m9") == place
    assert [one for one in found if one != "m9"] == ["m1", "m2"]


@pytest.mark.parametrize("told", [1, "1", 2**63, str(2**63), 2**64 - 1, str(2**64 - 1)], ids=str)
def test_a_history_id_has_64_bits(told: object) -> None:
    assert profile(body(emailAddress="me@x.example", historyId=told)).history_id == int(str(told))
    assert history_page(body(historyId=told)).history_id == int(str(told))


def test_the_records_of_a_history_keep_their_numbers() -> None:
    records = [{"id": told, "messagesAdded": [{"message": {"id": "m"}}]} for told in ("9", 7, None, "x")]
    assert [one.number for one in history_page(body(historyId="9", history=records)).changes] == [9, 7, 0, 0]


def test_a_label_without_a_name_hides_no_other() -> None:
    told = [
        {"id": "Label_1", "name": "Work", "type": "user", "color": {}},
        {"id": "Label_2"},
        {"id": "X", "name": None, "type": None},
    ]
    assert [(one.name, one.kind) for one in labels(body(labels=told))] == [("Work", "user"), ("Label_2", "user"), ("X", "user")]


NO_IDS = [0, -1, 2**64, "0", "-1", str(2**64), "9" * 400, 10**400, "", " 7", "7.0", 1.5, True, None, [7]]


@pytest.mark.parametrize("told", NO_IDS, ids=lambda one: repr(one)[:30])
def test_what_is_no_history_id_is_the_servers_trouble(told: object) -> None:
    for read in (profile, history_page):
        with pytest.raises(ServerError, match="history id"):
            read(body(emailAddress="me@x.example", historyId=told))


@given(st.none() | st.booleans() | st.integers(-(10**40), 10**40) | st.text() | st.lists(st.integers()))
def test_a_count_of_any_size_is_one_that_can_be_kept(told: object) -> None:
    counts = (
        profile(body(emailAddress="me@x.example", historyId="7", messagesTotal=told)).messages_total,
        label_total(body(messagesTotal=told)),
        list_page(body(resultSizeEstimate=told)).result_size_estimate,
    )
    assert all(0 <= one < 2**31 for one in counts)


def test_an_inner_answer_ends_where_its_length_says() -> None:
    head = b"--b1\r\nContent-ID: <response-i0>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
    whole = HttpAnswer(200, {"content-type": "multipart/mixed; boundary=b1"}, head + b"true and more\r\n--b1--\r\n")
    assert split_batch(whole)["i0"].body == b"true"


def test_a_part_without_a_status_or_a_name_is_left_out_and_the_others_count() -> None:
    parts = (
        b"Content-ID: <response-i0>\r\n\r\nno answer at all",
        b"Content-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\n\r\nwhose?",
        b"Content-ID: <response-i2>\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\ngone",
    )
    body = b"".join(b"--b1\r\n" + part + b"\r\n" for part in parts) + b"--b1--\r\n"
    found = split_batch(HttpAnswer(200, {"content-type": "multipart/mixed; boundary=b1"}, body))
    assert {key: (one.status, one.body.strip()) for key, one in found.items()} == {"i2": (404, b"gone")}
