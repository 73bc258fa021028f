"""Search finds what a plain reading of the mail finds, and no line breaks it."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.errors import ExpectedError, NotAllowed
from app.domain.ids import AccountId, GmailId, ThreadId
from app.domain.mail.message import Address, Label, RemoteMessage
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.search.matching import label_key
from app.store.search.query_tree import (
    AllOf,
    AnyOf,
    DateCondition,
    Filename,
    HasAttachment,
    HasLabel,
    Not,
    Phrase,
    SearchExpression,
)
from app.store.search.search import Search
from fakes.engine.store.values import ANA, ME, NOON, HandClock, remote

BEN = Address("ben.k@b.org", "Ben Král")
MAIL = (
    remote("a", "t1", text="The red fox waits.", subject="Žluťoučký kůň", minutes=0),
    remote("b", "t1", text="A blue whale, a red fox?", sender=BEN, cc=(ANA,), labels=("INBOX",), minutes=10),
    remote("c", "t2", text="Invoice 2026-17", subject="red invoice", files=("Invoice_17.PDF",), labels=("Label_1",), minutes=20),
    remote("d", "t3", text="fox red", sender=ME, to=(BEN,), labels=("SENT", "STARRED"), minutes=-60 * 24 * 10),
    remote("e", "t4", text="red spam fox", labels=("SPAM", "UNREAD"), minutes=30),
    remote("f", "t5", text="", subject="", labels=("TRASH", "INBOX"), files=("100%_a.txt",), minutes=40),
    remote("g", "t6", text="foxes and redder things", labels=("INBOX", "IMPORTANT", "Label_2"), minutes=-60 * 24 * 400),
)
LABELS = (Label("Label_1", "My Work/2026", "user"), Label("Label_2", "Ærø", "user"))


@pytest.fixture
def search(db: Database, account: AccountId, clock: HandClock) -> Iterator[Search]:
    """The mail above, searched an hour after noon."""
    Messages(db).apply(account, SyncPage(messages=MAIL, labels=LABELS))
    clock.pass_s(3600)
    with closing(Search(db, clock)) as opened:
        yield opened


def keys(db: Database, search: Search, query: SearchExpression | str) -> str:
    """The messages found, newest first, by their Gmail ids."""
    found = Messages(db).many(ids := search.message_ids(query))
    return "".join(found[one].gmail_id for one in ids)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("", "cbadg"),
        ("red", "cbad"),
        ("red fox", "bad"),
        ('"red fox"', "ba"),
        ("fox*", "badg"),
        ("invoice OR whale", "cb"),
        ("red -fox", "c"),
        ("zlutoucky KUN", "a"),
        ("žluťoučký", "a"),
        ("from:ana@partner.org", "cag"),
        ("from:novak", "cag"),
        ("to:me@example.org", "cbag"),
        ("to:ana", "b"),
        ("cc:ana", "b"),
        ("bcc:ana", ""),
        ("subject:invoice", "c"),
        ("subject:(red invoice)", "c"),
        ("from:(ben OR me)", "bd"),
        ("is:unread", "a"),
        ("is:read", "cbdg"),
        ("is:starred", "d"),
        ("in:sent", "d"),
        ("in:inbox -is:important", "ba"),
        ("label:my-work-2026", "c"),
        ("label:(my-work-2026 OR ærø)", "cg"),
        ("label:Label_1", ""),
        ("label:nothing", ""),
        ("in:spam", "e"),
        ("in:trash", "f"),
        ("in:anywhere fox*", "ebadg"),
        ("-in:spam", "fcbadg"),
        ("has:attachment", "c"),
        ("in:anywhere has:attachment", "fc"),
        ("filename:pdf", "c"),
        ("filename:100%", ""),
        ("in:trash filename:100%", "f"),
        ("in:trash filename:0_a", ""),
        ("newer_than:7d", "cba"),
        ("older_than:1y", "g"),
        ("older_than:7d newer_than:1y", "d"),
        ("after:1773144600", "cb"),
        ("before:1773144600", "adg"),
        ("before:2025/12/31", "g"),
        ("!!!", "cbadg"),
        ('red "!"', "cbad"),
        ('he"llo', ""),
    ],
)
def test_operators(db: Database, search: Search, line: str, found: str) -> None:
    """Each operator on the small mailbox."""
    assert keys(db, search, line) == found


def gmail_ids(db: Database, threads: Sequence[ThreadId]) -> list[str]:
    """Google's ids of threads."""
    return [str(db.read("SELECT gmail_thread_id FROM threads WHERE id = ?", (one,))[0][0]) for one in threads]


