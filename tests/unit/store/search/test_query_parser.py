"""What a search line means, and that no line breaks it.

Which words of a search are asked by meaning, and what stays a condition.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import ExpectedError, NotAllowed
from app.domain.ids import AccountId
from app.domain.mail.message import Address
from app.domain.protocol.queries import MatchPlace
from app.engine.runtime.tables import Tables, open_tables
from app.store.mail.sync_page import SyncPage
from app.store.search.explain import SearchedMail, explain
from app.store.search.query_parser import by_meaning, parse_query
from app.store.search.query_tree import Phrase
from app.store.search.search import Search
from fakes.engine.store.empty import prepared
from fakes.engine.store.values import ME, NOON, HandClock, remote

A, B, C = Phrase("a"), Phrase("b"), Phrase("c")


@pytest.mark.parametrize(
    "line",
    ["is:purple", "has:cheese", "before:yesterday", "newer_than:7", "older_than:xd", "larger:big", "category:cats", "colour:red"],
)
def test_what_cannot_be_meant(line: str) -> None:
    """A clear refusal with a remedy."""
    with pytest.raises(NotAllowed) as caught:
        parse_query(line)
    assert caught.value.detail


OPERATORS = ("from:", "to:", "is:", "in:", "label:", "before:", "newer_than:", "filename:")
VALUES = ("unread", "7d", "2026/01/01", "a", "b", "OR", "AND")
PIECES = st.sampled_from([*OPERATORS, *VALUES, *'-(){}"* ']) | st.text(max_size=4)
LINES = st.lists(PIECES, max_size=14).map("".join)


@settings(max_examples=4 * settings.default.max_examples)
@given(LINES | st.text(st.characters(exclude_categories=()), max_size=40))
def test_no_line_breaks_it(line: str) -> None:
    """Any text is understood or refused; nothing else is raised."""
    try:
        parse_query(line)
    except ExpectedError as error:
        assert error.detail


@given(st.text(st.sampled_from('ab"():- {}*') | st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_line_is_parted_once_and_for_all(line: str) -> None:
    try:
        expression = parse_query(line)
    except NotAllowed:
        return
    _, rest = by_meaning(expression)
    assert by_meaning(rest) == ("", rest)


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """A store with a few mails."""
    made = open_tables(prepared(tmp_path / "mail.db"), HandClock())
    made.accounts.add(ME.email, ME.name, (ME.email,), "", "#112233")
    mails = (
        remote("a", "t1", text="Dobrý den, kdy dorazí OBJEDNÁVKA 4411?", subject="Dodávka"),
        remote("b", "t1", text="Odpověď", subject="Re: Dodávka", minutes=5),
        remote("c", "t2", text="Nothing here", subject="Offer", files=("Cena.pdf",), sender=Address("tom@cycles.example", "Tom")),
    )
    made.messages.apply(AccountId(1), SyncPage(messages=mails))
    yield made
    made.db.close()


def why(tables: Tables, text: str) -> list[list[tuple[MatchPlace, str]]]:
    """What of each found mail matched: the place, and the words at it."""
    search = Search(tables.db, tables.clock)
    found = search.find(text, 10).mails
    search.close()
    return [[(one.where, one.text[one.start : one.end] or one.text) for one in mail.why] for mail in found]


def test_words_are_shown_where_they_stand(tables: Tables) -> None:
    assert why(tables, "objednavka") == [[(MatchPlace.BODY, "OBJEDNÁVKA")]]
    assert why(tables, "dodavka") == [[(MatchPlace.SUBJECT, "Dodávka")]]
    assert why(tables, "from:tom offer") == [[(MatchPlace.SENDER, "Tom"), (MatchPlace.SUBJECT, "Offer")]]
    assert why(tables, "zebra") == []


def test_facts_are_named(tables: Tables) -> None:
    assert why(tables, "has:attachment") == [[(MatchPlace.FILE, "Cena.pdf")]]
    assert why(tables, "filename:cena") == [[(MatchPlace.FILE, "Cena")]]
    assert [one[0][0] for one in why(tables, "in:inbox")] == [MatchPlace.LABEL, MatchPlace.LABEL]
    assert why(tables, "offer -zebra newer_than:400d")[0][1][0] is MatchPlace.DATE


def test_filler_words_are_no_reason_beside_others() -> None:
    found = mail("The bike is on the stairs.")
    match_of = lambda asked: [one.text[one.start : one.end] for one in explain(parse_query(asked), found)]  # noqa: E731
    assert match_of("is the bike on stairs") == ["bike", "stairs"]
    assert match_of("the") == ["The"]


@pytest.mark.parametrize(
    ("asked", "text", "shown"),
    [
        ("strasse", "in der Straße 7", "Straße"),
        ("lodz", "do Łodzi i Łódź", "Łódź"),
        ("email", "my e-mail here", "e-mail"),
        ("777123456", "call 777 123 456 now", "777 123 456"),
        ("机会", "许多机会叩门", "机会"),
        ("finance", "the ﬁnance team", "ﬁnance"),
    ],
)
def test_what_the_index_folds_is_shown_as_written(asked: str, text: str, shown: str) -> None:
    (match,) = explain(parse_query(asked), mail(text))
    assert match.text[match.start : match.end] == shown


def mail(text: str) -> SearchedMail:
    return SearchedMail("", ME, (), NOON, text, (), ())
