"""What queries find, in one mailbox made for it.

The search language: what it means, and that nothing typed into it ever fails.
"""

import io
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sandbox.account import GoogleAccount, Identity
from app.sandbox.gmail.mailbox import Spool
from app.sandbox.gmail.search import ListQuery, has_words
from app.sandbox.world.world import SandboxState, build_world

NOW = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)
FILE = (
    b"From: Dana <dana@files.example>\nTo: ann@example.com\nSubject: Report\nContent-Type: multipart/mixed; boundary=b\n\n"
    b"--b\n\nsee the file\n--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=Budget.PDF\n\nx\n--b--\n"
)


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
    world.office.arrive(ann, FILE, {"INBOX"}, _ms(3))
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
        ("", "bob carl old mine file"),
        ("from:bob", "bob old"),
        ("from:bob@shop.example", "bob old"),
        ("from:shop.example", "bob old"),
        ("from:smith", "bob"),
        ("from:smit", ""),
        ("to:carl@x.example", "bob"),
        ("cc:carl", "bob"),
        ("subject:bike", "bob mine"),
        ("subject:(blue bike)", "bob mine"),
        ('subject:"bike blue"', ""),
        ("bike", "bob mine"),
        ("text", "bob carl old mine"),
        ('"bob text"', "bob"),
        ("in:inbox", "bob carl file"),
        ("in:sent", "mine"),
        ("in:spam", "spam"),
        ("in:anywhere bike", "bob mine spam"),
        ("is:unread", "bob"),
        ("is:read in:inbox", "carl file"),
        ("is:starred", "carl"),
        ("label:big-customers", "carl"),
        ('label:"Big Customers"', "carl"),
        ("has:userlabels", "carl"),
        ("category:promotions", "old"),
        ("-in:inbox -in:sent", "old"),
        ("has:attachment", "file"),
        ("filename:pdf", "file"),
        ("filename:budget.pdf", "file"),
        ("filename:docx", ""),
        ("newer_than:2d", "bob mine"),
        ("older_than:1y", "old"),
        ("newer_than:nonsense", ""),
        ("after:2026/03/04 before:2026/03/12", "carl file"),
        ("after:2026-03-04 before:2026-03-12 -has:attachment", "carl"),
        (f"after:{_ms(2) // 1000}", "bob mine"),
        ("after:2026/02/31", ""),
        ("larger:200", "file"),
        ("smaller:1K larger:200", "file"),
        ("larger:1M", ""),
        ("rfc822msgid:<carl@ids.example>", "carl"),
        ("rfc822msgid:carl@ids.example", "carl"),
        ("rfc822msgid:", ""),
        ("{from:carl subject:old}", "carl old"),
        ("from:carl OR subject:old", "carl old"),
        ("from:bob (subject:blue OR subject:invoice)", "bob"),
        ("-from:bob in:inbox", "carl file"),
        ("-{from:bob from:carl} in:inbox", "file"),
        ("č", "bob carl old mine"),
        ("invoice 2026", "carl"),
        ("label:nonsense", ""),
        ("subject:(blue OR invoice)", "bob carl mine"),
        ("subject:{blue invoice}", "bob carl mine"),
        ("-(from:bob subject:blue) in:inbox", "carl file"),
        ("AND from:bob AND subject:blue", "bob"),
        ("http://example.com", ""),
    ],
)
def test_queries(world: SandboxState, query: str, names: str) -> None:
    assert _found(world.owner, query) == set(names.split())


def test_words_are_whole_and_in_order() -> None:
    assert has_words("Żółta łódź płynie", "żółta ŁÓDŹ")
    assert not has_words("bikes", "bike")
    assert not has_words("a b", "b a")
    assert not has_words("anything", "...")


@given(st.one_of(st.text(max_size=60), st.text(alphabet='(){}-"OR :ab', max_size=400)))
def test_anything_can_be_typed(world: SandboxState, text: str) -> None:
    list(world.owner.search.rows(ListQuery(text)))