def test_threads_newest_match_first(db: Database, search: Search) -> None:
    """A thread stands where its newest match stands, once."""
    threads = search.thread_ids("red")
    names = gmail_ids(db, threads)
    assert names == ["t2", "t1", "t3"]
    assert search.thread_ids("red", limit=2) == threads[:2]


def test_the_most_relevant_stand_above_the_newest(db: Database, search: Search) -> None:
    """A subject says more than a text; a short list stays newest first."""
    assert search.find("red", 9).best == 0
    texts = [
        remote(f"n{at}", f"n{at}", subject="Note", text="a red thing " + "among others " * 30, minutes=at) for at in range(20)
    ]
    Messages(db).apply(AccountId(1), SyncPage(messages=(*texts, remote("h", "t7", subject="red red", text="red", minutes=-99))))
    found = search.find("red", 9)
    assert found.best == 3
    assert gmail_ids(db, [one.thread_id for one in found.mails])[0] == "t7"
    assert (found.more, found.total) == (True, 24)
    first = search.find("red", 30, best_first=True)
    assert {one.thread_id for one in first.mails} == set(search.thread_ids("red"))
    assert gmail_ids(db, [first.mails[0].thread_id]) == ["t7"]
    assert [one.thread_id for one in search.find("is:unread", 99).mails] == search.thread_ids("is:unread")


def test_a_date_that_no_calendar_has(search: Search) -> None:
    """The shape was right, the date is not."""
    with pytest.raises(NotAllowed, match="no date"):
        search.thread_ids("before:2026/13/01")


def test_changes_are_seen_at_once(db: Database, search: Search) -> None:
    """Labels and deletions count in the next search."""
    Messages(db).apply(AccountId(1), SyncPage(delete=(GmailId("a"),), add_labels=((GmailId("b"), frozenset({"STARRED"})),)))
    assert keys(db, search, "is:starred") == "bd"
    assert keys(db, search, "red fox") == "bd"


def test_accounts_have_their_own_labels(db: Database, search: Search) -> None:
    """The same label id in another account is another label."""
    other = Accounts(db).add("other@example.org", "Other", (), "", "")
    page = SyncPage(messages=(remote("x", labels=("Label_1",), minutes=50),), labels=(Label("Label_1", "Private", "user"),))
    Messages(db).apply(other, page)
    assert keys(db, search, "label:private") == "x"
    assert keys(db, search, "label:my-work-2026") == "c"


def test_accounts_are_told_apart(db: Database, search: Search) -> None:
    """By the whole address, or by a piece of it."""
    other = Accounts(db).add("my_other@example.org", "Other", (), "", "")
    Accounts(db).add("not.my_other@example.org", "Third", (), "", "")
    Messages(db).apply(other, SyncPage(messages=(remote("x", labels=("INBOX",), minutes=50),)))
    assert keys(db, search, "account:MY_other@example.org") == "x"
    assert keys(db, search, "account:other in:inbox") == "x"
    assert keys(db, search, "account:my%other") == ""
    assert "x" not in keys(db, search, "-account:my_other@example.org")
    assert keys(db, search, "account:nobody@example.org") == ""


def test_a_search_can_be_stopped(search: Search) -> None:
    """`interrupt` in the middle of a query ends it with a clear word; the next one works."""

    def in_the_middle() -> int:
        search.interrupt()
        return 0

    search._connection.set_progress_handler(in_the_middle, 5)
    with pytest.raises(NotAllowed, match="stopped"):
        search.thread_ids("red")
    search._connection.set_progress_handler(None, 0)
    assert len(search.thread_ids("red")) == 3


