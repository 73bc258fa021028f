"""Answers with other numbers than there are, and history ids of any size, through the Google client.

Lists that answer anything, through the Google client.
"""

import pytest

from fakes.gmail.google_client import Box, mail
from fakes.gmail.sandbox import AdminError


def test_history_goes_on_beyond_any_id(solo_box: Box) -> None:
    start = solo_box.profile()["historyId"]
    for after in (2**63 - 10, 2**64 - 1000):
        solo_box.sandbox.move_history(after, solo_box.address)
        told = solo_box.deliver(mail(str(after)))["id"]
        page = solo_box.history(start)
        assert int(page["historyId"]) > after
        assert page["history"][-1]["messagesAdded"][0]["message"]["id"] == told
        start = page["historyId"]
    for given in (5, 2**64):
        with pytest.raises(AdminError):
            solo_box.sandbox.move_history(given, solo_box.address)


THREE = 3


def test_a_list_answers_what_it_was_told_to_until_it_is_honest_again(solo_box: Box) -> None:
    wanted, *others = [solo_box.draft(mail(f"draft {number}", To="x@y.example"))["id"] for number in range(THREE)]
    search = solo_box.drafts.list(userId="me", q="subject:0")
    newest = solo_box.drafts.list(userId="me")
    solo_box.sandbox.set_habits(search_answers=["wrong", "right", "right", "ghosts", "nameless"], list_answers=[])
    told = [one.get("id") for one in search.execute()["drafts"]]
    assert told[:4] == [*others[::-1], wanted, wanted]
    assert len([one for one in told[4:] if one]) == 2 and None in told
    assert "drafts" not in newest.execute()
    solo_box.sandbox.set_habits()
    assert [one["id"] for one in search.execute()["drafts"]] == [wanted]
    assert len(newest.execute()["drafts"]) == THREE
