"""Rendered messages: the cache keeps what is fixed, and shows labels as they are now."""

import io
import json

import pytest

from app.sandbox.account import GoogleAccount, Identity
from app.sandbox.gmail.content import Content, EncodedCache
from app.sandbox.gmail.headers import Facts, facts_of
from app.sandbox.gmail.mailbox import Spool
from app.sandbox.world.world import build_world

RAW = b"Subject: Hi\nFrom: b@x.example\n\nwords\n"


@pytest.fixture
def account() -> GoogleAccount:
    return build_world([Identity("ann@x.example", "", primary=True)], [], "token", Spool(io.BytesIO())).owner


def test_the_oldest_unused_entry_goes_first() -> None:
    cache = EncodedCache(most_bytes=30)
    for name in ("a", "b", "c"):
        cache.put((name, "full"), b"0123456789")
    assert cache.get(("a", "full")) is not None
    cache.put(("d", "full"), b"0123456789")
    assert [cache.get((name, "full")) is not None for name in "abcd"] == [True, False, True, True]


def test_a_cached_message_shows_new_labels_and_history(account: GoogleAccount) -> None:
    row = account.mailbox.add(RAW, _facts(), {"INBOX"}, 1_000, None)
    first = json.loads(account.content.message(row))
    account.mailbox.relabel(row, {"STARRED"}, {"INBOX"})
    second = json.loads(account.content.message(row))
    assert (first["labelIds"], second["labelIds"]) == (["INBOX"], ["STARRED"])
    assert int(second["historyId"]) > int(first["historyId"])
    assert second["payload"] == first["payload"]


def test_formats_do_not_mix_in_the_cache(account: GoogleAccount) -> None:
    row = account.mailbox.add(RAW, _facts(), {"INBOX"}, 1_000, None)
    content = Content(account.mailbox)
    names = [header["name"] for header in json.loads(content.message(row, "metadata", ["From"]))["payload"]["headers"]]
    both = [header["name"] for header in json.loads(content.message(row, "metadata"))["payload"]["headers"]]
    assert (names, both) == (["From"], ["Subject", "From"])
    assert "payload" not in json.loads(content.message(row, "minimal"))
    assert "parts" not in json.loads(content.message(row, "full"))["payload"]


def _facts() -> Facts:
    return facts_of(RAW)
