"""What Gmail's answers say, in whatever order and spelling they come."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.mail.wire.answers import draft_marks, list_page, profile, thread_state


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


@pytest.mark.parametrize("name", ["Message_ID", "message_id", "X_Replyroom_Outbox", "X_REPLYROOM_OUTBOX"])
def test_a_draft_is_known_by_either_of_its_marks(name: str) -> None:
    """Google may give a mail another Message-ID; a mark that is overlooked would let it leave twice."""
    draft, marks = draft_marks(body(id="d1", message=message(1, **{name: " <mark@replyroom>  "})))
    assert draft.draft_id == "d1"
    assert "<mark@replyroom>" in marks


def test_addresses_are_compared_in_lower_case() -> None:
    assert profile(body(emailAddress="Me@Example.COM", historyId="7", messagesTotal=3)).email == "me@example.com"


def test_the_last_page_has_no_token() -> None:
    first = list_page(body(messages=[{"id": "m1", "threadId": "t"}], nextPageToken="more"))
    assert ([one.gmail_id for one in first.entries], first.next_page_token) == (["m1"], "more")
    assert list_page(body(resultSizeEstimate=0)).next_page_token == ""
