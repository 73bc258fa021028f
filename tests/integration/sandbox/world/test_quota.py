"""Quota: units in a sliding minute, per user, per inner request, and the counters."""

import pytest

from fakes.gmail.google_client import Box, mail, refusal


@pytest.mark.parametrize(
    ("refused_with", "code", "reason"),
    [("403", 403, "rateLimitExceeded"), ("403-user", 403, "userRateLimitExceeded"), ("429", 429, "rateLimitExceeded")],
)
def test_refusals_as_google_words_them(solo_box: Box, refused_with: str, code: int, reason: str) -> None:
    message_id = solo_box.deliver(mail())["id"]
    solo_box.sandbox.set_quota(units_a_minute=45, refusal=refused_with, retry_after=True)
    solo_box.get(message_id)
    solo_box.get(message_id)
    assert refusal(lambda: solo_box.get(message_id)) == (code, reason)
    solo_box.sandbox.clock.advance(61)
    assert solo_box.get(message_id)["id"] == message_id


def test_inner_requests_are_charged_one_by_one(solo_box: Box) -> None:
    ids = [solo_box.deliver(mail())["id"] for _ in range(5)]
    solo_box.sandbox.admin.call("DELETE", "counters")
    solo_box.sandbox.set_quota(units_a_minute=60)
    failed = []
    batch = solo_box.gmail.new_batch_http_request(callback=lambda number, _, error: error and failed.append(number))
    for message_id in ids:
        batch.add(solo_box.messages.get(userId="me", id=message_id))
    batch.execute()
    assert failed == ["4", "5"]
    counters = solo_box.sandbox.counters()
    assert counters["methods"] == {"gmail.users.messages.get": 3}
    assert (counters["units"], counters["requests"], counters["refused"]) == (60, 5, 2)
