"""What queries find, in one mailbox made for it."""

import io
from datetime import UTC, datetime

import pytest

from app.sandbox.account import GoogleAccount, Identity
from app.sandbox.clock import Clock
from app.sandbox.gmail.mailbox import Spool
from app.sandbox.gmail.search import ListQuery
from app.sandbox.google_api.errors import ApiError
from app.sandbox.world.world import SandboxState, build_world

NOW = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def world() -> SandboxState:
    world = build_world([Identity("ann@example.com", "Ann", primary=True)], [], "token", Spool(io.BytesIO()))
    world.clock.set(NOW.timestamp())
    world.clock.freeze(True)
    ann = world.owner
    ann.mailbox.labels.create({"name": "Big Customers"})
    _add(
        world,
        "bob",
        b"From: Bob Smith <bob@shop.example>\nTo: ann@example.com\nCc: carl@x.example\n",
        "Blue bike",
        1,
        "INBOX UNREAD",
    )
    _add(world, "carl", b"From: carl@x.example\nTo: ann@example.com\n", "Re: invoice 2026", 10, "INBOX STARRED Label_1")
    _add(world, "old", b"From: bob@shop.example\nTo: list@x.example\n", "Old bikes", 400, "CATEGORY_PROMOTIONS")
    _add(world, "mine", b"From: ann@example.com\nTo: bob@shop.example\n", "Re: Blue bike", 0, "SENT")
    _add(world, "spam", b"From: eve@bad.example\nTo: ann@example.com\n", "Win a bike", 2, "SPAM")
    return world


def _ms(days: int) -> int:
    return int((NOW.timestamp() - days * 86_400) * 1000)


def _add(world: SandboxState, name: str, head: bytes, subject: str, days: int, labels: str) -> None:
    raw = head + f"Subject: {subject}\nMessage-ID: <{name}@ids.example>\n\nThe {name} text, č. {days}\n".encode()
    world.office.arrive(world.owner, raw, set(labels.split()), _ms(days))


def _found(account: GoogleAccount, query: str) -> set[str]:
    rows = account.search.rows(ListQuery(query))
    return {row.facts.message_id.strip("<>").partition("@")[0] or "file" for row in rows}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", "bob carl old mine"),
        ("subject:bike", "bob old mine"),
        ("in:inbox", "bob carl"),
        ("in:sent", "mine"),
        ("in:spam", ""),
        ("in:anywhere subject:bike", "bob old mine spam"),
        ("is:unread", "bob"),
        ("is:starred", "carl"),
        ("label:big-customers", "carl"),
        ("-label:big-customers in:inbox", "bob"),
        ("-in:inbox -in:sent", "old"),
        ("newer_than:2d", "bob mine"),
        ("in:inbox newer_than:1y", "bob carl"),
        (f"after:{_ms(2) // 1000}", "bob mine"),
        ("smaller:1M in:inbox", "bob carl"),
        ("rfc822msgid:<carl@ids.example>", "carl"),
        ("rfc822msgid:carl@ids.example", "carl"),
        ("label:nonsense", ""),
    ],
)
def test_queries(world: SandboxState, query: str, names: str) -> None:
    assert _found(world.owner, query) == set(names.split())


def test_labels_and_lag(world: SandboxState) -> None:
    search = world.owner.search
    assert [row.facts.subject for row in search.rows(ListQuery("", ["INBOX", "STARRED"]))] == ["Re: invoice 2026"]
    search.lag_s = 5.0
    assert not list(search.rows(ListQuery("")))
    search.lag_s = 0.0


@pytest.mark.parametrize("query", ["word", "from:bob", "newer_than:nonsense", "{in:inbox in:sent}"])
def test_what_replyroom_does_not_ask_for_is_refused(world: SandboxState, query: str) -> None:
    with pytest.raises(ApiError):
        world.owner.search.accepts(ListQuery(query))


def test_clock_moves_only_when_told() -> None:
    clock = Clock()
    clock.freeze(True)
    clock.set(1_000.0)
    clock.advance(60)
    assert (clock.now_s(), clock.now_ms()) == (1_060.0, 1_060_000)
    clock.freeze(False)
    assert clock.now_s() >= 1_060.0
