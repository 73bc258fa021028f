"""Each of Gmail's operators on a small mailbox: what is found, and what is said of the rest."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from app.domain.ids import AccountId
from app.domain.mail.message import Address, Label, RemoteAttachment, RemoteMessage
from app.domain.protocol.queries import SearchNoteKind
from app.domain.record import replace
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.search.search import Search
from fakes.engine.store.values import ANA, ME, HandClock, remote

ZOE = Address("zoe@lodz.pl", "Zoë Łódzka")
DAYS = -60 * 24


def named(key: str, text: str, **more: object) -> RemoteMessage:
    """A mail in a conversation of its own."""
    return remote(key, f"t{key}", text=text, **more)  # type: ignore[arg-type]


def filed(mail: RemoteMessage, filename: str, mime_type: str) -> RemoteMessage:
    return replace(mail, attachments=(RemoteAttachment("2", filename, mime_type, 100),))


def headed(mail: RemoteMessage, size: int, *headers: tuple[str, str]) -> RemoteMessage:
    return replace(mail, size=size, headers=headers)


MAIL = (
    headed(
        named("a", "The invoice for the holiday house near the sea; a long vacation waits.", subject="Your invoice", minutes=0),
        2_000_000,
        ("List-Id", "R help <r-help.r-project.org>"),
        ("Delivered-To", "me+news@example.org"),
    ),
    named(
        "b",
        "Two invoices were filtered by the spam filters.",
        subject="Reminder",
        labels=("INBOX", "CATEGORY_UPDATES"),
        minutes=-10,
    ),
    named("c", "Zaplatil jsem fakturu za knihu.", subject="Platba", labels=("Label_1",), sender=ZOE, minutes=-20),
    named("d", "Die Rechnungen liegen in der Straße 7.", subject="Rechnung", labels=("UNREAD", "IMPORTANT"), minutes=-30),
    named("e", "Send me an e-mail or call 777 123 456; it costs 1,234.56.", subject="Co-operation", minutes=-40),
    named("f", "许多机会叩门。東京タワー", subject="会议", minutes=-50),
    named("g", "my own answer", sender=ME, to=(ZOE,), labels=("SENT", "STARRED"), minutes=-60),
    filed(named("h", "see the file", subject="Scan", minutes=DAYS * 20), "Dílo_2026", "application/pdf"),
    filed(named("i", "packed", subject="Archive", labels=(), minutes=DAYS * 40), "mypdfs.zip", "application/zip"),
    named("j", "win money", labels=("SPAM",), minutes=-70),
    named("k", "old news", labels=("TRASH",), minutes=-80),
    named("l", f"{'padding words here. ' * 3000} needleword", subject="Long", labels=(), minutes=DAYS * 400),
    named(
        "m",
        "look at https://docs.google.com/document/d/1 and www.youtube.com/watch",
        labels=("CATEGORY_SOCIAL",),
        minutes=DAYS * 2,
    ),
    named("n", "oeuvre of Đorđe Søren, the ﬁnance ﬂow", cc=(ME,), to=(ANA,), labels=(), minutes=DAYS * 3),
)
LABELS = (Label("Label_1", "Účty/2026", "user"),)
ALL = "abcdefgmnhil"
"""Outside spam and trash, newest first."""


def but(keys: str) -> str:
    return "".join(one for one in ALL if one not in keys)


def filled(db: Database, account: AccountId) -> None:
    Messages(db).apply(account, SyncPage(messages=MAIL, labels=LABELS))
    thread = db.read("SELECT thread_id, account_id FROM messages WHERE gmail_id = 'e'")[0]
    with db.transaction() as connection:
        sql = "INSERT INTO snoozes (thread_id, account_id, until, message_ids, action) VALUES (?, ?, 1, '', '')"
        connection.execute(sql, tuple(thread))
        connection.execute("INSERT INTO muted SELECT thread_id, account_id, '' FROM messages WHERE gmail_id = 'b'")


@pytest.fixture
def search(db: Database, account: AccountId, clock: HandClock) -> Iterator[Search]:
    filled(db, account)
    clock.pass_s(3600)
    with closing(Search(db, clock)) as opened:
        yield opened


@pytest.fixture(scope="module")
def read_only(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, Search]]:
    """One store for all rows that only search."""
    clock = HandClock()
    with closing(Database.open(tmp_path_factory.mktemp("operators") / "mail.db")) as db:
        filled(db, Accounts(db).add(ME.email, "Me", (ME.email, "sales@example.org"), "<p>Me</p>", "#336699"))
        clock.pass_s(3600)
        with closing(Search(db, clock)) as opened:
            yield db, opened


def keys(db: Database, search: Search, line: str) -> str:
    found = search.find(line, 99).mails
    of = Messages(db).many([one.message_id for one in found])
    return "".join(of[one.message_id].gmail_id for one in found)


BASE = [
    # people
    ("from:me", "g"), ("to:me", but("g")), ("cc:me", "n"), ("bcc:me", ""), ("-from:me", but("g")), ("from:(me OR zoe)", "cg"),
    ("from:zoe@lodz.pl", "c"), ("from:lodzka", "c"), ("from:Łódzka", "c"), ("from:lodz.pl", "c"), ("to:zoe", "g"), ("cc:ana", ""),
    ("to:ana", "n"), ("from:nobody", ""),
    # words
    ("invoice", "ab"), ("invoices", "ab"), ("+invoice", "a"), ('"invoices"', "b"), ("filter", "b"), ("filtering", "b"),
    ("faktura", "c"), ("fakturou", "c"), ("kniha", "c"), ("rechnung", "d"), ("Rechnungen", "d"), ('"rechnung"', "d"),
    ("strasse", "d"), ("straße", "d"), ("STRASSE", "d"),
    ("email", "e"), ("e-mail", "e"), ("cooperation", "e"), ("co-operation", "e"),
    ("777123456", "e"), ("777 123 456", "e"), ("1234.56", "e"), ("1,234.56", "e"), ("机会", "f"), ("会叩", "f"), ("会", "f"),
    ("东京", ""), ("東京", "f"), ("タワー", "f"), ("会议", "f"), ("œuvre", "n"), ("oeuvre", "n"), ("dorde", "n"), ("soren", "n"),
    ("finance", "n"), ("flow", "n"), ("lodz", "cg"), ("needleword", "l"), ("paddi*", "l"), ("padd*", "l"), ("!!!", ALL),
    ("-invoice", but("ab")), ("the -invoice", "nh"), ('"spam filters"', "b"),
    ('"filters spam"', ""), ("mypdfs", "i"), ("dilo", "h"),
    # subject
    ("subject:invoice", "a"), ("subject:(your invoice)", "a"), ('subject:"your invoice"', "a"), ("subject:reminders", "b"),
    ("-subject:invoice", but("a")), ("subject:(invoice OR reminder)", "ab"), ("subject:{invoice reminder}", "ab"),
    # joining
    ("invoice OR faktura", "abc"), ("invoice | faktura", "abc"), ("{invoice faktura}", "abc"), ("invoice AND holiday", "a"),
    ("(invoice holiday) OR faktura", "ac"), ("invoice OR", "ab"), ("OR invoice", "ab"), ("invoice OR OR faktura", "abc"),
    ("(invoice", "ab"), ("invoice)", "ab"), ('"spam filters', "b"), ("-(invoice OR faktura)", but("abc")),
    ("holiday AROUND 10 vacation", "a"), ("holiday AROUND 2 vacation", ""),
    ("vacation AROUND(10) holiday", "a"), ("holiday AROUND 9", "a"),
    # places
    ("in:inbox", "abefh"), ("in:sent", "g"), ("in:spam", "j"), ("in:trash", "k"), ("in:anywhere", "abcdefgjkmnhil"),
    ("in:all", "abcdefgjkmnhil"), ("in:drafts", ""), ("in:archive", "cdmnil"), ("in:snoozed", "e"), ("is:snoozed", "e"),
    ("is:muted", "b"),
    ("-in:snoozed", but("e")), ("-in:spam", "abcdefgkmnhil"),
    ("label:ucty-2026", ""), ("label:účty-2026", "c"), ("label:Účty/2026", "c"),
    ("label:nothing", ""), ("in:ÚČTY-2026", "c"), ("label:inbox", "abefh"),
    ("is:unread", "adefh"), ("is:read", but("adefh")), ("is:starred", "g"), ("is:important", "d"), ("-is:starred", but("g")),
    ("has:userlabels", "c"), ("has:nouserlabels", but("c")), ("has:attachment", "hi"), ("-has:attachment", but("hi")),
    ("has:document", "m"), ("has:drive", "m"), ("has:youtube", "m"), ("has:spreadsheet", ""), ("has:presentation", ""),
    ("category:updates", "b"), ("category:social", "m"),
    ("category:primary", ""), ("category:promotions", ""), ("category:forums", ""),
    ("-category:updates", but("b")), ("is:UNREAD", "adefh"), ("IS:unread", "adefh"), ("In:Sent", "g"),
    # files
    ("filename:pdf", "h"), ("filename:PDF", "h"), ("filename:.pdf", "h"),
    ("filename:zip", "i"), ("filename:dilo", "h"), ("filename:DÍLO", "h"),
    ("filename:2026", "h"), ("filename:pdfs", "i"),
    ("filename:docx", ""), ("filename:(dilo OR mypdfs)", "hi"), ("filename:mypdfs.zip", "i"),
    # headers and sizes
    ("list:r-help.r-project.org", "a"), ("list:r-help", "a"),
    ("list:r-help@r-project.org", "a"), ("list:other", ""), ("deliveredto:me+news@example.org", "a"),
    ("deliveredto:ME+NEWS@example.org", "a"), ("deliveredto:nobody", ""),
    ("larger:1M", "a"), ("size:1000000", "a"), ("larger:10M", ""),
    ("smaller:1M", but("a")), ("larger:1000K", "a"), ("smaller:5G", ALL), ("larger:1mb", "a"),
    # dates
    ("newer_than:1d", "abcdefg"), ("older_than:1y", "l"), ("older_than:1m", "il"), ("older_than:1m newer_than:1y", "i"),
    ("after:2026/03/09", "abcdefg"), ("after:2026-03-09", "abcdefg"),
    ("after:03/09/2026", "abcdefg"), ("after:3/9/2026", "abcdefg"),
    ("before:2026", "l"), ("before:2026/01", "l"),
    ("older:2026/02", "il"), ("newer:2026/03/09", "abcdefg"), ("after:2026.03.09", "abcdefg"),
    ("before:01/01/2026", "l"), ("after:2020", ALL), ("before:2020", ""),
    # accounts
    ("account:me@example.org", ALL), ("account:nobody@example.org", ""), ("-account:me@example.org", ""),
    # together
    ("from:zoe faktura label:účty-2026", "c"), ("in:inbox -from:me is:read", "b"), ("has:attachment filename:zip", "i"),
    ("invoice newer_than:1d -subject:reminder", "a"), ("{from:me from:zoe} -faktura", "g"),
    ("in:spam money", "j"), ("in:anywhere news", "k"),
    ("-in:inbox -in:sent has:attachment", "i"), ("(from:zoe OR is:unread) -rechnung", "acefh"), ("in:trash OR in:spam", "jk"),
    # what is no operator is text, or left out with a note
    ("re: invoice", ""), ("Re: reminder", ""), ("https://docs.google.com/document/d/1", "m"), ("colour:red invoice", "ab"),
    ("is:purple invoice", "ab"), ("has:cheese invoice", "ab"), ("before:yesterday invoice", "ab"), ("larger:big invoice", "ab"),
    ("category:cats invoice", "ab"), ("older_than:1w invoice", "ab"),
    ("before:2026/13/01 invoice", "ab"), ("is:muted invoice", "b"),
    ("has:yellow-star invoice", "ab"), ("from: zoe", "c"), ("from:", ALL),
    ("subject: is:unread", "adefh"), ("- invoice", "ab"), ("--invoice", "ab"),
]  # fmt: skip
ROWS = [
    *BASE,
    *((f"-({line})", but(found)) for line, found in BASE if line.startswith(("from", "has", "filename", "subject", "is:read"))),
]


def test_there_are_enough_rows() -> None:
    assert len(ROWS) >= 200


@pytest.mark.parametrize(("line", "found"), [row for row in ROWS if row[0] not in ("-(from:)", "-(subject: is:unread)")])
def test_operator(read_only: tuple[Database, Search], line: str, found: str) -> None:
    assert keys(*read_only, line) == found


@pytest.mark.parametrize(
    ("line", "kind", "text"),
    [
        ("colour:red", SearchNoteKind.UNKNOWN_OPERATOR, "colour:"),
        ("is:purple invoice", SearchNoteKind.UNKNOWN_VALUE, "is:purple"),
        ("has:yellow-star", SearchNoteKind.UNKNOWN_VALUE, "has:yellow-star"),
        ("before:2026/13/01", SearchNoteKind.UNKNOWN_VALUE, "before:2026/13/01"),
        ("larger:big", SearchNoteKind.UNKNOWN_VALUE, "larger:big"),
        ("a" * 1001, SearchNoteKind.TOO_LONG, ""),
        ("(" * 40, SearchNoteKind.TOO_DEEP, ""),
    ],
)
def test_what_is_left_out_is_said(search: Search, line: str, kind: SearchNoteKind, text: str) -> None:
    found = search.find(line, 9)
    assert [(one.kind, one.text) for one in found.notes] == [(kind, text)]
    assert bool(found.mails) is ("invoice" in line), "not all mail, which a key could move to the trash"


@pytest.mark.parametrize(
    "line", ["invoice has:attachment", "is:unread rechnung", "before:2026/03/31", "larger:10M", "linux OR invoice"]
)
def test_nothing_is_said_of_what_is_still_typed(search: Search, line: str) -> None:
    for end in range(1, len(line) + 1):
        assert search.find(line[:end], 9, typing=True).notes == ()


def test_a_likelier_word_is_suggested(db: Database, search: Search) -> None:
    other = Accounts(db).add("other@example.org", "", (), "", "")
    Messages(db).apply(other, SyncPage(messages=tuple(remote(f"o{at}", text="the battery is empty") for at in range(12))))
    assert search.suggestion("batery") == "battery"
    assert search.suggestion("from:zoe batttery") == "from:zoe battery"
    assert search.suggestion("battery") == ""
    assert search.suggestion('"batery"') == ""