def tokens(text: str) -> list[str]:
    """Words without case and accents, as the index has them."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(one))
    return re.findall(r"[^\W_]+", plain)


def has_phrase(text: str, phrase: list[str], prefix: bool) -> bool:
    """Whether the words of `phrase` stand together in `text`."""
    words = tokens(text)
    for at in range(len(words) - len(phrase) + 1):
        found = words[at : at + len(phrase)]
        last = found[-1].startswith(phrase[-1]) if prefix else found[-1] == phrase[-1]
        if found[:-1] == phrase[:-1] and last:
            return True
    return False


def people(*addresses: Address) -> str:
    """Addresses as text."""
    return " , ".join(f"{one.email} {one.name}" for one in addresses)


def reads(expression: SearchExpression, mail: RemoteMessage) -> bool:
    """The expression on one message, read by the letter."""
    match expression:
        case Phrase(text, columns, prefix):
            texts = {
                "subject": mail.subject,
                "sender": people(mail.sender),
                "recipients": people(*mail.to),
                "copies": people(*mail.cc),
                "blind_copies": people(*mail.bcc),
                "body": mail.body_text,
            }
            phrase = tokens(text)
            return not phrase or any(has_phrase(texts[name], phrase, prefix) for name in columns or texts)
        case HasLabel(name):
            named = {label_key(one.name): one.gmail_label_id for one in LABELS}
            return not name or {"drafts": "DRAFT"}.get(label_key(name), named.get(label_key(name), name.upper())) in mail.labels
        case HasAttachment():
            return bool(mail.attachments)
        case Filename(text):
            return any(text.lower() in part.filename.lower() for part in mail.attachments)
        case DateCondition(operator, value):
            age = timedelta(days=int(value[:-1]) * {"d": 1, "m": 30, "y": 365}[value[-1]])
            return (mail.date >= NOON + timedelta(hours=1) - age) == (operator == "newer_than")
        case Not(inner):
            return not reads(inner, mail)
        case AllOf(parts):
            return all(reads(one, mail) for one in parts)
        case AnyOf(parts):
            return any(reads(one, mail) for one in parts)


def names_hidden(expression: SearchExpression) -> bool:
    """Whether spam, trash or anywhere occurs."""
    match expression:
        case HasLabel(name):
            return name in ("", "spam", "trash")
        case Not(inner):
            return names_hidden(inner)
        case AllOf(parts) | AnyOf(parts):
            return any(names_hidden(one) for one in parts)
        case _:
            return False


WORDS = st.builds(
    Phrase,
    st.sampled_from(
        ["red", "fox", "red fox", "ana", "ben", "b.org", "invoice", "kůň", "KUN", "2026-17", "!", "", "whale red", 'a"b']
    ),
    st.sampled_from([(), (), ("subject",), ("sender",), ("recipients", "copies", "blind_copies"), ("copies",)]),
    st.booleans(),
).filter(lambda words: not words.prefix or (len(tokens(words.text)) > 0 and words.text[-1].isalnum()))
FACTS = (
    st.sampled_from(["inbox", "unread", "spam", "trash", "", "sent", "drafts", "my-work/2026", "ærø", "none"]).map(HasLabel)
    | st.just(HasAttachment())
    | st.sampled_from(["pdf", "PDF", "_", "%", "17"]).map(Filename)
    | st.builds(DateCondition, st.sampled_from(["newer_than", "older_than"]), st.sampled_from(["1d", "20d", "1m", "2y"]))
)
EXPRESSIONS = st.recursive(
    WORDS | FACTS,
    lambda inner: (
        inner.map(Not)
        | st.lists(inner, max_size=3).map(lambda parts: AllOf(tuple(parts)))
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: AnyOf(tuple(parts)))
    ),
    max_leaves=6,
)
SYNTAX = st.sampled_from([*'*^a:-(){} "+\0', "NEAR(", "from:", "subject"])
SHARED = settings(max_examples=4 * settings.default.max_examples, suppress_health_check=[HealthCheck.function_scoped_fixture])


@SHARED
@given(expression=EXPRESSIONS)
def test_as_a_plain_reading_finds(db: Database, search: Search, expression: SearchExpression) -> None:
    """SQL and a naive evaluation agree on every expression."""
    open_to_all = names_hidden(expression)
    wanted = [mail for mail in MAIL if reads(expression, mail) and (open_to_all or not mail.labels & {"SPAM", "TRASH"})]
    ordered = sorted(wanted, key=lambda mail: mail.date, reverse=True)
    assert keys(db, search, expression) == "".join(one.gmail_id for one in ordered)


@SHARED
@given(
    line=st.text(st.characters(exclude_categories=()), max_size=30)
    | st.lists(
        st.sampled_from(['"', "*", "^", "NEAR(", "a", ":", "-", "(", ")", "from:", "{", "}", " ", "subject", "\0", "+"]),
        max_size=15,
    ).map("".join)
)
def test_no_line_breaks_the_search(search: Search, line: str) -> None:
    """Any text gives threads or a clear refusal; FTS5's own syntax never shines through."""
    try:
        search.thread_ids(line)
        search.find(line, 5, typing=True)
    except ExpectedError as error:
        assert isinstance(error, NotAllowed)


def test_bcc_is_searched(db: Database, search: Search) -> None:
    """The owner's own blind copies are found by `bcc:` and `to:`."""
    sent = replace(remote("z", sender=ME, to=(ANA,), labels=("SENT",), minutes=55), bcc=(Address("boss@c.org", "Boss"),))
    Messages(db).apply(AccountId(1), SyncPage(messages=(sent,)))
    assert keys(db, search, "bcc:boss") == keys(db, search, "to:boss") == "z"
