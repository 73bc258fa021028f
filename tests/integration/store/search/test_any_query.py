"""Any search of Gmail's operators finds what a naive matcher finds, which reads every mail and knows no index."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.mail.message import Address, Label, RemoteAttachment, RemoteMessage
from app.domain.record import replace
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.search.search import Search
from fakes.engine.store.values import HandClock, remote

T = TypeVar("T")
WORDS = ("zebra", "quilt", "mango", "cobalt", "ferry", "sonnet")
"""No two are forms of one word."""
PEOPLE = (Address("ada@north.example", "Ada Quartz"), Address("bo@south.example", "Bo Velvet"), Address("me@home.example", "Me"))
FILES = (("", ""), ("plan.pdf", "application/pdf"), ("mango-list.zip", "application/zip"), ("scan", "application/pdf"))
LABELS = ("INBOX", "UNREAD", "STARRED", "SPAM", "TRASH", "SENT", "Label_1", "CATEGORY_SOCIAL")
NAMES = {"label:work-2026": "Label_1", "is:starred": "STARRED", "is:unread": "UNREAD", "in:sent": "SENT", "in:inbox": "INBOX",
         "category:social": "CATEGORY_SOCIAL"}  # fmt: skip
SIZES = (900, 1024, 5000, 200_000)
LISTS = ("", "Riders <riders.club.example>")


def mail(number: int) -> RemoteMessage:
    """A mail whose parts differ with its number."""

    def pick(items: Sequence[T], step: int) -> T:
        return items[(number * step) % len(items)]

    words = [WORDS[(number * 5 + at * at) % len(WORDS)] for at in range(number % 6 + 1)]
    made = remote(f"m{number}", f"t{number}", text=" ".join(words), subject=f"{pick(WORDS, 3)} {pick(WORDS, 7)}",
                  sender=pick(PEOPLE, 1), to=(pick(PEOPLE, 2),), minutes=-60 * 24 * 3 * number)  # fmt: skip
    name, kind = pick(FILES, 3)
    headers = (("List-Id", pick(LISTS, 1)), ("Delivered-To", pick(("", "me+x@home.example"), 1)))
    return replace(
        made,
        cc=(PEOPLE[0],) if number % 5 == 0 else (),
        labels=frozenset(one for at, one in enumerate(LABELS) if (number >> (at % 5)) % (at + 2) == 0),
        attachments=(RemoteAttachment("2", name, kind, 10),) if name else (),
        size=pick(SIZES, 1),
        rfc822_id=f"<{number}@id.example>",
        headers=tuple(pair for pair in headers if pair[1]),
    )


MAIL = tuple(map(mail, range(48)))


@dataclass(frozen=True)
class Query:
    """A search as typed, what it means, and whether it names spam, trash or anywhere."""

    text: str
    holds: Callable[[RemoteMessage], bool]
    hidden: bool = False


def tokens(text: str) -> list[str]:
    return "".join(one if one.isalnum() else " " for one in text.lower()).split()


def columns(one: RemoteMessage) -> dict[str, list[list[str]]]:

    def people(all_: Sequence[Address]) -> list[list[str]]:
        return [tokens(f"{each.email} {each.name}") for each in all_]

    return {
        "subject": [tokens(one.subject)],
        "from": people((one.sender,)),
        "to": people((*one.to, *one.cc)),
        "cc": people(one.cc),
        "body": [tokens(one.body_text)],
        "files": [tokens(each.filename) for each in one.attachments],
    }


def has(one: RemoteMessage, phrase: str, where: str = "", prefix: bool = False) -> bool:
    wanted = tokens(phrase)
    places = columns(one)
    for words in (each for name, all_ in places.items() if where in ("", name) for each in all_):
        for at in range(len(words) - len(wanted) + 1):
            piece = words[at : at + len(wanted)]
            last = piece[-1].startswith(wanted[-1]) if prefix else piece[-1] == wanted[-1]
            if piece[:-1] == wanted[:-1] and last:
                return True
    return False


def near(one: RemoteMessage, first: str, second: str, most: int) -> bool:
    for words in (each for all_ in columns(one).values() for each in all_):
        places = [(at, other) for at, a in enumerate(words) for other, b in enumerate(words) if a == first and b == second]
        if any(at != other and abs(at - other) - 1 <= most for at, other in places):
            return True
    return False


words = st.sampled_from(WORDS)
ages = st.integers(0, 160)


def term(text: str, holds: Callable[[RemoteMessage], bool], hidden: bool = False) -> st.SearchStrategy[Query]:
    return st.just(Query(text, holds, hidden))


def terms(clock: HandClock) -> st.SearchStrategy[Query]:
    """Every operator that does not join others."""
    zone = clock().astimezone().tzinfo

    def dated(days: int, operator: str, shape: str) -> Query:
        day = (clock().astimezone() - timedelta(days=days)).replace(hour=0, minute=0, second=0, microsecond=0)
        day = datetime(day.year, day.month, day.day, tzinfo=zone)
        later = operator in ("after", "newer")
        return Query(f"{operator}:{day.strftime(shape)}", lambda one: (one.date >= day) is later)

    def aged(days: int, operator: str) -> Query:
        limit = clock() - timedelta(days=days)
        return Query(f"{operator}:{days}d", lambda one: (one.date >= limit) is (operator == "newer_than"))

    sizes = st.tuples(st.sampled_from(("larger", "size", "smaller")), st.sampled_from((*SIZES, 1023, 4999)))
    return st.one_of(
        words.map(lambda word: Query(word, lambda one: has(one, word))),
        words.map(lambda word: Query(f"+{word}", lambda one: has(one, word))),
        st.tuples(words, words).map(lambda two: Query(f'"{" ".join(two)}"', lambda one: has(one, " ".join(two)))),
        words.map(lambda word: Query(f"{word[:4]}*", lambda one: has(one, word[:4], prefix=True))),
        st.tuples(words, words, st.integers(0, 3))
        .filter(lambda three: three[0] != three[1])
        .map(lambda three: Query(f"{three[0]} AROUND {three[2]} {three[1]}", lambda one: near(one, *three))),
        st.tuples(
            st.sampled_from(("subject", "from", "to", "cc")), st.sampled_from((*WORDS, "ada", "velvet", "bo@south.example"))
        ).map(lambda two: Query(f"{two[0]}:{two[1]}", lambda one: has(one, two[1], two[0]))),
        st.sampled_from(sorted(NAMES)).map(lambda name: Query(name, lambda one: NAMES[name] in one.labels)),
        term("is:read", lambda one: "UNREAD" not in one.labels),
        term("has:attachment", lambda one: bool(one.attachments)),
        term("has:userlabels", lambda one: "Label_1" in one.labels),
        term("has:nouserlabels", lambda one: "Label_1" not in one.labels),
        term("in:anywhere", lambda _one: True, hidden=True),
        term("in:spam", lambda one: "SPAM" in one.labels, hidden=True),
        term("in:trash", lambda one: "TRASH" in one.labels, hidden=True),
        term("in:archive", lambda one: not one.labels & {"INBOX", "SENT", "DRAFT", "SPAM", "TRASH"}),
        term("from:me", lambda one: one.sender == PEOPLE[2]),
        term("filename:pdf", lambda one: any(each.mime_type == "application/pdf" for each in one.attachments)),
        term("filename:mango", lambda one: any("mango" in each.filename for each in one.attachments)),
        term("list:riders", lambda one: any(name == "List-Id" for name, _ in one.headers)),
        term("deliveredto:me+x", lambda one: any(name == "Delivered-To" for name, _ in one.headers)),
        st.integers(0, 50).map(
            lambda at: Query(f"rfc822msgid:{at}@id.example", lambda one: one.rfc822_id == f"<{at}@id.example>")
        ),
        sizes.map(
            lambda two: Query(f"{two[0]}:{two[1]}", lambda one: one.size < two[1] if two[0] == "smaller" else one.size > two[1])
        ),
        st.builds(
            dated,
            ages,
            st.sampled_from(("after", "before", "newer", "older")),
            st.sampled_from(("%Y/%m/%d", "%Y-%m-%d", "%m/%d/%Y")),
        ),
        st.builds(aged, ages, st.sampled_from(("newer_than", "older_than"))),
    )


def joined(inner: st.SearchStrategy[Query]) -> st.SearchStrategy[Query]:
    several = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        inner.map(lambda one: Query(f"-({one.text})", lambda each: not one.holds(each), one.hidden)),
        several.map(
            lambda all_: Query(
                f"({' '.join(one.text for one in all_)})",
                lambda each: all(one.holds(each) for one in all_),
                any(one.hidden for one in all_),
            )
        ),
        several.map(
            lambda all_: Query(
                "(" + " OR ".join(f"({one.text})" for one in all_) + ")",
                lambda each: any(one.holds(each) for one in all_),
                any(one.hidden for one in all_),
            )
        ),
        several.map(
            lambda all_: Query(
                "{" + " ".join(f"({one.text})" for one in all_) + "}",
                lambda each: any(one.holds(each) for one in all_),
                any(one.hidden for one in all_),
            )
        ),
    )


CLOCK = HandClock()
QUERIES = st.recursive(terms(CLOCK), joined, max_leaves=6)


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Search, dict[int, str]]]:
    path: Path = tmp_path_factory.mktemp("any-query")
    with closing(Database.open(path / "mail.db")) as db:
        account = Accounts(db).add(PEOPLE[2].email, "Me", (PEOPLE[2].email,), "", "")
        Messages(db).apply(account, SyncPage(messages=MAIL, labels=(Label("Label_1", "Work/2026", "user"),)))
        names = {row[0]: row[1] for row in db.read("SELECT id, gmail_id FROM messages")}
        with closing(Search(db, CLOCK)) as opened:
            yield opened, names


@settings(max_examples=6 * settings.default.max_examples)
@given(QUERIES)
def test_any_search_finds_what_reading_every_mail_finds(search: tuple[Search, dict[int, str]], query: Query) -> None:
    opened, names = search
    found = {names[one] for one in opened.message_ids(query.text, 999)}
    shown = [one for one in MAIL if query.hidden or not one.labels & {"SPAM", "TRASH"}]
    assert found == {str(one.gmail_id) for one in shown if query.holds(one)}, query.text
    assert opened.count(query.text) == len(found)


def test_no_operator_reads_every_mail(search: tuple[Search, dict[int, str]]) -> None:
    """Conditions on headers, files and labels are answered by an index alone."""
    from app.store.search import matching

    opened, _ = search
    statements = [*matching._HEADERS.values(), *matching._PLAIN.values(), matching._LABELLED]
    for sql in statements:
        args = ("x",) * sql.count("?")
        plan = " ".join(row[3] for row in opened._connection.execute(f"EXPLAIN QUERY PLAN {sql}", args))
        assert "SCAN messages USING COVERING" in plan or "SCAN messages" not in plan, (sql, plan)
